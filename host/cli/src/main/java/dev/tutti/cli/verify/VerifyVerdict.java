package dev.tutti.cli.verify;

import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.plugin.PluginProblem;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What became of the algorithms. Immutable.
 *
 * @param results one for each algorithm that was checked, at least in part
 * @param problems what is wrong with the plugins that were to be verified
 * @param time how long it took
 * @param algorithms how many algorithms there are
 * @param cases how many cases they have
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

  /** Whether the verification came to its end. */
  boolean isComplete() {
    return completeAlgorithms() == algorithms;
  }

  /** The algorithms whose verification came to its end. */
  long completeAlgorithms() {
    return results.stream().filter(VerifyResult::isComplete).count();
  }

  /** The cases that were checked or refused. */
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

  /** Whether everything that was to be verified has been, and nothing is wrong. */
  boolean isClean() {
    return isComplete() && exitCode() == ExitCode.OK;
  }

  /** Findings come first, then what could not be loaded, then what could not be checked. */
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
