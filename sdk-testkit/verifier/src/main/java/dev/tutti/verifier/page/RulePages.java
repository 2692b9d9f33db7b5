package dev.tutti.verifier.page;

import dev.tutti.simulator.page.Html;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** The rule pages of {@code docs/rules} as parts of a report, so that a reader needs no network. */
public final class RulePages {

  /** The sections that help to understand and fix a finding. */
  private static final List<String> SECTIONS =
      List.of("What it means", "Likely causes", "How to fix", "Correct", "Broken");

  private RulePages() {}

  /** The HTML id of the section that explains a rule. */
  static String id(Rule rule) {
    return "rule-" + rule.id();
  }

  /** What a rule means, what usually breaks it and how to fix it, in Markdown without links. */
  public static String markdown(Rule rule) {
    return Markdown.withoutLinks(text(rule), SECTIONS.subList(0, 3));
  }

  /** Adds the pages of some rules. */
  static void add(Html html, Collection<Rule> rules) {
    for (Rule rule : rules) {
      html.open("section", "id", id(rule), "class", "rule");
      html.element("h3", rule.id() + " " + rule.title());
      new Markdown(html).add(text(rule), SECTIONS);
      html.closeLine();
    }
  }

  private static String text(Rule rule) {
    String name = "rules/" + rule.id() + ".md";
    try (InputStream in = RulePages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
