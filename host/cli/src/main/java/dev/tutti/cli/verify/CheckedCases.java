package dev.tutti.cli.verify;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cases of one algorithm, the small ones first, and the outcome of each that has been checked.
 * Not thread-safe.
 */
final class CheckedCases {

  private final AlgorithmWithPeer subject;
  private final List<CollectiveCase> cases;
  private final int small;
  private final List<@Nullable VerifyOutcome> outcomes = new ArrayList<>();
  private final Clock clock = Clock.system();
  private long startNanos = clock.nanoTime();

  /** Starts without checked cases. */
  CheckedCases(AlgorithmWithPeer subject, List<CollectiveCase> cases) {
    this.subject = subject;
    this.cases =
        Stream.concat(
                cases.stream().filter(c -> !isLarge(c)),
                cases.stream().filter(CheckedCases::isLarge))
            .toList();
    this.small = (int) cases.stream().filter(c -> !isLarge(c)).count();
    this.cases.forEach(c -> outcomes.add(null));
  }

  private static boolean isLarge(CollectiveCase c) {
    return c.comm().rankSize() > CaseAxes.LARGE;
  }

  AlgorithmWithPeer subject() {
    return subject;
  }

  /** All cases; outcomes have the index of their case. */
  List<CollectiveCase> cases() {
    return cases;
  }

  /** The number of cases that are small enough to be checked in parallel; they come first. */
  int small() {
    return small;
  }

  /** Starts the time of the checks. */
  void start() {
    startNanos = clock.nanoTime();
  }

  @Nullable VerifyOutcome outcome(int index) {
    return outcomes.get(index);
  }

  /** Sets or replaces the outcome of a case. */
  void set(int index, VerifyOutcome outcome) {
    outcomes.set(index, outcome);
  }

  /**
   * The outcomes in the order of the cases, up to the last failure that counts. Threads may have
   * checked more cases, but that number is random.
   *
   * @param maxFailures the number of failures that count; 0 for all
   */
  List<VerifyOutcome> outcomes(int maxFailures) {
    List<VerifyOutcome> known = outcomes.stream().filter(Objects::nonNull).toList();
    int failures = 0;
    for (int i = 0; i < known.size(); i++) {
      failures += known.get(i).hasError() ? 1 : 0;
      boolean isLast = failures == maxFailures || known.get(i).report().brokePlanningLimit();
      if (maxFailures > 0 && isLast) {
        return known.subList(0, i + 1);
      }
    }
    return known;
  }

  /** The time since the checks began. */
  Duration time() {
    return Duration.ofNanos(clock.nanoTime() - startNanos);
  }
}
