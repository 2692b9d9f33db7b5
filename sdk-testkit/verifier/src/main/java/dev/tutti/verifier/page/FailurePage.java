package dev.tutti.verifier.page;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.HtmlPage;
import dev.tutti.simulator.page.PageScript;
import dev.tutti.verifier.Illustration;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.rule.Severity;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Adds cases that break rules to a page, and explains these rules at its end. Not thread-safe. */
public final class FailurePage {

  private static final String DIAGRAM = "diagram-";

  private final HtmlPage page;
  private final SourceFiles sources;
  private final Set<Rule> rules = new TreeSet<>();
  private int cases;
  private int diagrams;

  /**
   * Starts with no cases.
   *
   * @param sources where to look for the author's source lines
   */
  public FailurePage(HtmlPage page, SourceFiles sources) {
    this.page = page;
    this.sources = sources;
  }

  /**
   * Adds a case.
   *
   * @param title what was checked
   * @param found what was found in it
   * @param facts what else is useful to know, such as how to check the case again
   */
  public void add(String title, Illustration found, List<Fact> facts) {
    Html html = page.body();
    int number = ++cases;
    html.open("section", "class", "case").element("h3", title);
    if (!facts.isEmpty()) {
      html.open("dl");
      facts.forEach(
          fact -> html.element("dt", fact.name()).open("dd").element("code", fact.text()).close());
      html.closeLine();
    }
    for (Finding finding : found.report().findings()) {
      rules.add(finding.rule());
      addFinding(finding, found.diagrams());
    }
    for (Illustration.Diagram diagram : found.diagrams()) {
      html.open("section", "id", DIAGRAM + ++diagrams);
      html.element("h4", "In space and time");
      String label = "Space-time diagram of case " + number + ", " + title;
      page.drawing("lanes", PageScript.LANES, diagram.json(), label);
      html.closeLine();
    }
    html.closeLine();
  }

  /**
   * A fact about a case.
   *
   * @param name what it is
   * @param text its value, as a command or a parser accepts it
   */
  public record Fact(String name, String text) {}

  private void addFinding(Finding finding, List<Illustration.Diagram> drawn) {
    Rule rule = finding.rule();
    boolean isWarning = rule.severity() == Severity.WARNING;
    Html html = page.body();
    html.open("article", "class", isWarning ? "card warning" : "card");
    html.open("h4");
    html.open("a", "href", "#" + RulePages.id(rule)).text(rule.id()).close();
    html.text(" " + rule.title()).closeLine();
    html.element("p", finding.message());
    for (int diagram = 0; diagram < drawn.size(); diagram++) {
      int mark = mark(finding, drawn.get(diagram));
      if (mark >= 0) {
        String place = "#" + DIAGRAM + (diagrams + diagram + 1);
        html.open("p").open("a", "href", place, "data-mark", Integer.toString(mark));
        html.text("Show it in the diagram").close().closeLine();
      }
    }
    Set<String> lines = new LinkedHashSet<>();
    finding.actions().stream()
        .map(ActionRef::source)
        .filter(source -> !source.equals("?"))
        .forEach(lines::add);
    lines.forEach(this::addExcerpt);
    if (!finding.explanation().isEmpty()) {
      html.open("details").element("summary", "How it happens");
      html.open("pre", "tabindex", "0").text(finding.explanation().stripTrailing()).closeLine();
      html.closeLine();
    }
    html.closeLine();
  }

  /**
   * The number of a finding's mark, or -1. The finding's message may end with the number of similar
   * findings, which the marked message lacks.
   */
  private static int mark(Finding finding, Illustration.Diagram diagram) {
    for (int i = 0; i < diagram.findings().size(); i++) {
      Finding marked = diagram.findings().get(i);
      boolean isSame =
          marked.rule() == finding.rule() && marked.actions().equals(finding.actions());
      if (isSame && finding.message().startsWith(marked.message())) {
        return i;
      }
    }
    return -1;
  }

  private void addExcerpt(String source) {
    SourceFiles.Excerpt excerpt = sources.find(source).orElse(null);
    if (excerpt == null) {
      return;
    }
    Html html = page.body();
    html.open("figure").element("figcaption", source, "class", "muted");
    html.open("pre", "tabindex", "0", "aria-label", "Source around line " + excerpt.line());
    int width = Integer.toString(excerpt.first() + excerpt.lines().size()).length();
    for (int i = 0; i < excerpt.lines().size(); i++) {
      int line = excerpt.first() + i;
      boolean isAsked = line == excerpt.line();
      String number = " ".repeat(width - Integer.toString(line).length()) + line;
      String text = (isAsked ? "> " : "  ") + number + "  " + excerpt.lines().get(i);
      html.open("span", "class", isAsked ? "at" : null).text(text).close().text("\n");
    }
    html.close().closeLine();
  }

  /** Explains the broken rules. Call it after the last case. */
  public void addRules() {
    if (!rules.isEmpty()) {
      page.body().element("h2", "The rules");
      RulePages.add(page.body(), rules);
    }
  }
}
