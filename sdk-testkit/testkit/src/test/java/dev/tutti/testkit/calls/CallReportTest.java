package dev.tutti.testkit.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.arch.GoodPlugin;
import dev.tutti.testkit.plugin.TestPlugins;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forbidden calls are reported if they are made, with the line that makes them, and only then. */
class CallReportTest {

  private static final List<CollectiveCase> CASES =
      List.of(
          CollectiveCase.of(Operation.ALL_REDUCE, Topology.flat(1)),
          CollectiveCase.of(Operation.ALL_REDUCE, Topology.flat(3)).withCount(7));

  abstract static class Idle extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
  }

  static final class Clean extends Idle {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none().withScratchMemSize(Math.max(param.count(), 64));
    }
  }

  static final class AsksTheTime extends Idle {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      if (param.count() == 7) {
        System.nanoTime();
      }
    }
  }

  static final class DrawsInAHelper extends Idle {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none().withScratchMemSize(Helper.size());
    }

    static final class Helper {
      private static final Random RANDOM = new Random();

      static int size() {
        return RANDOM.nextInt(1, 10) + (int) Math.ceil(Math.random());
      }
    }
  }

  static final class HandsOverAMethod extends Idle {
    @Override
    public Support supports(AllReduceParam param) {
      LongSupplier clock = System::currentTimeMillis;
      return Support.when(clock.getAsLong() > 0, "before the epoch");
    }
  }

  static final class PrintsFromAnotherThread extends Idle {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      Thread thread = new Thread(() -> System.out.append(""));
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static final class WouldCallForHugeCounts extends Idle {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      if (param.count() > 1_000_000) {
        System.nanoTime();
      }
    }
  }

  static final class Fails extends Idle {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      throw new IllegalStateException("at " + System.getenv("HOME"));
    }
  }

  static final class NeverEnds extends Idle {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      System.nanoTime();
      while (!Thread.interrupted()) {
        Thread.onSpinWait();
      }
    }
  }

  static final class NeedsARadix extends Idle {
    NeedsARadix(int radix) {
      super();
    }
  }

  private static List<String> messages(Class<?> executor) {
    return CallReport.of(executor, CASES).stream().map(Finding::message).toList();
  }

  @Test
  void anExecutorWithoutSuchCallsIsClean() {
    assertThat(messages(Clean.class)).isEmpty();
    assertThat(messages(GoodPlugin.class)).isEmpty();
  }

  @Test
  void aClockIsReportedOnceWithTheLineThatAsksIt() {
    List<Finding> findings = CallReport.of(AsksTheTime.class, CASES);

    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo(Rule.FORBIDDEN_CALL);
              assertThat(finding.message())
                  .matches(
                      ".*CallReportTest\\$AsksTheTime\\.orchestrate\\(CallReportTest\\.java:\\d+\\)"
                          + " calls java\\.lang\\.System\\.nanoTime\\. Forbidden are clocks: a plan"
                          + " that depends on the time differs between ranks and between runs");
            });
  }

  @Test
  void aCallThatIsNotMadeIsNotReported() {
    assertThat(messages(WouldCallForHugeCounts.class)).isEmpty();
  }

  @Test
  void callsOfHelperClassesAndStaticInitialisersAreReported() {
    assertThat(messages(DrawsInAHelper.class))
        .hasSize(2)
        .anyMatch(
            text -> text.contains("Helper.<clinit>(") && text.contains("new java.util.Random"))
        .anyMatch(text -> text.contains("Helper.size(") && text.contains("Math.random"));
  }

  @Test
  void aMethodReferenceCountsWhereItIsWritten() {
    assertThat(messages(HandsOverAMethod.class))
        .singleElement()
        .asString()
        .contains("HandsOverAMethod.supports(")
        .contains("java.lang.System.currentTimeMillis");
  }

  @Test
  void callsFromThreadsThatTheExecutorStartsAreReportedToo() {
    assertThat(messages(PrintsFromAnotherThread.class))
        .anyMatch(text -> text.contains("new java.lang.Thread"))
        .anyMatch(text -> text.contains("java.lang.System.out"));
  }

  @Test
  void whatAnExecutorCallsBeforeItFailsIsReported() {
    assertThat(messages(Fails.class))
        .singleElement()
        .asString()
        .contains("java.lang.System.getenv");
  }

  @Test
  void anExecutorThatDoesNotComeToAnEndIsLeftAlone() {
    List<Finding> findings = CallReport.of(List.of(NeverEnds.class), CASES, Duration.ofMillis(300));

    assertThat(findings)
        .extracting(Finding::rule)
        .contains(Rule.FORBIDDEN_CALL, Rule.PLANNING_TOO_LONG);
    assertThat(findings.getLast().message())
        .contains(
            "asked for 2 cases, did not finish in 300 ms of processor time; it was at allreduce"
                + " ranks=1");
  }

  @Test
  void anExecutorOfAJarIsWatchedToo(@TempDir Path directory) throws Exception {
    Path jar =
        TestPlugins.plugin("p")
            .withClass(Idle.class)
            .provider(AsksTheTime.class)
            .write(directory.resolve("p.jar"));
    try (URLClassLoader loader = new SelfFirst(jar)) {
      Class<?> executor = loader.loadClass(AsksTheTime.class.getName());
      assertThat(executor.getClassLoader()).isSameAs(loader);

      assertThat(CallReport.of(executor, CASES)).hasSize(1);
    }
  }

  /** Loads the jar's classes itself, although the tests know them too. */
  private static final class SelfFirst extends URLClassLoader {
    private final Path jar;

    SelfFirst(Path jar) throws IOException {
      super(new URL[] {jar.toUri().toURL()}, CallReportTest.class.getClassLoader());
      this.jar = jar;
    }

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own == null ? super.getResource(name) : own;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (findLoadedClass(name) == null && name.startsWith(CallReportTest.class.getName() + "$")) {
        return findClass(name);
      }
      return super.loadClass(name, resolve);
    }

    @Override
    public String toString() {
      return jar.toString();
    }
  }

  @Test
  void aClassThatCannotBeMadeIsRefused() {
    assertThatThrownBy(() -> CallReport.of(NeedsARadix.class, CASES))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining(
            "NeedsARadix must be an executor with a constructor without parameters");
  }
}
