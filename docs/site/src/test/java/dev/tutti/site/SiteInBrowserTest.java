package dev.tutti.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The site as a reader opens it, from files. */
class SiteInBrowserTest {

  private static final Path SITE = Path.of(System.getProperty("tutti.site"));

  private static final List<String> PAGES =
      List.of(
          "docs/README.html",
          "docs/benchmarks.html",
          "docs/algorithms.html",
          "docs/tutorial.html",
          "docs/rules/SYN-1.html");

  /** Types into the search, and waits until the results are there. */
  private static final String SEARCH =
      """
      new Promise(done => {
        const found = document.querySelector(".found");
        new MutationObserver(() => done(found.textContent)).observe(found, {childList: true});
        const input = document.querySelector(".search input");
        input.value = "%s";
        input.dispatchEvent(new Event("input"));
      })
      """;

  private static String search(Browser browser, String words) {
    return browser.evaluate(SEARCH.replace("%s", words)).asString();
  }

  private static List<String> results(Browser browser) {
    return browser
        .evaluate("[...document.querySelectorAll('#results a')].map(each => each.href)")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static String focused(Browser browser) {
    return browser
        .evaluate("document.activeElement.href ?? document.activeElement.type")
        .asString();
  }

  @Test
  void pagesFitWideAndNarrowScreensLightAndDark(@TempDir Path profile) throws IOException {
    try (Browser browser = Browser.open(profile)) {
      for (String page : PAGES) {
        for (int width : new int[] {1200, 400}) {
          for (boolean isDark : new boolean[] {false, true}) {
            String where = page + " on " + width + (isDark ? " dark" : " light");
            browser.show(SITE.resolve(page), width, isDark);
            assertThat(browser.errors()).as(where).isEmpty();
            assertThat(browser.requests())
                .as(where)
                .hasSizeGreaterThan(4)
                .allMatch(address -> address.startsWith(SITE.toUri().toString()));
            assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as("width of " + where)
                .isLessThanOrEqualTo(width);
            assertThat(browser.evaluate("document.querySelector('nav details').open").asBoolean())
                .as("menu of " + where)
                .isEqualTo(width == 1200);
            JsonNode contrast = browser.evaluate(Browser.resource("contrast.js"));
            assertThat(contrast.get("seen").asInt()).as("texts of " + where).isGreaterThan(10);
            assertThat(contrast.get("poor")).as("poor contrast of " + where).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void theSearchFindsSectionsByTheirWords(@TempDir Path profile) throws IOException {
    try (Browser browser = Browser.open(profile)) {
      browser.show(SITE.resolve("docs/rules/SYN-1.html"), 1200, false);

      assertThat(search(browser, "two-stage")).endsWith(" sections");
      assertThat(results(browser))
          .anyMatch(address -> address.endsWith("/docs/algorithms.html#allreduce-direct"))
          .allMatch(address -> address.startsWith(SITE.toUri().toString()));

      search(browser, "SYN-1 deadlock");
      assertThat(results(browser).getFirst()).contains("/docs/rules/SYN-1.html#");

      search(browser, "capture repl");
      assertThat(results(browser)).anyMatch(each -> each.endsWith("#capture-and-replay"));

      assertThat(search(browser, "nosuchwordanywhere")).isEqualTo("Nothing found");
      assertThat(results(browser)).isEmpty();
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void theSearchWorksWithKeysAlone(@TempDir Path profile) throws IOException {
    try (Browser browser = Browser.open(profile)) {
      browser.show(SITE.resolve("docs/README.html"), 400, true);
      browser.press("/", "/");
      assertThat(focused(browser)).isEqualTo("search");
      search(browser, "deadlock");
      assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
          .isLessThanOrEqualTo(400);
      List<String> found = results(browser);

      browser.press("ArrowDown", "");
      browser.press("ArrowDown", "");
      assertThat(focused(browser)).isEqualTo(found.get(1));
      browser.press("ArrowUp", "");
      assertThat(focused(browser)).isEqualTo(found.getFirst());
      browser.press("Escape", "");
      assertThat(focused(browser)).isEqualTo("search");
      assertThat(results(browser)).isEmpty();
      assertThat(browser.errors()).isEmpty();
    }
  }
}
