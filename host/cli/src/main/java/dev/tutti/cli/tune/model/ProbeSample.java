package dev.tutti.cli.tune.model;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.machine.MachineModel;

/**
 * What one probe took.
 *
 * @param name of the probe
 * @param compiled what ran
 * @param nanos the time of one run, more than 0
 * @param spread how many times as long as the lower quartile of all rounds the upper one is, 1 or
 *     more
 */
public record ProbeSample(String name, CompiledPlan compiled, double nanos, double spread) {

  /** The time that a model gives, in nanoseconds. */
  public double estimate(MachineModel model) {
    return compiled.estimate(model).nanos();
  }

  /** The logarithm of how many times too long the time of a model is. */
  double error(MachineModel model) {
    return Math.log(estimate(model) / nanos);
  }
}
