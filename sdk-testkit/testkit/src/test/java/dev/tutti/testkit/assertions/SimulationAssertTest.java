package dev.tutti.testkit.assertions;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.testkit.junit.StarBroadcast;
import dev.tutti.verifier.VirtualCluster;
import org.junit.jupiter.api.Test;

/** Each assertion holds at its bound, and fails right beyond it with the simulation. */
class SimulationAssertTest {

  private final Simulation simulation = simulate();

  private static Simulation simulate() {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(4)).build();
    BroadcastParam param = new BroadcastParam(cluster.comm(), DataType.INT32, 1000, 1);
    return Simulator.of(NetworkModel.machine())
        .run(cluster.record(new StarBroadcast(), param), param);
  }

  @Test
  void whatIsMeasuredIsWithinItsOwnBounds() {
    assertThat(simulation)
        .busBandwidthAtLeast(simulation.busBandwidth())
        .boundRatioAtMost(simulation.boundRatio())
        .stepsAtMost(simulation.steps())
        .timeAtMost(simulation.time())
        .bytesAtMost(3 * 4000);
  }

  @Test
  void tooLittleBandwidthIsTold() {
    assertThatThrownBy(
            () -> assertThat(simulation).busBandwidthAtLeast(1.01 * simulation.busBandwidth()))
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "(?s)expected a bus bandwidth of \\d+ bytes per second or more, found.*")
        .hasMessageEndingWith(simulation.toString());
    assertThatThrownBy(() -> assertThat(simulation).busBandwidthAtLeast(Double.NaN))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void tooMuchOfAnythingElseIsTold() {
    assertThatThrownBy(() -> assertThat(simulation).boundRatioAtMost(0.99))
        .hasMessageStartingWith("expected 0.990 times the lower bound or less, found ");
    assertThatThrownBy(() -> assertThat(simulation).stepsAtMost(simulation.steps() - 1))
        .hasMessageStartingWith("expected " + (simulation.steps() - 1) + " steps or less, found ");
    assertThatThrownBy(() -> assertThat(simulation).stepsAtMost(1))
        .hasMessageStartingWith("expected 1 step or less, found ");
    assertThatThrownBy(() -> assertThat(simulation).timeAtMost(simulation.time() - 1))
        .hasMessageStartingWith("expected " + (simulation.time() - 1) + " ps or less, found ");
    assertThatThrownBy(() -> assertThat(simulation).bytesAtMost(11_999))
        .hasMessageStartingWith("expected 11999 bytes on links or less, found 12000");
  }

  @Test
  void theSimulationIsThereForOtherAssertions() {
    org.assertj.core.api.Assertions.assertThat(assertThat(simulation).simulation())
        .isSameAs(simulation);
  }
}
