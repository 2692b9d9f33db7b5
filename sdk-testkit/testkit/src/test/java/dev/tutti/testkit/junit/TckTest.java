package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.displayName;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.purity.OtherProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** One line gives an executor its tests, and their failures say what to do. */
class TckTest {

  static class StarTest implements BroadcastTck<StarBroadcast> {}

  static class HastyTest implements BroadcastTck<StarBroadcast.Hasty> {
    @Override
    public Matrix matrix() {
      return few();
    }
  }

  static class NarrowTest implements BroadcastTck<StarBroadcast.Narrow> {
    @Override
    public Matrix matrix() {
      return few();
    }
  }

  static class DeclaredNarrowTest extends NarrowTest {
    @Override
    public boolean refuses(BroadcastParam param) {
      return Integer.bitCount(param.comm().rankSize()) != 1;
    }
  }

  static class WronglyDeclaredTest extends NarrowTest {
    @Override
    public boolean refuses(BroadcastParam param) {
      return param.comm().rankSize() >= 3;
    }
  }

  static class StubbornTest implements BroadcastTck<StarBroadcast.Stubborn> {
    @Override
    public boolean refuses(BroadcastParam param) {
      return true;
    }
  }

  static class TimelyTest implements BroadcastTck<StarBroadcast.Timely> {
    @Override
    public Matrix matrix() {
      return few();
    }
  }

  static class EndlessTest implements BroadcastTck<StarBroadcast.Endless> {
    @Override
    public ClusterBuilder configure(ClusterBuilder cluster) {
      return cluster.planningLimit(Duration.ofMillis(100));
    }
  }

  /** Records the processes that it was given. */
  static class RememberingTest extends TimelyTest {
    static final List<OtherProcesses> GIVEN = new ArrayList<>();

    @Override
    @TestFactory
    @ExtendWith(SharedProcesses.class)
    public Stream<DynamicTest> standardTests(TestReporter reporter, OtherProcesses processes) {
      GIVEN.add(processes);
      return super.standardTests(reporter, processes);
    }
  }

  static class AlsoRememberingTest extends RememberingTest {}

  abstract static class Base<E extends CollExecutorBase<BroadcastParam>>
      implements BroadcastTck<E> {
    @Override
    public Matrix matrix() {
      return few();
    }
  }

  static class IndirectTest extends Base<StarBroadcast> {}

  static class OwnExecutorTest<P extends OpParam>
      implements BroadcastTck<CollExecutorBase<BroadcastParam>> {
    @Override
    public StarBroadcast executor() {
      return new StarBroadcast.Narrow();
    }

    @Override
    public Matrix matrix() {
      return few().withTopologies(List.of(Topology.flat(2)));
    }

    @Override
    public boolean isFull() {
      return true;
    }

    @Override
    public ClusterBuilder configure(ClusterBuilder cluster) {
      return cluster.schedules(1);
    }
  }

  @SuppressWarnings("rawtypes")
  static class NamelessTest implements BroadcastTck {}

  private static Matrix few() {
    return Matrix.standard(Operation.BROADCAST)
        .withTopologies(List.of(Topology.flat(2), Topology.flat(3), Topology.flat(4)))
        .withCounts(List.of(Matrix.Count.of(1), Matrix.Count.of(100)))
        .withReductions(Matrix.standard(Operation.BROADCAST).reductions().subList(0, 2))
        .withCclBufferSize(Matrix.SMALL_CCL_BUFFER_SIZE);
  }

  private static EngineExecutionResults run(Class<?> test) {
    return EngineTestKit.engine("junit-jupiter").selectors(selectClass(test)).execute();
  }

  private static List<String> failures(Class<?> test) {
    return run(test).testEvents().failed().stream().map(TckTest::message).toList();
  }

  private static String message(Event event) {
    return event
        .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
        .getThrowable()
        .orElseThrow()
        .getMessage();
  }

  @Test
  void oneLineIsEnough() {
    EngineExecutionResults results = run(StarTest.class);

    results.testEvents().assertStatistics(count -> count.failed(0).aborted(0).skipped(0));
    assertThat(results.testEvents().succeeded().count())
        .isEqualTo(MatrixCases.covering(Matrix.standard(Operation.BROADCAST)).size() + 3)
        .isGreaterThan(100);
  }

  @Test
  void allClassesOfARunShareTheOtherProcessesWhichEndWithIt() {
    RememberingTest.GIVEN.clear();

    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(RememberingTest.class), selectClass(AlsoRememberingTest.class))
        .execute();

    assertThat(RememberingTest.GIVEN).hasSize(2);
    OtherProcesses first = RememberingTest.GIVEN.getFirst();
    assertThat(RememberingTest.GIVEN.getLast()).isSameAs(first);
    assertThat(first.isClosed()).isTrue();
  }

  @Test
  void eachCaseIsATestOfItsOwnWithAReadableName() {
    run(StarTest.class)
        .testEvents()
        .assertThatEvents()
        .haveAtLeast(1, event(displayName("takes some of these cases"), finishedSuccessfully()))
        .haveAtLeast(1, event(displayName("makes no forbidden calls"), finishedSuccessfully()));
    assertThat(names(StarTest.class))
        .anyMatch(
            name ->
                name.matches(
                    "broadcast star ranks=1 count=1 [a-z0-9]+ root=0 graph direct ccl=[0-9]+"));
  }

  private static List<String> names(Class<?> test) {
    return run(test)
        .testEvents()
        .started()
        .map(each -> each.getTestDescriptor().getDisplayName())
        .toList();
  }

  @Test
  void theExecutorMayBeNamedInASubclass() {
    run(IndirectTest.class).testEvents().assertStatistics(count -> count.failed(0));
  }

  @Test
  void theExecutorTheMatrixAndTheSettingsMayBeTheAuthorsOwn() {
    run(OwnExecutorTest.class)
        .testEvents()
        // 2 counts, 2 types, 5 roots (two different ones on two ranks), 2 protocols, 2 modes
        .assertStatistics(count -> count.failed(0).succeeded(2 * 2 * 2 * 2 * 2 + 3));
  }

  @Test
  void aTestThatNamesNoExecutorSaysHowTo() {
    EngineExecutionResults results = run(NamelessTest.class);

    assertThat(results.containerEvents().failed().stream().map(TckTest::message).toList())
        .singleElement()
        .asString()
        .contains(
            "NamelessTest must say which executor it tests, as in 'class RingTest implements"
                + " AllReduceTck<RingAllReduce>', or override executor()");
  }

  @Test
  void aBrokenExecutorFailsInTheCasesThatShowIt() {
    List<String> failures = failures(HastyTest.class);

    assertThat(failures)
        .isNotEmpty()
        .allMatch(text -> text.contains("MEM-2") || text.contains("SEQ-1"));
    assertThat(failures).anyMatch(text -> text.contains("replay: broadcast;"));
  }

  @Test
  void whatFiveCasesHaveExplainedTheOthersOnlyName() {
    List<String> failures = failures(HastyTest.class);

    assertThat(failures).filteredOn(text -> text.contains("\n")).hasSizeBetween(5, 10);
    assertThat(failures)
        .filteredOn(text -> !text.contains("\n"))
        .isNotEmpty()
        .allMatch(
            text -> text.endsWith(", as cases before it do, whose reports say where and why"));
  }

  @Test
  void aRefusalThatNobodyDeclaredFails() {
    assertThat(failures(NarrowTest.class))
        .isNotEmpty()
        .allMatch(text -> text.contains("broadcast narrow ranks=3"))
        .filteredOn(text -> text.contains("\n"))
        .isNotEmpty()
        .allMatch(
            text ->
                text.contains("needs a power of two ranks. Actual: 3")
                    && text.contains("let refuses(param) return true for it"));
  }

  @Test
  void aDeclaredRefusalIsRight() {
    run(DeclaredNarrowTest.class).testEvents().assertStatistics(count -> count.failed(0));
  }

  @Test
  void aDeclaredRefusalThatDoesNotHappenFails() {
    assertThat(failures(WronglyDeclaredTest.class))
        .isNotEmpty()
        .allMatch(
            text ->
                text.contains("broadcast narrow ranks=4")
                    && text.contains("should be refused, as refuses(param) says, and is not"));
  }

  @Test
  void refusingEverythingFails() {
    assertThat(failures(StubbornTest.class))
        .singleElement()
        .asString()
        .contains("Stubborn refuses all")
        .contains("so nothing was tested");
  }

  @Test
  void planningThatDoesNotEndFailsOneCaseAndTheRestIsLeftOut() {
    EngineExecutionResults results = run(EndlessTest.class);

    assertThat(results.testEvents().failed().stream().map(TckTest::message).toList())
        .singleElement()
        .asString()
        .contains("CAP-3", "at StarBroadcast$Endless.waits(StarBroadcast.java:", "replay: ");
    assertThat(results.testEvents().aborted().stream().map(TckTest::message).toList())
        .hasSizeGreaterThan(100)
        .allMatch(
            text ->
                text.startsWith("not run: planning broke its limit in broadcast endless ranks=2"));
  }

  @Test
  void aForbiddenCallFails() {
    assertThat(failures(TimelyTest.class))
        .singleElement()
        .asString()
        .contains("PUR-3")
        .contains("StarBroadcast.java:");
  }
}
