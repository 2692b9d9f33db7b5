package dev.tutti.cli.verify;

import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.plugin.PluginProblem;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The verdict on all algorithms. Immutable.
 *
 * @param results one for each algorithm that was checked, at least in part
 * @param problems the problems of the plugins that were to be verified
 * @param time the duration
 * @param algorithms the number of algorithms to verify
 * @param cases the number of their cases
 */
record VerifyVerdict(
    List<VerifyResult> results,
    List<PluginProblem> problems,
    Duration time,
    int algorithms,
    long cases) {

  /** Takes immutable copies. */
  VerifyVerdict {
    results = List.copyOf(results);
    problems = List.copyOf(problems);
  }

  /** Whether the verification was completed. */
  boolean isComplete() {
    return completeAlgorithms() == algorithms;
  }

  /** The number of algorithms whose verification was completed. */
  long completeAlgorithms() {
    return results.stream().filter(VerifyResult::isComplete).count();
  }

  /** The number of cases that were checked or refused. */
  long casesDone() {
    return sum(result -> result.outcomes().size());
  }

  long failedAlgorithms() {
    return results.stream().filter(result -> !result.failures().isEmpty()).count();
  }

  long uncheckedAlgorithms() {
    return results.stream().filter(VerifyResult::isUnchecked).count();
  }

  long sum(ToLongFunction<VerifyResult> number) {
    return results.stream().mapToLong(number).sum();
  }

  /** The ids of all broken rules. */
  Set<String> rules() {
    Set<String> rules = new LinkedHashSet<>();
    results.forEach(result -> rules.addAll(result.rules()));
    return rules;
  }

  /** Whether everything that was to be verified has been, without failures or problems. */
  boolean isClean() {
    return isComplete() && exitCode() == ExitCode.OK;
  }

  /**
   * The exit code. Failures take precedence, then plugins that could not be loaded, then algorithms
   * that could not be checked.
   */
  int exitCode() {
    if (failedAlgorithms() > 0) {
      return ExitCode.FAILED;
    }
    if (!problems.isEmpty()) {
      return ExitCode.of(problems.getFirst().code());
    }
    return uncheckedAlgorithms() > 0 ? ExitCode.BAD_INPUT : ExitCode.OK;
  }
}
