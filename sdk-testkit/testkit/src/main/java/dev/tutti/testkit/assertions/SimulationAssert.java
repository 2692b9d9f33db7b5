package dev.tutti.testkit.assertions;

import dev.tutti.simulator.Simulation;

/**
 * Assertions on a simulation. Each returns this object, so that calls can be chained. A failed
 * assertion throws an {@link AssertionError} whose message contains the whole simulation.
 */
public final class SimulationAssert {

  private final Simulation simulation;

  SimulationAssert(Simulation simulation) {
    this.simulation = simulation;
  }

  /**
   * The bus bandwidth is at least this high.
   *
   * @param bytesPerSecond the least expected bandwidth, for example nine tenths of the lower
   *     bound's: {@code 0.9 * simulation.busBandwidth() * simulation.boundRatio()}
   * @throws dev.tutti.sdk.TuttiException as {@link Simulation#busBandwidth}
   */
  public SimulationAssert busBandwidthAtLeast(double bytesPerSecond) {
    double found = simulation.busBandwidth();
    // In this form, NaN fails.
    if (!(found >= bytesPerSecond)) {
      throw failure(
          "expected a bus bandwidth of %.0f bytes per second or more, found %.0f"
              .formatted(bytesPerSecond, found));
    }
    return this;
  }

  /**
   * The time is at most {@code ratio} times the lower bound of the operation.
   *
   * @param ratio 1 or more
   * @throws dev.tutti.sdk.TuttiException as {@link Simulation#lowerBound}
   */
  public SimulationAssert boundRatioAtMost(double ratio) {
    double found = simulation.boundRatio();
    if (!(found <= ratio)) {
      throw failure(
          "expected %.3f times the lower bound or less, found %.3f times".formatted(ratio, found));
    }
    return this;
  }

  /** No chain of dependent actions has more than {@code steps} messages. */
  public SimulationAssert stepsAtMost(int steps) {
    if (simulation.steps() > steps) {
      throw failure(
          "expected %d step%s or less, found %d"
              .formatted(steps, steps == 1 ? "" : "s", simulation.steps()));
    }
    return this;
  }

  /** The last rank has finished by the given time. */
  public SimulationAssert timeAtMost(long picoseconds) {
    if (simulation.time() > picoseconds) {
      throw failure("expected %d ps or less, found %d".formatted(picoseconds, simulation.time()));
    }
    return this;
  }

  /** At most this many bytes cross links, over all ranks. */
  public SimulationAssert bytesAtMost(long bytes) {
    long found = simulation.traffic().bytes();
    if (found > bytes) {
      throw failure("expected %d bytes on links or less, found %d".formatted(bytes, found));
    }
    return this;
  }

  /** The simulation, for assertions of other kinds. */
  public Simulation simulation() {
    return simulation;
  }

  private AssertionError failure(String problem) {
    return new AssertionError(problem + "; the simulation is:\n" + simulation);
  }
}
