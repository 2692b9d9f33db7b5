package dev.tutti.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.cli.Browser;
import dev.tutti.cli.PageChecks;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.terminal.JsonLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChartPageTest {

  private static final OperationName ALL_REDUCE = OperationName.of("allreduce");

  @TempDir private Path directory;
  private Path file;
  private ChartPage page;

  @BeforeEach
  void openPage() {
    file = directory.resolve("page.html");
    page = new ChartPage("Charts", file);
  }

  private void add(int ranks, String algorithm, long bytes, double micros, int hop) {
    page.add(
        new ChartPoint(
            ALL_REDUCE, ranks, false, algorithm, bytes, micros, micros * 0.9, micros * 1.1, hop));
    page.add(new JsonLine().put("algorithm", algorithm).put("micros", micros));
  }

  /**
   * The one wins small sizes and the other large ones; four ranks differ by less than the noise.
   */
  private void addSome(int hop) {
    for (long bytes = 8; bytes <= 1 << 20; bytes *= 8) {
      add(2, "early", bytes, 1 + bytes * 1e-3, hop);
      add(2, "late<b>", bytes, 5 + bytes * 1e-4, hop);
      add(4, "early", bytes, 2 + bytes * 1e-4, hop);
      add(4, "late<b>", bytes, 2.01 + bytes * 1e-4, hop);
    }
  }

  private JsonNode firstPoint() throws IOException {
    Document document = PageChecks.parse(file);
    String data = PageChecks.elements(document, "script").getFirst().getTextContent();
    return new JsonMapper().readTree(data).get("points").get(0);
  }

  @Test
  void aPointHasTheBandwidthOfItsTimeAndTheRangeOfItsRange() throws IOException {
    add(4, "ring", 1_000_000, 100, 0);
    page.write();

    JsonNode point = firstPoint();
    assertThat(point.get("busbw").asDouble()).isCloseTo(15.0, within(1e-6));
    assertThat(point.get("leastBusbw").asDouble()).isCloseTo(15.0 / 1.1, within(1e-6));
    assertThat(point.get("mostBusbw").asDouble()).isCloseTo(15.0 / 0.9, within(1e-6));
  }

  @Test
  void nothingIsWrittenWithoutPoints() {
    page.write();
    assertThat(file).doesNotExist();
  }

  @Test
  void theChartAndTheMapWorkInABrowser(@TempDir Path profile) throws IOException {
    addSome(0);
    page.addBeside(new ChartPoint(ALL_REDUCE, 2, false, "Open MPI", 8, 3, 2, 4, 0));
    page.addBeside(new ChartPoint(ALL_REDUCE, 64, false, "Open MPI", 8, 3, 2, 4, 0));
    page.write();
    try (Browser browser = Browser.open(profile)) {
      PageChecks.view(browser, file);

      browser.show(file, 1000, false);
      assertThat(
              browser.evaluate("document.querySelectorAll('svg[tabindex] .line').length").asInt())
          .isEqualTo(3);
      assertThat(texts(browser, ".tools select:nth-of-type(1) option")).contains("allreduce");
      assertThat(texts(browser, ".map tbody tr:nth-child(1) td"))
          .containsExactly("early", "early", "early", "early ≈", "late<b>", "late<b>");
      assertThat(texts(browser, ".map tbody tr:nth-child(2) td"))
          .hasSize(6)
          .allMatch(text -> text.equals("early ≈"));

      browser.evaluate("document.querySelector('.frame svg').focus()");
      browser.press("ArrowRight", "");
      assertThat(info(browser)).startsWith("Open MPI, 8 B: 3 µs (2 µs to 4 µs)");
      browser.press("ArrowDown", "");
      browser.press("ArrowRight", "");
      assertThat(info(browser)).startsWith("early, 64 B: 1.06 µs");

      browser.evaluate("document.querySelectorAll('.legend button')[1].focus()");
      browser.press(" ", " ");
      assertThat(
              browser.evaluate("document.querySelectorAll('svg[tabindex] .line').length").asInt())
          .isEqualTo(2);
      assertThat(browser.evaluate("document.activeElement.getAttribute('aria-pressed')").asString())
          .isEqualTo("false");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void statesOfTheMachineAreKeptApart(@TempDir Path profile) throws IOException {
    addSome(40);
    add(2, "other", 8, 0.1, 80);
    page.write();
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 1000, true);
      assertThat(texts(browser, ".legend button")).containsExactly("early", "late<b>");
      browser.evaluate(
          "(() => { const hop = document.querySelector('option[value=\"80 ns\"]').parentElement;"
              + " hop.value = '80 ns'; hop.dispatchEvent(new Event('change')); })()");
      assertThat(texts(browser, ".legend button")).containsExactly("other");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void anUnknownStateGivesWayToAKnownOne(@TempDir Path profile) throws IOException {
    addSome(40);
    add(2, "early", 8, 9, 0);
    page.write();
    try (Browser browser = Browser.open(profile)) {
      browser.show(file, 1000, false);
      assertThat(browser.evaluate("document.querySelectorAll('.frame .dot').length").asInt())
          .isEqualTo(2 * 6);
      assertThat(browser.errors()).isEmpty();
    }
  }

  private static List<String> texts(Browser browser, String selector) {
    return browser
        .evaluate(
            "[...document.querySelectorAll('" + selector + "')].map(each => each.textContent)")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static String info(Browser browser) {
    return browser.evaluate("document.querySelector('.info').textContent").asString();
  }
}
