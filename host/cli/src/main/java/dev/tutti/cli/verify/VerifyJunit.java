package dev.tutti.cli.verify;

import dev.tutti.plugin.PluginProblem;
import dev.tutti.simulator.page.Html;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Verification in the XML format of JUnit reports, which build servers show: one suite for each
 * algorithm, one test for each case that was checked or refused.
 */
final class VerifyJunit {

  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private final VerifyVerdict verdict;
  private final VerifyReplay replay;

  VerifyJunit(VerifyVerdict verdict, VerifyReplay replay) {
    this.verdict = verdict;
    this.replay = replay;
  }

  /** The file. */
  @Override
  public String toString() {
    Html xml = new Html();
    List<String> errors = errors();
    open(
        xml,
        "testsuites",
        "tutti verify",
        verdict.casesDone() + errors.size(),
        verdict.sum(result -> result.failures().size()),
        errors.size(),
        verdict.sum(VerifyResult::refused),
        verdict.time());
    if (!errors.isEmpty()) {
      open(xml, "testsuite", "verification", errors.size(), 0, errors.size(), 0, Duration.ZERO);
      errors.forEach(error -> error(xml, error));
      xml.close().text("\n");
    }
    verdict.results().forEach(result -> suite(xml, result));
    return HEAD + xml.close() + "\n";
  }

  /** What keeps the verification from being whole. */
  private List<String> errors() {
    List<String> errors = new ArrayList<>();
    verdict.problems().stream().map(PluginProblem::toString).forEach(errors::add);
    if (!verdict.isComplete()) {
      errors.add(VerifyWords.incomplete(verdict));
    }
    return errors;
  }

  private static void error(Html xml, String message) {
    xml.open("testcase", "classname", "verification", "name", message);
    xml.open("error", "message", message).close().close().text("\n");
  }

  private void suite(Html xml, VerifyResult result) {
    String name =
        result.subject().operation().label() + " " + result.subject().algorithm().qualifiedName();
    open(
        xml,
        "testsuite",
        name,
        result.outcomes().size(),
        result.failures().size(),
        0,
        result.refused(),
        result.time());
    result.outcomes().forEach(outcome -> test(xml, result, name, outcome));
    xml.close().text("\n");
  }

  private void test(Html xml, VerifyResult result, String suite, VerifyOutcome outcome) {
    xml.open("testcase", "classname", suite, "name", outcome.checked().toString());
    if (outcome.isRefused()) {
      xml.open("skipped", "message", outcome.refusal()).close();
    } else if (outcome.isFailed()) {
      xml.open(
              "failure",
              "message",
              outcome.report().findings().getFirst().toString(),
              "type",
              String.join(", ", outcome.report().rules()))
          .text(
              outcome.report() + "\nagain: " + replay.command(result.subject(), outcome.checked()))
          .close();
    }
    xml.close().text("\n");
  }

  private static void open(
      Html xml,
      String element,
      String name,
      long tests,
      long failures,
      long errors,
      long skipped,
      Duration time) {
    xml.open(
            element,
            "name",
            name,
            "tests",
            Long.toString(tests),
            "failures",
            Long.toString(failures),
            "errors",
            Long.toString(errors),
            "skipped",
            Long.toString(skipped),
            "time",
            BigDecimal.valueOf(time.toMillis(), 3).toPlainString())
        .text("\n");
  }
}
