package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tests find plans that depend on the process, the order of calls or other threads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherProcessesTest {

  private static final List<CollectiveCase> CASES =
      List.of(
          CollectiveCase.of(Operation.ALL_GATHER, Topology.flat(4)).withCount(10),
          CollectiveCase.of(Operation.ALL_GATHER, Topology.flat(3)).withCount(7));

  private OtherProcesses processes;

  @BeforeAll
  void start() {
    processes = new OtherProcesses(ClassPathPlans.class, List.of(), Duration.ofSeconds(10));
  }

  @AfterAll
  void end() {
    processes.close();
  }

  private List<Report> check(CollExecutorBase<?> executor) {
    RemotePlans plans =
        processes.subject(List.of("classes", executor.getClass().getName()), CASES.size());
    return CASES.stream()
        .map(
            c ->
                VirtualCluster.builder(c)
                    .staticOnly()
                    .shrink(false)
                    .remotePlans(plans)
                    .build()
                    .check(c, List.of(executor)))
        .toList();
  }

  @Test
  void pure_executors_plan_the_same_everywhere() {
    assertThat(check(new ImpureExecutors.Pure())).allSatisfy(Report::requireClean);
    assertThat(processes.note()).isEmpty();
  }

  static List<CollExecutorBase<?>> impure() {
    return List.of(
        new ImpureExecutors.OrderOfSpiEnum(),
        new ImpureExecutors.OrderOfOwnEnum(),
        new ImpureExecutors.HashOfItself(),
        new ImpureExecutors.OrderOfSet(),
        new ImpureExecutors.OrderOfMap(),
        new ImpureExecutors.FirstAsker(),
        new ImpureExecutors.FieldOfRequest(),
        new ImpureExecutors.FieldOfOneQuestion(),
        new ImpureExecutors.FirstRequest(),
        new ImpureExecutors.Machine(),
        new ImpureExecutors.Place(),
        new ImpureExecutors.Ends());
  }

  @ParameterizedTest
  @MethodSource("impure")
  void what_one_process_does_not_show_breaks_a_rule_of_purity(CollExecutorBase<?> executor) {
    List<Report> reports = check(executor);
    assertThat(reports).anySatisfy(report -> assertThat(report.has(Rule.NOT_PURE)).isTrue());
  }

  @Test
  void executors_that_cannot_be_made_there_are_no_finding_but_a_note() {
    try (OtherProcesses own =
        new OtherProcesses(ClassPathPlans.class, List.of(), Duration.ofSeconds(10))) {
      RemotePlans plans =
          own.subject(List.of("classes", ImpureExecutors.Unmakeable.class.getName()), CASES.size());

      Report report =
          VirtualCluster.builder(CASES.getFirst())
              .staticOnly()
              .remotePlans(plans)
              .build()
              .check(CASES.getFirst(), List.of(new ImpureExecutors.Unmakeable(true)));

      assertThat(report.isClean()).isTrue();
      assertThat(own.note()).contains("constructor without parameters");
    }
  }

  @Test
  void processes_that_cannot_be_started_are_no_finding_but_a_note() {
    try (OtherProcesses none =
        new OtherProcesses(ClassPathPlans.class, List.of("-Xmx1"), Duration.ofSeconds(10))) {
      RemotePlans plans =
          none.subject(List.of("classes", ImpureExecutors.Pure.class.getName()), CASES.size());

      Report report =
          VirtualCluster.builder(CASES.getFirst())
              .staticOnly()
              .remotePlans(plans)
              .build()
              .check(CASES.getFirst(), List.of(new ImpureExecutors.Pure()));

      assertThat(report.isClean()).isTrue();
      assertThat(none.note()).startsWith("a second JVM did not start: it ended the process");
    }
  }
}
