package dev.tutti.cli.tune.model;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.machine.MachineModel.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The logarithms of a machine model's numbers as a vector, except the sizes of its levels, which do
 * not change.
 */
final class ModelVector {

  private static final int PLAIN = 10;
  private static final double LEAST = 1e-9;

  private ModelVector() {}

  /** The logarithms of a model. A cost of 0 counts as a tiny one, because 0 has no logarithm. */
  static double[] logarithms(MachineModel model) {
    double[] values = of(model);
    Arrays.setAll(values, i -> Math.log(Math.max(LEAST, values[i])));
    return values;
  }

  private static double[] of(MachineModel model) {
    double[] values = new double[PLAIN + 2 * model.levels().size()];
    values[0] = model.start();
    values[1] = model.task();
    values[2] = model.operand();
    values[3] = model.share();
    values[4] = model.handOver();
    values[5] = model.tasklet();
    values[6] = model.warmByte();
    values[7] = model.reducedByte();
    values[8] = model.streamedByte();
    values[9] = model.foreignByte();
    int at = PLAIN;
    for (Level level : model.levels()) {
      values[at++] = level.readByte();
      values[at++] = level.writtenByte();
    }
    return values;
  }

  /** A model with these numbers and the levels of another model. */
  static MachineModel model(double[] logarithms, MachineModel like) {
    double[] values = Arrays.stream(logarithms).map(Math::exp).toArray();
    List<Level> levels = new ArrayList<>();
    int at = PLAIN;
    for (Level level : like.levels()) {
      levels.add(new Level(level.bytes(), values[at++], values[at++]));
    }
    return new MachineModel(
        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7],
        values[8], values[9], levels);
  }
}
