package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Browser;
import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyHtmlTest {

  @TempDir private Path directory;
  private CommandLineHarness tutti;
  private Path file;

  @BeforeEach
  void openAlgorithms() {
    file = directory.resolve("page.html");
    tutti =
        new CommandLineHarness(
            directory,
            () ->
                TestAlgorithms.addTo(Context.builder())
                    .algorithm(new DrawnAlgorithms.Racing())
                    .algorithm(new DrawnAlgorithms.Circular())
                    .algorithm(new DrawnAlgorithms.Late())
                    .algorithm(new DrawnAlgorithms.Hostile()));
  }

  private Outcome verify(String... words) {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(words));
    all.addAll(List.of("--static", "--html", file.toString()));
    return tutti.call(all.toArray(String[]::new));
  }

  private Outcome race(String... more) {
    List<String> all = new ArrayList<>(List.of("racing", "-t", "int32", "-o", "sum"));
    all.addAll(List.of("--protocol", "direct", "--mode", "graph", "-c", "4", "--rule", "MEM-1"));
    all.addAll(List.of(more));
    return verify(all.toArray(String[]::new));
  }

  private static JsonNode data(Document page, int number) {
    Element script =
        PageChecks.elements(page, "script").stream()
            .filter(each -> each.getAttribute("id").equals("data-" + number))
            .findFirst()
            .orElseThrow();
    return new JsonMapper().readTree(script.getTextContent());
  }

  @Test
  void aRemarkNamesTheOperation() throws IOException {
    assertThat(verify("racing", "-n", "3", "--max-failures", "1").exitCode()).isEqualTo(1);

    assertThat(PageChecks.elements(PageChecks.parse(file), "li"))
        .extracting(Element::getTextContent)
        .anySatisfy(
            each -> assertThat(each).matches("allreduce \\S+:racing: .*not run after 1 .*"));
  }

  @Test
  void aRaceIsDrawnWithTheOrderThatIsMissingAndTheBytesOfBoth() throws IOException {
    assertThat(race("-n", "3").exitCode()).isEqualTo(1);

    Document page = PageChecks.parse(file);
    JsonNode data = data(page, 1);
    assertThat(data.get("rows").findValuesAsString("label")).contains("rank 1", "rank 2");
    JsonNode mark = data.get("marks").get(0);
    assertThat(mark.get("title").asString()).isEqualTo("MEM-1 data race");
    assertThat(mark.get("arrows")).hasSize(1);
    assertThat(mark.get("arrows").get(0).get("kind").asString()).isEqualTo("missing");
    JsonNode overlap = mark.get("overlaps").get(0);
    assertThat(overlap.get("memory").asString()).isEqualTo("rank 0's param-output");
    assertThat(overlap.get("spans").toString()).matches("\\[0,(\\d+),0,\\1]");
    assertThat(text(data, mark.get("items").get(0).asInt())).contains("param-output");
    assertThat(PageChecks.elements(page, "section"))
        .extracting(each -> each.getAttribute("id"))
        .contains("rule-MEM-1", "diagram-1");
  }

  private static String text(JsonNode data, int item) {
    return data.get("texts").get(data.get("items").get(item).get(5).asInt()).asString();
  }

  @Test
  void aDeadlockIsDrawnAsALoopOfWaits() throws IOException {
    assertThat(verify("circular", "-n", "3", "--rule", "SYN-1").exitCode()).isEqualTo(1);

    JsonNode data = data(PageChecks.parse(file), 1);
    List<Integer> from = new ArrayList<>();
    List<Integer> to = new ArrayList<>();
    data.get("marks").get(0).get("arrows").forEach(arrow -> from.add(arrow.get("from").asInt()));
    data.get("marks").get(0).get("arrows").forEach(arrow -> to.add(arrow.get("to").asInt()));
    assertThat(from).hasSizeGreaterThanOrEqualTo(4).containsExactlyInAnyOrderElementsOf(to);
    assertThat(data.get("items").toString()).contains("stuck", "unreached");
    assertThat(data.get("note").asString()).contains("gets stuck");
  }

  @Test
  void whatAPluginSaysIsTextAndNoMarkup() throws IOException {
    assertThat(verify("hostile", "-n", "2", "-c", "1").exitCode()).isEqualTo(1);

    Document page = PageChecks.parse(file);
    assertThat(page.getDocumentElement().getTextContent())
        .contains("</script><script>document.title = 'hit'</script>&amp;\"'\uFFFD");
    assertThat(Files.readString(file)).doesNotContain("<script>document.title");
  }

  @Test
  void sourceLinesAreShownWhereTheyAreFound() throws IOException {
    assertThat(race("-n", "3", "--sources", "src/test/java").exitCode()).isEqualTo(1);
    List<Element> marked =
        PageChecks.elements(PageChecks.parse(file), "span").stream()
            .filter(each -> each.getAttribute("class").equals("at"))
            .toList();
    assertThat(marked)
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line.getTextContent())
                    .matches("> +\\d+ +first.write\\(stream, first.remote.*"));

    assertThat(race("-n", "3", "--sources", directory.toString()).exitCode()).isEqualTo(1);
    assertThat(PageChecks.elements(PageChecks.parse(file), "figure")).isEmpty();
  }

  @Test
  void aThousandRanksAreFewRowsAndALongPlanIsDrawnWhereItIsWrong() throws IOException {
    assertThat(verify("late", "-n", "1024", "--rule", "SYN-1").exitCode()).isEqualTo(1);

    JsonNode data = data(PageChecks.parse(file), 1);
    assertThat(data.get("rows").findValuesAsString("label"))
        .containsExactly("ranks 0–4, 7–1023 (1022)", "rank 5", "rank 6");
    assertThat(data.get("items").size()).isBetween(500, 6000);
    assertThat(data.get("note").asString()).contains("one row").contains("Only actions within");
    assertThat(data.get("marks").get(0).get("items").size()).isEqualTo(2);
  }

  @Test
  void aRightAlgorithmHasAPageWithoutFindings() throws IOException {
    assertThat(verify("gathering", "-n", "2,3", "-c", "4").exitCode()).isZero();

    Document page = PageChecks.parse(file);
    assertThat(PageChecks.elements(page, "article")).isEmpty();
    assertThat(page.getDocumentElement().getTextContent()).contains("✓ 1 algorithm clean");
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeTheWork() throws IOException {
    file = directory.resolve("no/page.html");
    Outcome outcome = verify("gathering");
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("cannot write the page");
  }

  @Test
  void thePageWorksInABrowser(@TempDir Path profile) throws IOException {
    race("-n", "3", "--sources", "src/test/java");
    try (Browser browser = Browser.open(profile)) {
      PageChecks.view(browser, file);

      browser.show(file, 1200, false);
      assertThat(count(browser, ".frame .arrow.missing")).isEqualTo(1);
      assertThat(count(browser, "rect.marked")).isEqualTo(2);
      assertThat(count(browser, "figure.overlap")).isEqualTo(1);

      browser.evaluate("document.querySelector('.lanes svg[tabindex]').focus()");
      browser.press("Home", "");
      String first = info(browser);
      assertThat(first).contains("rank ").contains("param-output");
      browser.press("Enter", "");
      assertThat(info(browser)).isNotEqualTo(first).contains("param-output");
      browser.press("ArrowLeft", "");
      assertThat(info(browser)).contains("await READY");
      int before = count(browser, ".axis text");
      browser.press("0", "0");
      int all = count(browser, "rect.item");
      browser.press("+", "+");
      browser.press("+", "+");
      browser.press("+", "+");
      assertThat(count(browser, "rect.item")).isLessThan(all);
      assertThat(before).isPositive();

      browser.evaluate(
          "(() => { const box = document.querySelector('.tools input'); box.value = '2';"
              + " box.dispatchEvent(new Event('input')); })()");
      assertThat(browser.evaluate("document.querySelector('.labels').textContent").asString())
          .isEqualTo("rank 2rank 2");
      browser.evaluate("document.querySelector('a[data-mark]').click()");
      assertThat(count(browser, ".labels text")).isEqualTo(3);
      assertThat(browser.evaluate("document.activeElement.tagName").asString()).isEqualTo("svg");

      JsonNode box =
          browser.evaluate(
              "(() => { const box = document.querySelector('rect.marked').getBoundingClientRect();"
                  + " return [box.x + box.width / 2, box.y + box.height / 2]; })()");
      browser.point(box.get(0).asDouble(), box.get(1).asDouble());
      assertThat(browser.evaluate("document.querySelector('.tip').textContent").asString())
          .contains("bytes")
          .contains("DrawnAlgorithms.java");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void everythingIsReachedByTheKeyboard(@TempDir Path profile) throws IOException {
    race("-n", "3");
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 800, false);
      browser.evaluate(
          """
          window.missed = new Set([...document.querySelectorAll('a, button, input, select, summary, [tabindex]')]
            .filter(each => each.checkVisibility()));
          document.addEventListener('focusin', event => window.missed.delete(event.target));
          """);
      int all = browser.evaluate("window.missed.size").asInt();
      assertThat(all).isGreaterThan(10);
      for (int i = 0; i < all; i++) {
        browser.press("Tab", "");
      }
      assertThat(browser.evaluate("[...window.missed].map(each => each.outerHTML)")).isEmpty();
    }
  }

  @Test
  void aHostileTextDoesNothingInABrowser(@TempDir Path profile) throws IOException {
    verify("hostile", "-n", "2", "-c", "1");
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 800, false);
      assertThat(browser.evaluate("document.title").asString()).doesNotContain("hit");
      assertThat(browser.errors()).isEmpty();
    }
  }

  private static int count(Browser browser, String selector) {
    return browser.evaluate("document.querySelectorAll('" + selector + "').length").asInt();
  }

  private static String info(Browser browser) {
    return browser.evaluate("document.querySelector('.info').textContent").asString();
  }
}
