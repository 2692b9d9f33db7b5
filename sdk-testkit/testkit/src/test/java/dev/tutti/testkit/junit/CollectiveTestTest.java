package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.tutti.plan.PlanJson;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** One annotation runs a method for each case of a matrix, and names, feeds and explains it. */
class CollectiveTestTest {

  @TempDir private Path directory;

  /** Does nothing for every request: the smallest executor that has a type and a reduction. */
  static final class Idle extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
  }

  @SuppressWarnings("NewClassNamingConvention")
  static class Methods {

    @CollectiveTest(
        value = StarBroadcast.class,
        ranks = {2, 3},
        topologies = {"2+1", "2x(1+1)"},
        counts = {0, 7},
        types = DataType.INT32,
        roots = {0, 99},
        protocols = Protocol.RDMA,
        modes = WorkflowMode.GRAPH,
        full = true)
    void wholeProduct(CollectiveCase c) {
      assertThat(c.count()).isIn(0L, 7L);
    }

    @CollectiveTest(StarBroadcast.class)
    void standardMatrix(CaseCheck check) {}

    @CollectiveTest(
        value = StarBroadcast.class,
        ranks = 3,
        counts = 10,
        types = DataType.INT8,
        cclBufferSize = 512,
        seed = 42)
    void takesAllItMayTake(
        CaseCheck check,
        CollectiveCase c,
        VirtualCluster cluster,
        BroadcastParam param,
        StarBroadcast executor) {
      assertThat(check.definition()).isEqualTo(c);
      assertThat(cluster.comm()).isEqualTo(c.comm()).isEqualTo(param.comm());
      assertThat(c.comm().cclBufferSize()).isEqualTo(512);
      assertThat(c.seed()).isEqualTo(42);
      assertThat(param.count()).isEqualTo(10);
      assertThat(executor).isExactlyInstanceOf(StarBroadcast.class);
      assertThat(check.plan().rankSize()).isEqualTo(3);
      assertThat(check.report()).isSameAs(check.report());
      check.report().requireClean();
      assertThat(check.report(settings -> settings.schedules(1)).runCount())
          .isLessThan(cluster.check(executor, param).runCount());
    }

    @CollectiveTest(value = StarBroadcast.Hasty.class, ranks = 2, counts = 5, types = DataType.INT8)
    void fails(CaseCheck check) {
      check.report().requireClean();
    }

    @CollectiveTest(value = StarBroadcast.class, ranks = 2, counts = 5, types = DataType.INT8)
    void failsByItself(CollectiveCase c) {
      assertThat(c.count()).as("the count").isEqualTo(6);
    }

    @CollectiveTest(value = StarBroadcast.class, ranks = 2, counts = 5, types = DataType.INT8)
    void doesNotApply() {
      Assumptions.abort("not here");
    }

    @CollectiveTest(
        value = StarBroadcast.Endless.class,
        ranks = 2,
        counts = {1, 5, 9})
    void doesNotEnd(CaseCheck check) {
      check.report(settings -> settings.planningLimit(Duration.ofMillis(100))).requireClean();
    }

    @CollectiveTest(value = Idle.class, ranks = 2, counts = 1, types = DataType.UINT8)
    void reductionsOfAType(CollectiveCase c) {}

    @CollectiveTest(value = Idle.class, ranks = 2, counts = 1, reductions = ReduceOp.BXOR)
    void typesOfAReduction(CollectiveCase c) {}

    @CollectiveTest(
        value = Idle.class,
        types = {DataType.FLOAT32, DataType.FLOAT64},
        reductions = {ReduceOp.BAND, ReduceOp.BOR})
    void nothingIsLeft(CollectiveCase c) {}

    @CollectiveTest({})
    void noExecutor(CollectiveCase c) {}

    @CollectiveTest(StarBroadcast.class)
    void wantsSomethingElse(CollectiveCase c, String name) {}
  }

  private EngineExecutionResults run(String method) {
    Class<?>[] parameters =
        Arrays.stream(Methods.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .findFirst()
            .orElseThrow()
            .getParameterTypes();
    return EngineTestKit.engine("junit-jupiter")
        .outputDirectoryCreator(new Outputs(directory))
        .selectors(selectMethod(Methods.class.getName(), method, names(parameters)))
        .execute();
  }

  private static String names(Class<?>[] types) {
    return String.join(", ", Arrays.stream(types).map(Class::getName).toList());
  }

  private List<String> displayNames(String method) {
    return run(method).testEvents().started().stream()
        .map(each -> each.getTestDescriptor().getDisplayName())
        .toList();
  }

  private static String message(EngineExecutionResults results) {
    return results.allEvents().failed().stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .map(result -> result.getThrowable().orElseThrow().getMessage())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFullMatrixIsTheProductOfItsAxes() {
    List<String> names = displayNames("wholeProduct");

    // 4 groups, 2 counts, 1 type, 2 roots, 1 protocol, 1 mode
    assertThat(names)
        .hasSize(4 * 2 * 2)
        .doesNotHaveDuplicates()
        .contains("broadcast star ranks=2+1 count=7 int32 root=2 graph rdma ccl=1024")
        .contains("broadcast star ranks=1+1|1+1 count=0 int32 root=0 graph rdma ccl=1024");
  }

  @Test
  void aReducedMatrixHasEveryPairOfValues() {
    List<String> names = displayNames("standardMatrix");

    assertThat(names).hasSizeBetween(88, 250).doesNotHaveDuplicates();
    for (String ranks : List.of("1", "2", "3", "4", "5", "7", "8", "12", "16", "8+4")) {
      for (String protocol : List.of("direct", "rdma")) {
        assertThat(names).anyMatch(has(" ranks=" + ranks + " ").and(has(" " + protocol)));
      }
    }
    for (DataType type : DataType.values()) {
      for (String mode : List.of("graph", "op-base")) {
        assertThat(names).anyMatch(has(" " + type + " ").and(has(" " + mode + " ")));
      }
    }
  }

  private static Predicate<String> has(String text) {
    return name -> name.contains(text);
  }

  @Test
  void theMethodTakesTheCaseAndAllThatBelongsToIt() {
    EngineExecutionResults results = run("takesAllItMayTake");

    results.testEvents().assertStatistics(count -> count.failed(0));
    // Every one of 3 roots on both protocols at least.
    assertThat(results.testEvents().succeeded().count()).isBetween(6L, 12L);
  }

  @Test
  void typesAndReductionsGoTogetherWhereTheyCan() {
    assertThat(displayNames("reductionsOfAType"))
        .anyMatch(has(" uint8 bxor "))
        .anyMatch(has(" uint8 sum "))
        .allMatch(has(" uint8 "));
    assertThat(displayNames("typesOfAReduction"))
        .anyMatch(has(" int64 bxor "))
        .noneMatch(has("float"))
        .allMatch(has(" bxor "));
  }

  @Test
  void aFailureIsPublishedWithItsReportItsPlanAndADrawing() throws IOException {
    EngineExecutionResults results = run("fails");

    assertThat(results.testEvents().failed().count()).isPositive();
    assertThat(message(results)).contains("broadcast hasty (Hasty) ranks=2 count=5 int8");
    List<Path> files = files();
    assertThat(files).anyMatch(file -> file.toString().endsWith("-report.txt"));
    assertThat(read(files, "-report.txt"))
        .startsWith("broadcast hasty ranks=2 count=5 int8 ")
        .contains("stream 0");
    assertThat(PlanJson.fromJson(read(files, "-plan.json")).rankSize()).isEqualTo(2);
    assertThat(read(files, "-report.html"))
        .startsWith("<!DOCTYPE html>")
        .contains("MEM-2", "\"kind\": \"missing\"", "<span class=\"at\">");
    assertThat(read(files, "-trace.json")).contains("traceEvents", "rank 1");
  }

  @Test
  void planningThatDoesNotEndFailsOneCaseAndTheRestIsLeftOut() throws IOException {
    EngineExecutionResults results = run("doesNotEnd");

    results.testEvents().assertStatistics(count -> count.failed(1).succeeded(0));
    assertThat(results.testEvents().aborted().count()).isGreaterThan(10);
    assertThat(read(files(), "-report.txt"))
        .contains("CAP-3", "There is no plan: planning broke its limit.");
  }

  @Test
  void aFailureOfTheMethodsOwnIsPublishedToo() throws IOException {
    run("failsByItself");

    assertThat(read(files(), "-report.txt")).contains("[the count]", "expected: 6L");
  }

  @Test
  void nothingIsPublishedOfWhatDoesNotFail() throws IOException {
    run("doesNotApply").testEvents().assertStatistics(count -> count.failed(0));
    run("wholeProduct");

    assertThat(files()).isEmpty();
  }

  private List<Path> files() throws IOException {
    try (var all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String read(List<Path> files, String end) throws IOException {
    return Files.readString(
        files.stream().filter(file -> file.toString().endsWith(end)).findFirst().orElseThrow());
  }

  @Test
  void anEmptyMatrixIsRefused() {
    assertThat(message(run("nothingIsLeft")))
        .isEqualTo(
            "none of the reductions [band, bor] takes one of the types [float32, float64]; name"
                + " others in @CollectiveTest");
  }

  @Test
  void aTestWithoutAnExecutorIsRefused() {
    assertThat(message(run("noExecutor")))
        .isEqualTo("there is no executor to test; name its class");
  }

  @Test
  void whatNobodyCanGiveIsLeftToOtherExtensions() {
    assertThat(message(run("wantsSomethingElse"))).contains("No ParameterResolver");
  }
}
