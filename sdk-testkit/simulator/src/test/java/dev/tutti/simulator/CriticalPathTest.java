package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CriticalPathTest {

  /** Messages from afar arrive after later ones from nearby, which then have the unit first. */
  private static final NetworkModel TWO_LEVELS =
      NetworkModel.builder()
          .topology(Topology.nodes(2, 2))
          .level(CommPlane.LEVEL0, LinkTerms.of(10, PerByte.of(1)))
          .level(CommPlane.LEVEL1, LinkTerms.of(70, PerByte.of(2)))
          .reduction(PerByte.of(3))
          .copy(PerByte.of(1))
          .build();

  @Test
  void everyPathLeadsFromTheBeginToTheEnd() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          for (long seed = 0; seed < 3000; seed++) {
            Simulation simulation = Simulator.of(TWO_LEVELS).run(RandomReads.plan(seed, 4));
            List<PathStep> path = simulation.criticalPath();
            assertThat(path).as("seed %d", seed).isNotEmpty();
            assertThat(path.getLast().end()).isEqualTo(simulation.time());
            assertThat(path.getFirst().start()).isZero();
          }
        });
  }
}
