package dev.tutti.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.cli.Browser;
import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateHtmlTest {

  @TempDir private Path plugins;
  private Path file;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    file = plugins.resolve("page.html");
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  private Outcome simulate(String... words) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(words));
    all.addAll(List.of("--html", file.toString()));
    return tutti.call(all.toArray(String[]::new));
  }

  /** The time in microseconds with links of some α and β. */
  private double micros(String alpha, String beta) {
    Outcome outcome =
        simulate("star", "-n", "4", "--bytes", "64K", "--alpha", alpha, "--beta", beta, "--json");
    JsonNode line = new JsonMapper().readTree(outcome.lines().getFirst());
    return line.get("timeMicros").asDouble();
  }

  @Test
  void aPageHoldsATableAndTheDrawingsOfEachSimulation() throws IOException {
    Outcome outcome = simulate("star", "-n", "3", "--bytes", "1K,1M", "--alpha", "1us");

    assertThat(outcome.exitCode()).isZero();
    Document page = PageChecks.parse(file);
    assertThat(PageChecks.elements(page, "tr")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(PageChecks.elements(page, "div"))
        .extracting(each -> each.getAttribute("class"))
        .containsSubsequence("simulation", "heat", "simulation", "heat");
    assertThat(file).content().doesNotContain("incomplete");
  }

  @Test
  void aPageOfFewerSimulationsSaysSo() {
    assertThat(new SimulateHtml(8)).asString().contains("incomplete: 0 of 8 simulations");
  }

  @Test
  void whatIsRefusedIsALineOfThePage() throws IOException {
    Outcome outcome = simulate("gathering", "-n", "3", "--protocol", "rdma");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(PageChecks.parse(file).getDocumentElement().getTextContent())
        .contains("refused: needs direct links");
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeTheWork() {
    file = plugins.resolve("no/page.html");
    Outcome outcome = simulate("star", "-n", "3");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("cannot write the page");
  }

  @Test
  void aPageThatIsThereStaysIfNothingCanBeSimulated() throws IOException {
    Files.writeString(file, "good");
    assertThat(simulate("nonsense").exitCode()).isEqualTo(2);
    assertThat(file).hasContent("good");
  }

  @Test
  void theSlidersFindTheTimeOfOtherLinks(@TempDir Path profile) throws IOException {
    double tenTimesBeta = micros("2us", "1GB/s");
    double tenTimesAlpha = micros("20us", "10GB/s");
    double asItIs = micros("2us", "10GB/s");
    try (Browser browser = Browser.open(profile)) {
      PageChecks.view(browser, file);

      browser.show(file, 1000, false);
      assertThat(time(browser)).isCloseTo(asItIs, within(1e-5));
      assertThat(text(browser, ".what-if output")).isEqualTo("× 1: level0 2 µs");
      int drawn = browser.evaluate("document.querySelectorAll('rect.item').length").asInt();
      assertThat(browser.evaluate("document.querySelectorAll('rect.path').length").asInt())
          .isPositive();

      slide(browser, 1, 20);
      assertThat(time(browser)).isCloseTo(tenTimesBeta, within(1e-5));
      assertThat(text(browser, ".what-if .verdict")).contains("% more than the");
      assertThat(browser.evaluate("document.querySelectorAll('rect.item').length").asInt())
          .isEqualTo(drawn);
      slide(browser, 1, 0);
      slide(browser, 0, 20);
      assertThat(time(browser)).isCloseTo(tenTimesAlpha, within(1e-5));

      browser.evaluate("document.querySelector('.what-if button').focus()");
      browser.press(" ", " ");
      assertThat(time(browser)).isCloseTo(asItIs, within(1e-5));

      browser.evaluate("document.querySelector('.heat svg[tabindex]').focus()");
      browser.press("ArrowRight", "");
      assertThat(text(browser, ".heat .info"))
          .isEqualTo("from rank 0 to 1: 64 KiB in 1 message across level0");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void theLinksOfManyRanksAreReadable(@TempDir Path profile) throws IOException {
    assertThat(simulate("star", "-n", "1024", "--bytes", "1K", "--alpha", "1us").exitCode())
        .isZero();
    try (Browser browser = Browser.open(profile)) {
      PageChecks.view(browser, file);

      browser.show(file, 400, false);
      assertThat(texts(browser, ".heat text")).contains("0–15").hasSizeGreaterThan(10);
      assertThat(text(browser, ".heat .info")).startsWith("Rows send, columns receive.");
    }
  }

  /** Each question after a change makes the browser lay out the page, which is slow. */
  @Test
  void aDrawingAsksForItsWidthOnce(@TempDir Path profile) throws IOException {
    assertThat(simulate("star", "-n", "16", "--bytes", "1K").exitCode()).isZero();
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 1000, false);
      browser.evaluate(
          "(() => { const {get} = Object.getOwnPropertyDescriptor(Element.prototype, 'clientWidth');"
              + " window.asked = 0; Object.defineProperty(Element.prototype, 'clientWidth',"
              + " {get() { window.asked++; return get.call(this); }}); })()");
      browser.evaluate("document.querySelector('[title=\"Zoom in\"]').click()");

      assertThat(browser.evaluate("window.asked").asInt()).isOne();
    }
  }

  @Test
  void theTextOfAnActionLiesAboveTheArrows(@TempDir Path profile) throws IOException {
    assertThat(simulate("star", "-n", "4", "--bytes", "1M").exitCode()).isZero();
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 1000, false);
      String order =
          "[...document.querySelectorAll('.simulation path.arrow, .simulation text.on')]"
              + ".filter(each => !each.closest('.key')).map(each => each.tagName)";
      List<String> shapes = new ArrayList<>();
      browser.evaluate(order).forEach(each -> shapes.add(each.asString()));

      assertThat(shapes).contains("path", "text");
      assertThat(shapes.lastIndexOf("path")).isLessThan(shapes.indexOf("text"));
    }
  }

  private static List<String> texts(Browser browser, String selector) {
    List<String> texts = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('" + selector + "')].map(each => each.textContent)")
        .forEach(each -> texts.add(each.asString()));
    return texts;
  }

  private static void slide(Browser browser, int slider, int value) {
    browser.evaluate(
        "(() => { const input = document.querySelectorAll('.what-if input')["
            + slider
            + "]; input.value = "
            + value
            + "; input.dispatchEvent(new Event('input')); })()");
  }

  private static double time(Browser browser) {
    return browser
        .evaluate("Number(document.querySelector('.simulation').dataset.micros)")
        .asDouble();
  }

  private static String text(Browser browser, String selector) {
    return browser.evaluate("document.querySelector('" + selector + "').textContent").asString();
  }
}
