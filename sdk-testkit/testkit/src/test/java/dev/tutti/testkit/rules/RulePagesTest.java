package dev.tutti.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the example of every rule and compares the pages in docs/rules with them. With the system
 * property {@code tutti.rules.rewrite} set, it writes the blocks of the pages instead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulePagesTest {

  private static final boolean REWRITES = System.getProperty("tutti.rules.rewrite") != null;
  private static final int WIDTH = 100;

  /** What the broken executors give; each is checked once. */
  private final Map<Rule, List<Finding>> broken = new EnumMap<>(Rule.class);

  static List<Named<RuleExample<?>>> examples() {
    return RuleExamples.all().stream()
        .<Named<RuleExample<?>>>map(example -> Named.of(example.rule().id(), example))
        .toList();
  }

  @Test
  void everyRuleHasOneExample() {
    assertThat(RuleExamples.all())
        .extracting(RuleExample::rule)
        .containsExactlyInAnyOrder(Rule.values());
    for (RuleExample<?> example : RuleExamples.all()) {
      String id = example.rule().id();
      assertThat(example.getClass().getSimpleName())
          .isEqualTo(
              id.charAt(0) + id.substring(1).toLowerCase(Locale.ROOT).replace("-", "") + "Example");
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void theBrokenExecutorTripsItsRuleAndNoOther(RuleExample<?> example) {
    assertThat(findings(example))
        .isNotEmpty()
        .allMatch(finding -> finding.rule() == example.rule());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void theCorrectExecutorTripsNothing(RuleExample<?> example) {
    assertThat(example.checkCorrect(example.ranks())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void theCorrectExecutorIsRightInOtherGroupsToo(RuleExample<?> example) {
    assertThat(IntStream.rangeClosed(1, 8).boxed())
        .allSatisfy(ranks -> assertThat(example.checkCorrect(ranks)).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void thePageShowsTheCodeThatRunsAndWhatItGives(RuleExample<?> example) {
    String correct = ExampleSource.of(example.correct()).region("correct");
    String broken = ExampleSource.of(example.broken()).region("broken");
    String check = ExampleSource.of(example).region("check");
    RulePage page = RulePage.of(example.rule());
    if (REWRITES) {
      page.withBlock("Correct", correct)
          .withBlock("Broken", broken)
          .withBlock("How both are checked", check)
          .withBlock("Message", wrapped(finding(example)))
          .write();
      return;
    }
    assertThat(page.block("Correct")).isEqualTo(correct);
    assertThat(page.block("Broken")).isEqualTo(broken);
    assertThat(page.block("How both are checked")).isEqualTo(check);
    assertThat(comparable(page.block("Message")))
        .startsWith(comparable(finding(example).toString()));
  }

  private List<Finding> findings(RuleExample<?> example) {
    return broken.computeIfAbsent(example.rule(), rule -> example.checkBroken());
  }

  private Finding finding(RuleExample<?> example) {
    return findings(example).getFirst();
  }

  /** Line numbers, times and values may change without making a page wrong. */
  private static String comparable(String text) {
    return text.replaceAll("\\s+", " ").replaceAll("-?\\d+", "#");
  }

  /** A finding in lines of moderate length. */
  private static String wrapped(Finding finding) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : finding.toString().split(" ")) {
      boolean fits = column + 1 + word.length() <= WIDTH;
      text.append(column == 0 ? "" : fits ? " " : "\n    ").append(word);
      column = column == 0 ? word.length() : (fits ? column + 1 : 4) + word.length();
    }
    finding.explanation().lines().forEach(line -> text.append("\n      ").append(line));
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void thePageHasAllItsParts(RuleExample<?> example) {
    Rule rule = example.rule();
    RulePage page = RulePage.of(rule);

    assertThat(page.title()).isEqualTo(rule.id() + " " + rule.title());
    assertThat(page.summary()).startsWith(severity(rule) + ": ").endsWith(".");
    assertThat(page.sections()).isEqualTo(RulePage.SECTIONS);
    assertThat(RulePage.SECTIONS.subList(0, 5))
        .allSatisfy(section -> assertThat(page.prose(section)).as(section).isNotEmpty());
    assertThat(page.prose("How both are checked"))
        .contains(ExampleSource.of(example).fileName() + ")");
  }

  @Test
  void theIndexListsEveryRuleAndNothingElse() throws IOException {
    assumeFalse(REWRITES, "pages are being written");
    List<String> rows =
        Files.readAllLines(RulePage.FOLDER.resolve("README.md")).stream()
            .filter(line -> line.startsWith("| ["))
            .toList();

    assertThat(rows).isEqualTo(Arrays.stream(Rule.values()).map(RulePagesTest::row).toList());
  }

  private static String row(Rule rule) {
    String id = rule.id();
    String summary = RulePage.of(rule).summary();
    return "| [%s](%s.md) | %s | %s | %s |"
        .formatted(
            id,
            id,
            rule.severity().label(),
            rule.title(),
            summary.substring(summary.indexOf(": ") + 2));
  }

  @Test
  void noPageIsLeftOfARuleThatIsGone() throws IOException {
    try (var pages = Files.list(RulePage.FOLDER)) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("README.md"),
                      Arrays.stream(Rule.values()).map(rule -> rule.id() + ".md"))
                  .toList());
    }
  }

  private static String severity(Rule rule) {
    String label = rule.severity().label();
    return Character.toUpperCase(label.charAt(0)) + label.substring(1);
  }
}
