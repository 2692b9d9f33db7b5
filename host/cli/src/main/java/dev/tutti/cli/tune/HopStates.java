package dev.tutti.cli.tune;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The observed states of the machine. Virtual processors can move: they may share a core, a cache
 * or neither, and the fastest algorithm depends on that. The time that a cache line takes from one
 * processor to another identifies the state.
 */
final class HopStates {

  /** Two times that differ by less than this factor belong to the same state. */
  private static final double SAME = 1.8;

  /**
   * The largest number of states; after that, a time that matches none belongs to the nearest
   * state, because a busy machine can give any time.
   */
  private static final int MOST = 4;

  private final List<Integer> known = new ArrayList<>();
  private final DoubleSupplier probe;
  private int latest;

  /**
   * Begins with known states.
   *
   * @param known times of a cache line in nanoseconds; 0 is ignored
   * @param probe measures that time; NaN if it cannot
   */
  HopStates(Collection<Integer> known, DoubleSupplier probe) {
    known.stream().filter(hop -> hop > 0).forEach(this.known::add);
    this.probe = probe;
  }

  /** The current state; the previous one if it cannot be measured, and 0 if there was none. */
  int now() {
    double nanos = probe.getAsDouble();
    if (!Double.isNaN(nanos)) {
      latest = stateOf(Math.max(1, nanos));
    }
    return latest;
  }

  private int stateOf(double nanos) {
    int nearest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int state : known) {
      double factor = Math.max(nanos / state, state / nanos);
      if (factor < least) {
        nearest = state;
        least = factor;
      }
    }
    if (least > SAME && known.size() < MOST) {
      nearest = Math.toIntExact(Math.round(nanos));
      known.add(nearest);
    }
    return nearest;
  }
}
