package dev.tutti.cli.tune;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The comparisons of one cell, one for each state of the machine during the measurement: times of
 * different states are never compared.
 */
final class Comparisons {

  /**
   * The number of batches that may be lost because the state has changed; after that, all count.
   */
  private static final int MAX_IN_VAIN = 20;

  private final HopStates states;
  private final Supplier<Comparison> maker;
  private final Map<Integer, Comparison> comparisons = new LinkedHashMap<>();
  private int state;
  private int inVain;

  /** Begins with the current state. */
  Comparisons(HopStates states, Supplier<Comparison> maker) {
    this.states = states;
    this.maker = maker;
    state = states.now();
  }

  /** The current state, as of the end of the last batch. */
  int state() {
    return state;
  }

  /** The comparison of the current state. */
  Comparison present() {
    return comparisons.computeIfAbsent(state, key -> maker.get());
  }

  /**
   * The comparison of each state; those without enough measurements only if no other has enough.
   */
  Map<Integer, Comparison> measured() {
    Map<Integer, Comparison> measured = new LinkedHashMap<>(comparisons);
    measured.values().removeIf(comparison -> !comparison.isScreened(false));
    return measured.isEmpty() ? comparisons : measured;
  }

  /**
   * Runs one batch, which counts if the state is the same after it, or if too many were lost.
   *
   * @return whether it counts
   */
  boolean batch() {
    int before = state;
    return present()
        .batch(
            () -> {
              state = states.now();
              return state == before || ++inVain > MAX_IN_VAIN;
            });
  }

  /** Finds the fastest candidate in the current state, in as many batches as the time allows. */
  void screen(Duration budget) {
    long end = System.nanoTime() + budget.toNanos();
    while (!present().isScreened(System.nanoTime() - end < 0)) {
      Comparison comparison = present();
      if (batch()) {
        comparison.leaveBehind();
      }
    }
  }
}
