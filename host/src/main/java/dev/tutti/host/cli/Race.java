package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Measures the candidates of one cell in one state of the machine in turns, in heats of a few
 * rounds. Who is hopeless leaves after the first heat, so that the time is spent on those that are
 * close. A time is that of a run until every rank has its result, and so the maximum over ranks.
 */
final class Race {

  /** How many times as long as the fastest one may take in the first heat to be in the next. */
  private static final double HOPELESS = 1.5;

  /** How many times as long one may take, beyond doubt or after enough heats, to stay in. */
  private static final double CLOSE = 1.15;

  private static final int MIN_HEATS = 2;
  private static final int MAX_HEATS = 12;
  private static final int ROUNDS = 5;
  private static final Duration FIRST_WARM_UP = Duration.ofMillis(10);
  private static final Duration WARM_UP = Duration.ofMillis(1);

  private final HostUse host;
  private final Cell cell;
  private final List<Lane> lanes = new ArrayList<>();
  private int heats;

  Race(HostUse host, Cell cell, List<Candidate> candidates) {
    this.host = host;
    this.cell = cell;
    candidates.forEach(each -> lanes.add(new Lane(each, false)));
  }

  /** Lets a candidate that is in take part twice; what the two differ in is noise. */
  void addTwin(Candidate candidate) {
    lanes.add(new Lane(candidate, true));
  }

  /** The one that takes part twice. */
  Lane twin() {
    return lanes.stream().filter(Lane::isTwin).findFirst().orElseThrow();
  }

  /** The heats so far. */
  int heats() {
    return heats;
  }

  /** All that were measured, twins excepted. */
  List<Lane> measured() {
    return lanes.stream().filter(lane -> lane.isMeasured() && !lane.isTwin()).toList();
  }

  /** The fastest one; empty if nothing could be measured. */
  Optional<Lane> fastest() {
    return measured().stream().filter(Lane::isIn).min(Comparator.comparingDouble(Lane::micros));
  }

  /** The lane of a candidate. */
  Optional<Lane> of(Candidate candidate) {
    return measured().stream()
        .filter(lane -> lane.candidate().label().equals(candidate.label()))
        .findFirst();
  }

  /**
   * Runs one heat with all that are in.
   *
   * @param isValid asked after it; if it is not, nothing of it counts
   * @return whether it counts
   */
  boolean heat(BooleanSupplier isValid) {
    try (Heat heat = new Heat(host, cell, lanes, ROUNDS)) {
      heat.run(heats == 0 ? FIRST_WARM_UP : WARM_UP);
      boolean counts = isValid.getAsBoolean();
      if (counts) {
        heat.handOver(lanes);
        heats++;
      }
      return counts;
    }
  }

  /**
   * Whether the fastest one is found, as far as the time allows.
   *
   * @param isTimeLeft whether more than the least number of heats may be spent
   */
  boolean isScreened(boolean isTimeLeft) {
    return heats >= MAX_HEATS
        || (heats >= MIN_HEATS && !isTimeLeft)
        || (heats > 0 && lanes.stream().filter(lane -> lane.isIn() && !lane.isTwin()).count() < 2);
  }

  /** Sends away who cannot win any more. */
  void leaveBehind() {
    fastest().ifPresent(this::leave);
  }

  private void leave(Lane fastest) {
    for (Lane lane : measured()) {
      if (lane != fastest && lane.isIn()) {
        Ratio ratio = lane.to(fastest, 0);
        double bound = heats == 1 ? HOPELESS : CLOSE;
        if (ratio.low() > bound) {
          lane.leave();
        }
      }
    }
  }

  /** Keeps these lanes only, for the next heats. */
  void keep(List<Lane> kept) {
    lanes.forEach(Lane::leave);
    kept.forEach(Lane::enter);
  }
}
