package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Text;
import dev.tutti.verifier.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is said about results, on the terminal and on pages. */
final class VerifyWords {

  private static final double NANOS = 1e9;

  private VerifyWords() {}

  /** What is worth knowing of an algorithm besides its failures. */
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
              "%s not run after %s; --max-failures 0 runs all",
              Text.count(result.notRun(), "case"),
              result.brokePlanningLimit()
                  ? "planning broke its limit, which each of them could cost again"
                  : Text.count(result.failures().size(), "failure")));
    }
    if (result.notifyDepth() > 1 && result.notifyDepth() != Report.UNBOUNDED_DEPTH) {
      remarks.add(Sentence.of("safe where a notify can hold %d signals", result.notifyDepth()));
    }
    result
        .notes()
        .forEach((note, cases) -> remarks.add("note, " + Text.count(cases, "case") + ": " + note));
    return remarks;
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

  /** How much of a verification that ended early was done. */
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
