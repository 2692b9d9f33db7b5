package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.Algorithm;
import dev.tutti.verifier.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Sentences about results, for the terminal and for pages. */
final class VerifyWords {

  private static final double NANOS = 1e9;

  /** The largest number of correct algorithms that are named one by one. */
  private static final int MOST_NAMED = 3;

  private VerifyWords() {}

  /** Remarks on an algorithm besides its failures. */
  static List<String> remarks(VerifyResult result) {
    List<String> remarks = new ArrayList<>();
    if (result.subject().partner() != null) {
      remarks.add("checked with " + result.subject().partner());
    }
    if (result.subject().lacksPartner()) {
      remarks.add("nothing to check: no plugin has the other side of the transfer");
    } else if (result.cases() == 0) {
      remarks.add("nothing to check: a transfer needs 2 ranks or more");
    }
    result.refusals().forEach((reason, cases) -> remarks.add(cases + " refused: " + reason));
    if (!result.isComplete()) {
      remarks.add(
          Sentence.of("incomplete: %d of %d cases done", result.outcomes().size(), result.cases()));
    } else if (result.notRun() > 0) {
      remarks.add(
          Sentence.of(
              "%s not run%s; --max-failures 0 runs all",
              Text.count(result.notRun(), "case"),
              result.brokePlanningLimit()
                  ? ": planning exceeded its limit, and each further case could do so again"
                  : " after " + Text.count(result.failures().size(), "failure")));
    }
    if (result.notifyDepth() > 1 && result.notifyDepth() != Report.UNBOUNDED_DEPTH) {
      remarks.add(Sentence.of("safe where a notify can hold %d signals", result.notifyDepth()));
    }
    result
        .notes()
        .forEach((note, cases) -> remarks.add("note, " + Text.count(cases, "case") + ": " + note));
    return remarks;
  }

  /** The verdicts on some algorithms, with their names unless many are correct. */
  static List<String> each(List<VerifyResult> results) {
    List<VerifyResult> clean = results.stream().filter(VerifyResult::isClean).toList();
    if (clean.size() <= MOST_NAMED) {
      return results.stream().map(VerifyWords::of).toList();
    }
    List<String> sentences = new ArrayList<>();
    results.stream().filter(each -> !each.isClean()).map(VerifyWords::of).forEach(sentences::add);
    sentences.add(
        Sentence.of(
            "%s: correct in %s",
            Text.count(clean.size(), "algorithm"),
            Text.count(clean.stream().mapToInt(VerifyResult::passed).sum(), "case")));
    return sentences;
  }

  /** The verdict on one algorithm, with its name. */
  private static String of(VerifyResult result) {
    AlgorithmWithPeer subject = result.subject();
    String name = name(subject.algorithm());
    if (subject.partner() != null) {
      name += " with " + name(subject.partner());
    }
    int failed = result.failures().size();
    if (failed > 0) {
      return Sentence.of(
          "%s: breaks %s in %d of %s",
          name,
          String.join(", ", result.rules()),
          failed,
          Text.count(result.outcomes().size(), "case"));
    }
    if (subject.lacksPartner()) {
      return name + ": not checked, no plugin has the other side of the transfer";
    }
    if (result.isUnchecked()) {
      return name + ": not checked, it refuses every case: " + reasons(result);
    }
    String refused = result.refused() == 0 ? "" : Sentence.of(", %d refused", result.refused());
    return Sentence.of("%s: correct in %s%s", name, Text.count(result.passed(), "case"), refused);
  }

  private static String name(Algorithm algorithm) {
    return algorithm.operation() + "/" + algorithm.name();
  }

  private static String reasons(VerifyResult result) {
    return String.join("; ", result.refusals().keySet());
  }

  /** The verdict in one sentence. */
  static String of(VerifyVerdict verdict) {
    String text = verdict.failedAlgorithms() == 0 ? passed(verdict) : failed(verdict);
    if (verdict.uncheckedAlgorithms() > 0) {
      text += "; not checked at all: " + Text.count(verdict.uncheckedAlgorithms(), "algorithm");
    }
    if (!verdict.problems().isEmpty()) {
      text += "; " + Text.count(verdict.problems().size(), "plugin problem");
    }
    text += " (" + seconds(verdict.time()) + ")";
    return verdict.isComplete() ? text : incomplete(verdict) + "; so far " + text;
  }

  /** The completed part of a verification that ended early. */
  static String incomplete(VerifyVerdict verdict) {
    return Sentence.of(
        "incomplete: %d of %s done, %d of %s",
        verdict.casesDone(),
        Text.count(verdict.cases(), "case"),
        verdict.completeAlgorithms(),
        Text.count(verdict.algorithms(), "algorithm"));
  }

  private static String passed(VerifyVerdict verdict) {
    long refused = verdict.sum(VerifyResult::refused);
    String few =
        verdict.results().stream()
            .filter(VerifyResult::isBarelyChecked)
            .map(
                each ->
                    Sentence.of(
                        "; few cases: %s takes %d of %d",
                        each.subject().algorithm(), each.passed(), each.cases()))
            .collect(Collectors.joining());
    return Sentence.of(
        "%s clean: %s passed%s, %s judged, %s compared%s",
        Text.count(verdict.completeAlgorithms() - verdict.uncheckedAlgorithms(), "algorithm"),
        Text.count(verdict.sum(VerifyResult::passed), "case"),
        refused == 0 ? "" : Sentence.of(", %d refused", refused),
        Text.count(verdict.sum(VerifyResult::plans), "plan"),
        Text.count(verdict.sum(VerifyResult::runs), "run"),
        few);
  }

  private static String failed(VerifyVerdict verdict) {
    long cases = verdict.sum(result -> result.failures().size());
    return Sentence.of(
        "%d of %s wrong: %s %s %s",
        verdict.failedAlgorithms(),
        Text.count(verdict.results().size(), "algorithm"),
        Text.count(cases, "case"),
        cases == 1 ? "breaks" : "break",
        String.join(", ", verdict.rules()));
  }

  static String seconds(Duration time) {
    return Text.number(time.toNanos() / NANOS) + " s";
  }
}
