package dev.tutti.cli.simulate;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.cli.terminal.Text;
import dev.tutti.simulator.Simulation;
import dev.tutti.verifier.matrix.CollectiveCase;

/**
 * The row of a table about one simulation.
 *
 * @param subject the algorithm
 * @param simulated the case
 * @param bytes the size that bandwidths refer to
 * @param problem {@code "refused: "} or {@code "failed: "} and the reason; empty if it was
 *     simulated
 * @param timePs the time in picoseconds
 * @param boundRatio the time divided by the lower bound; not finite without a bound
 * @param busBandwidth bytes per second
 * @param steps the number of messages on the longest chain
 * @param messages the number of all messages
 */
record SimulateRow(
    AlgorithmWithPeer subject,
    CollectiveCase simulated,
    long bytes,
    String problem,
    long timePs,
    double boundRatio,
    double busBandwidth,
    int steps,
    long messages) {

  private static final double PS_PER_MICRO = 1e6;

  static SimulateRow of(AlgorithmWithPeer subject, CollectiveCase c, Simulation simulation) {
    return of(subject, c, bytes(c), simulation);
  }

  /** The row of a plan file, whose case may differ from its request. */
  static SimulateRow of(SavedPlan saved, Simulation simulation) {
    return of(
        AlgorithmWithPeer.of(saved),
        saved.asCase(),
        UniformCalls.messageBytes(saved.params()),
        simulation);
  }

  private static SimulateRow of(
      AlgorithmWithPeer subject, CollectiveCase c, long bytes, Simulation simulation) {
    return new SimulateRow(
        subject,
        c,
        bytes,
        "",
        simulation.time(),
        simulation.boundRatio(),
        simulation.busBandwidth(),
        simulation.steps(),
        simulation.traffic().messages());
  }

  static SimulateRow refused(AlgorithmWithPeer subject, CollectiveCase c, String reason) {
    return without(subject, c, "refused: " + reason);
  }

  static SimulateRow failed(AlgorithmWithPeer subject, CollectiveCase c, String reason) {
    return without(subject, c, "failed: " + reason);
  }

  private static SimulateRow without(AlgorithmWithPeer subject, CollectiveCase c, String problem) {
    return new SimulateRow(
        subject, c, bytes(c), problem, Long.MAX_VALUE, Double.NaN, Double.NaN, 0, 0);
  }

  boolean isSimulated() {
    return problem.isEmpty();
  }

  /** The time, or one word for the reason why there is none. */
  String timeOrProblem() {
    return isSimulated() ? Text.number(micros()) : problem.substring(0, problem.indexOf(':'));
  }

  double micros() {
    return isSimulated() ? timePs / PS_PER_MICRO : Double.NaN;
  }

  private static long bytes(CollectiveCase c) {
    return UniformCalls.messageBytes(c.params());
  }
}
