package dev.tutti.cli.tune.model;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.machine.MachineModel;

/**
 * The measurement of one probe.
 *
 * @param name the name of the probe
 * @param compiled the compiled plan
 * @param nanos the time of one run, more than 0
 * @param spread the upper quartile of all rounds divided by the lower one, 1 or more
 */
public record ProbeSample(String name, CompiledPlan compiled, double nanos, double spread) {

  /** The time that a model predicts, in nanoseconds. */
  public double estimate(MachineModel model) {
    return compiled.estimate(model).nanos();
  }

  /** The logarithm of a model's time divided by the measured time. */
  double error(MachineModel model) {
    return Math.log(estimate(model) / nanos);
  }
}
