package dev.tutti.cli.verify;

import dev.tutti.base.idle.Clock;
import dev.tutti.plugin.PluginProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of the algorithms that have been checked so far. Not thread-safe.
 *
 * <p>A verification that ends early, after an interruption or a failure, still reports them.
 */
final class VerifyResults {

  private final List<CheckedCases> subjects;
  private final List<PluginProblem> problems;
  private final int maxFailures;
  private final Clock clock = Clock.system();
  private final long startNanos;
  private final List<VerifyResult> finished = new ArrayList<>();

  /**
   * Starts without results.
   *
   * @param subjects the algorithms with their cases, in the order in which they are checked
   * @param problems the problems of the plugins to verify
   * @param maxFailures the number of failed cases after which the rest of an algorithm is skipped;
   *     0 for never
   * @param startNanos when the command began, by the clock of the system
   */
  VerifyResults(
      List<CheckedCases> subjects, List<PluginProblem> problems, int maxFailures, long startNanos) {
    this.subjects = List.copyOf(subjects);
    this.problems = List.copyOf(problems);
    this.maxFailures = maxFailures;
    this.startNanos = startNanos;
  }

  List<CheckedCases> subjects() {
    return subjects;
  }

  List<PluginProblem> problems() {
    return problems;
  }

  /** Adds the result of the next algorithm. */
  void finish(VerifyResult result) {
    finished.add(result);
  }

  /** The result of the current algorithm so far; empty if none of its cases has been checked. */
  Optional<VerifyResult> unfinished() {
    if (finished.size() == subjects.size()) {
      return Optional.empty();
    }
    CheckedCases current = subjects.get(finished.size());
    List<VerifyOutcome> outcomes = current.outcomes(maxFailures);
    return outcomes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new VerifyResult(
                current.subject(), outcomes, current.cases().size(), current.time(), false));
  }

  /** The verdict on the results so far. */
  VerifyVerdict verdict() {
    List<VerifyResult> all = new ArrayList<>(finished);
    unfinished().ifPresent(all::add);
    return new VerifyVerdict(
        all,
        problems,
        Duration.ofNanos(clock.nanoTime() - startNanos),
        subjects.size(),
        subjects.stream().mapToLong(subject -> subject.cases().size()).sum());
  }
}
