package dev.tutti.host.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The races of one cell, one for each state of the machine that it was in meanwhile: times of
 * different states are never compared.
 */
final class Races {

  /** So often a heat may be in vain because the state has changed. */
  private static final int MAX_IN_VAIN = 20;

  private final HopStates states;
  private final Supplier<Race> maker;
  private final Map<Integer, Race> races = new LinkedHashMap<>();
  private int state;
  private int inVain;

  /** Begins with the present state. */
  Races(HopStates states, Supplier<Race> maker) {
    this.states = states;
    this.maker = maker;
    state = states.now();
  }

  /** The present state, as it was after the last heat. */
  int state() {
    return state;
  }

  /** The race of the present state. */
  Race present() {
    return races.computeIfAbsent(state, key -> maker.get());
  }

  /** The race of each state; those that were not measured enough only if no other was. */
  Map<Integer, Race> measured() {
    Map<Integer, Race> measured = new LinkedHashMap<>(races);
    measured.values().removeIf(race -> !race.isScreened(false));
    return measured.isEmpty() ? races : measured;
  }

  /**
   * Runs one heat, which counts if the state is the same after it.
   *
   * @return whether it does
   */
  boolean heat() {
    int before = state;
    return present()
        .heat(
            () -> {
              state = states.now();
              return state == before || ++inVain > MAX_IN_VAIN;
            });
  }

  /** Finds the fastest one in the present state, in a number of heats that a time allows. */
  void screen(Duration budget) {
    long end = System.nanoTime() + budget.toNanos();
    while (!present().isScreened(System.nanoTime() - end < 0)) {
      Race race = present();
      if (heat()) {
        race.leaveBehind();
      }
    }
  }
}
