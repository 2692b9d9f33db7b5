package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The outcomes of all cases of one algorithm. Immutable.
 *
 * @param subject the algorithm
 * @param outcomes one for each case that was checked or refused, in the order of the cases
 * @param cases the number of cases
 * @param time the duration
 * @param isComplete whether the verification of the algorithm was completed
 */
record VerifyResult(
    AlgorithmWithPeer subject,
    List<VerifyOutcome> outcomes,
    int cases,
    Duration time,
    boolean isComplete) {

  /** Takes an immutable copy. */
  VerifyResult {
    outcomes = List.copyOf(outcomes);
  }

  List<VerifyOutcome> failures() {
    return outcomes.stream().filter(VerifyOutcome::isFailed).toList();
  }

  int passed() {
    return outcomes.size() - refused() - failures().size();
  }

  int refused() {
    return (int) outcomes.stream().filter(VerifyOutcome::isRefused).count();
  }

  /**
   * The number of cases that were skipped, after too many failures or because the verification
   * ended early.
   */
  int notRun() {
    return cases - outcomes.size();
  }

  /** Whether planning has broken a limit of time or memory. */
  boolean brokePlanningLimit() {
    return outcomes.stream().anyMatch(outcome -> outcome.report().brokePlanningLimit());
  }

  /** Whether no rule has checked a plan, so that the algorithm is neither correct nor wrong. */
  boolean isUnchecked() {
    return isComplete && refused() == outcomes.size();
  }

  /** Whether the algorithm has been checked and breaks no rule. */
  boolean isClean() {
    return isComplete && !isUnchecked() && failures().isEmpty();
  }

  /**
   * Whether the algorithm supports less than a tenth of the cases, so that little of it is checked.
   */
  boolean isBarelyChecked() {
    return isComplete && !isUnchecked() && 10 * (outcomes.size() - refused()) < cases;
  }

  /** Each reason for refusals, with the number of cases refused for it. */
  Map<String, Integer> refusals() {
    Map<String, Integer> refusals = new TreeMap<>();
    for (VerifyOutcome outcome : outcomes) {
      if (outcome.isRefused()) {
        refusals.merge(outcome.refusal(), 1, Integer::sum);
      }
    }
    return refusals;
  }

  /** The cases that have been checked. */
  List<CollectiveCase> checkedCases() {
    return outcomes.stream()
        .filter(outcome -> !outcome.isRefused())
        .map(VerifyOutcome::checked)
        .toList();
  }

  /** The failures by the rules that they break, in the order of the cases. */
  Map<List<String>, List<VerifyOutcome>> failuresByRules() {
    Map<List<String>, List<VerifyOutcome>> groups = new LinkedHashMap<>();
    for (VerifyOutcome failure : failures()) {
      groups.computeIfAbsent(failure.report().rules(), rules -> new ArrayList<>()).add(failure);
    }
    return groups;
  }

  /** The ids of all broken rules. */
  Set<String> rules() {
    Set<String> rules = new LinkedHashSet<>();
    failures().forEach(failure -> rules.addAll(failure.report().rules()));
    return rules;
  }

  /**
   * For each rule that gave notes, the first note and the number of cases that have one. Notes on
   * failed cases are left out, because their failure matters more.
   */
  Map<Finding, Integer> notes() {
    Map<String, Finding> first = new LinkedHashMap<>();
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (VerifyOutcome outcome : outcomes) {
      if (outcome.isFailed()) {
        continue;
      }
      Set<String> seen = new LinkedHashSet<>();
      for (Finding note : outcome.report().notes()) {
        first.putIfAbsent(note.rule().id(), note);
        if (seen.add(note.rule().id())) {
          numbers.merge(note.rule().id(), 1, Integer::sum);
        }
      }
    }
    Map<Finding, Integer> notes = new LinkedHashMap<>();
    numbers.forEach(
        (rule, number) -> {
          Finding note = first.get(rule);
          if (note != null) {
            notes.put(note, number);
          }
        });
    return notes;
  }

  long plans() {
    return outcomes.stream().mapToLong(outcome -> outcome.report().planCount()).sum();
  }

  long runs() {
    return outcomes.stream().mapToLong(outcome -> outcome.report().runCount()).sum();
  }

  /**
   * The largest number of signals that a notify of any case has to hold; see {@link
   * Report#notifyDepth}.
   */
  int notifyDepth() {
    return outcomes.stream().mapToInt(outcome -> outcome.report().notifyDepth()).max().orElse(0);
  }
}
