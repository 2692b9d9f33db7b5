package dev.tutti.testkit.assertions;

import dev.tutti.simulator.Simulation;
import dev.tutti.verifier.Report;

/**
 * Entry points of the assertions. They can be imported together with AssertJ's, whose {@code
 * assertThat} has other parameters.
 *
 * <pre>{@code
 * assertThat(cluster.check(new RingAllReduce(), param)).isClean();
 * assertThat(cluster.check(broken, param)).breaksOnly(Rule.RACE);
 * assertThat(Simulator.of(model).run(plan, param)).boundRatioAtMost(1.1);
 * }</pre>
 */
public final class TestkitAssertions {

  private TestkitAssertions() {}

  /** Assertions on a report. */
  public static ReportAssert assertThat(Report report) {
    return new ReportAssert(report);
  }

  /** Assertions on a simulation. */
  public static SimulationAssert assertThat(Simulation simulation) {
    return new SimulationAssert(simulation);
  }
}
