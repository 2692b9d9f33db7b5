package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.HtmlPage;
import dev.tutti.verifier.Illustration;
import dev.tutti.verifier.page.FailurePage;
import dev.tutti.verifier.page.FailurePage.Fact;
import dev.tutti.verifier.page.SourceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A verification as a page: a table of algorithms, then one case for each kind of failure of each
 * algorithm.
 */
final class VerifyHtml {

  /** The largest number of other failing cases in the list below the one that is shown. */
  private static final int MAX_OTHERS = 50;

  private static final List<String> HEADINGS =
      List.of("operation", "algorithm", ">cases", ">passed", ">refused", ">failed", ">time");

  private final VerifyVerdict verdict;
  private final VerifyReplay replay;
  private final FailureDrawing drawing;
  private final HtmlPage page = new HtmlPage("Tutti: algorithms verified");
  private final FailurePage failures;

  /**
   * A page.
   *
   * @param sources the directories of the author's sources
   * @param drawing draws the plans of failed cases
   */
  VerifyHtml(
      VerifyVerdict verdict, VerifyReplay replay, List<Path> sources, FailureDrawing drawing) {
    this.drawing = drawing;
    this.verdict = verdict;
    this.replay = replay;
    this.failures = new FailurePage(page, new SourceFiles(sources));
  }

  /** The text of the page. This checks each case on the page again, to draw its plan. */
  @Override
  public String toString() {
    Html html = page.body();
    String mark = verdict.isClean() ? "✓ " : "✗ ";
    html.element(
        "p",
        mark + VerifyWords.of(verdict),
        "class",
        verdict.isClean() ? "verdict good" : "verdict bad");
    html.element("p", TuttiVersion.line(), "class", "muted");
    verdict.problems().forEach(this::addProblem);
    addTable();
    verdict.results().stream()
        .filter(result -> !result.failures().isEmpty())
        .forEach(this::addFailures);
    if (drawing.leavesOut()) {
      html.element("p", "The command was interrupted before it had drawn all plans.");
    } else if (drawing.isFull()) {
      html.element(
          "p",
          Sentence.of("Only the plans of the first %d cases are drawn.", FailureDrawing.MAX_DRAWN));
    }
    failures.addRules();
    return page.toString();
  }

  private void addProblem(PluginProblem problem) {
    page.body().open("article", "class", "card");
    page.body().element("h2", problem.code().id());
    page.body().element("p", problem.message()).closeLine();
  }

  private void addTable() {
    Html html = page.body();
    html.openTable("Algorithms", HEADINGS);
    verdict.results().forEach(this::addRow);
    html.closeTable();
    html.open("ul");
    for (VerifyResult result : verdict.results()) {
      for (String remark : VerifyWords.remarks(result)) {
        html.element("li", name(result) + ": " + remark);
      }
    }
    html.closeLine();
  }

  private static String name(VerifyResult result) {
    return result.subject().operation() + " " + result.subject().algorithm().qualifiedName();
  }

  private void addRow(VerifyResult result) {
    Html html = page.body();
    int failed = result.failures().size();
    html.open("tr", "class", failed > 0 ? "bad" : null);
    html.element("td", result.subject().operation().label());
    html.open("td");
    String name = result.subject().algorithm().qualifiedName();
    if (failed > 0) {
      html.open("a", "href", "#" + id(result)).text(name).close();
    } else {
      html.text(name);
    }
    html.close();
    for (int number : new int[] {result.cases(), result.passed(), result.refused(), failed}) {
      html.number(Integer.toString(number));
    }
    html.number(VerifyWords.seconds(result.time())).closeLine();
  }

  private String id(VerifyResult result) {
    return "algorithm-" + (verdict.results().indexOf(result) + 1);
  }

  private void addFailures(VerifyResult result) {
    Html html = page.body();
    html.open("section", "id", id(result));
    html.element("h2", name(result));
    result.failuresByRules().forEach((rules, cases) -> addCases(result.subject(), rules, cases));
    html.closeLine();
  }

  private void addCases(
      AlgorithmWithPeer subject, List<String> rules, List<VerifyOutcome> outcomes) {
    VerifyOutcome first = outcomes.getFirst();
    List<Fact> facts = new ArrayList<>();
    if (!first.smallest().equals(first.checked())) {
      facts.add(
          new Fact(
              "The smallest case that breaks the first rule, found from",
              first.checked().toString()));
    }
    facts.add(new Fact("Check it again", replay.command(subject, first.smallest())));
    Illustration shown = drawing.of(subject, first);
    failures.add(shown.report().subject(), shown, facts);
    List<VerifyOutcome> others = outcomes.subList(1, outcomes.size());
    if (!others.isEmpty()) {
      addOthers(subject, rules, others);
    }
  }

  private void addOthers(
      AlgorithmWithPeer subject, List<String> rules, List<VerifyOutcome> others) {
    Html html = page.body();
    html.open("details");
    html.element(
        "summary",
        Sentence.of(
            "%s that break%s %s",
            Text.count(others.size(), "other case"),
            others.size() == 1 ? "s" : "",
            String.join(", ", rules)));
    html.open("ul");
    for (VerifyOutcome other : others.subList(0, Math.min(MAX_OTHERS, others.size()))) {
      html.open("li").element("code", replay.command(subject, other.checked())).closeLine();
    }
    if (others.size() > MAX_OTHERS) {
      html.element("li", Sentence.of("and %d more", others.size() - MAX_OTHERS));
    }
    html.close().closeLine();
  }
}
