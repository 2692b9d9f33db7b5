package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void aCleanReportSaysHowMuchWasChecked() {
    Report report = new Report("allreduce ring on 4 ranks", List.of(), List.of(), 2, 8, 1, null);

    assertThat(report.requireClean()).isSameAs(report);
    assertThat(report).hasToString("allreduce ring on 4 ranks: clean, 2 plans, 8 runs");
  }

  @Test
  void allFindingsAreInTheMessageOfTheError() {
    Report report =
        new Report(
            "scan",
            List.of(new Finding(Rule.DEADLOCK, "stuck"), new Finding(Rule.UNUSED, "spare")),
            List.of(),
            1,
            0,
            1,
            null);

    assertThat(report.has("RES-1")).isTrue();
    assertThat(report.has("VAL-1")).isFalse();
    assertThatThrownBy(report::requireClean)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "scan: 2 findings\n  SYN-1 deadlock: stuck\n  RES-1 resource not used: spare\n"
                + "  SYN-1 is explained in docs/rules/SYN-1.md\n"
                + "  RES-1 is explained in docs/rules/RES-1.md");
  }

  @Test
  void numbersOfOneAreSingular() {
    assertThat(new Report("scan", List.of(), List.of(), 1, 1, 1, null))
        .hasToString("scan: clean, 1 plan, 1 run");
  }

  @Test
  void whatTheReaderKnowsIsNotExplainedAgain() {
    Finding stuck = new Finding(Rule.DEADLOCK, "stuck").withExplanation("who waits");
    Finding spare = new Finding(Rule.UNUSED, "spare").withExplanation("what is spare");
    Report report = new Report("scan", List.of(stuck, spare), List.of(), 1, 0, 1, null);

    assertThat(report.toString(Set.of(Rule.DEADLOCK)))
        .isEqualTo(
            "scan: 2 findings\n  SYN-1 deadlock: stuck\n  RES-1 resource not used: spare\n"
                + "      what is spare\n  RES-1 is explained in docs/rules/RES-1.md");
  }

  private static VirtualCluster cluster() {
    return VirtualCluster.builder(Topology.flat(2))
        .planningLimit(Duration.ofMillis(100))
        .staticOnly()
        .build();
  }

  private static Report check(CollExecutorBase<BroadcastParam> executor) {
    VirtualCluster cluster = cluster();
    return cluster.check(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0));
  }

  @Test
  void theHeadingNamesTheAlgorithmAndItsClass() {
    assertThat(check(new Hasty()).subject())
        .isEqualTo("broadcast hasty (Hasty) on 2 ranks, 40 bytes, graph direct");
    assertThat(check(Algorithms.relayedBroadcast(true)).subject())
        .startsWith("broadcast Sketch on");
  }

  @Test
  void whatIsWrongInPlaceAndOutOfPlaceAlikeIsSaidOnce() {
    assertThat(check(new Hasty()).findings())
        .filteredOn(finding -> finding.rule() == Rule.OUTSIDE_CALL)
        .hasSize(1);
  }

  @Test
  void aBrokenLimitIsPaidForOnce() {
    AtomicInteger plans = new AtomicInteger();

    Report report =
        check(
            new Sketch<>(
                Sketch::mesh,
                (param, resources) -> {
                  plans.incrementAndGet();
                  while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                  }
                }));

    assertThat(report.brokePlanningLimit()).isTrue();
    assertThat(report.rules()).containsExactly("CAP-3");
    assertThat(report.smallest()).isNotNull();
    assertThat(plans).as("neither in place nor with fewer ranks").hasValue(1);
  }

  /** The root writes before it knows that the others have entered. */
  @CollAlgorithm(name = "hasty", summary = "Does not wait for the receivers")
  private static final class Hasty extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, outputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      if (param.comm().rank() != param.root()) {
        peer.await(main, Link.FIN);
        return;
      }
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      peer.write(main, peer.remote(mem.output()), mem.output());
      peer.post(main, Link.FIN);
    }
  }

  @Test
  void findingsOfOneCauseAreOneAndTheRestIsCounted() {
    Findings findings = new Findings();
    findings.add(Rule.RACE, "line 3", "first");
    findings.add(Rule.RACE, "line 3", "second");
    for (int i = 0; i < Findings.MAX_PER_RULE + 1; i++) {
      findings.add(Rule.RACE, "other " + i, "text " + i);
    }

    assertThat(findings.toList())
        .hasSize(Findings.MAX_PER_RULE + 1)
        .startsWith(new Finding(Rule.RACE, "first (and 1 more like it)"))
        .endsWith(new Finding(Rule.RACE, "and 2 more elsewhere"));
  }
}
