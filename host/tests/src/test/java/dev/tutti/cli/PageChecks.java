package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks of every page that Tutti writes. */
public final class PageChecks {

  private static final Pattern POLICY =
      Pattern.compile(
          "default-src 'none'; style-src 'unsafe-inline'; script-src( 'none'|( 'sha256-[^']+')+)");

  private PageChecks() {}

  /** The page, which must be well-formed, and must load nothing and run nothing but its scripts. */
  public static Document parse(Path file) throws IOException {
    Document page;
    try {
      page =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(
                  new InputSource(
                      new StringReader(
                          Files.readString(file).replaceFirst("<!DOCTYPE html>\n", ""))));
    } catch (ParserConfigurationException | SAXException e) {
      throw new AssertionError("not well-formed: " + file, e);
    }
    for (Element element : elements(page, "*")) {
      assertThat(element.hasAttribute("src")).as("%s has a source", element.getTagName()).isFalse();
      assertThat(element.getTagName()).isNotIn("link", "img", "iframe", "object", "embed", "base");
      if (element.hasAttribute("href")) {
        assertThat(element.getAttribute("href")).startsWith("#");
        assertThat(byId(page, element.getAttribute("href").substring(1)))
            .as(element.getAttribute("href"))
            .hasSize(1);
      }
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        assertThat(element.getAttributes().item(i).getNodeName()).doesNotStartWith("on");
      }
    }
    assertThat(elements(page, "style"))
        .allSatisfy(style -> assertThat(style.getTextContent()).doesNotContain("url(", "@import"));
    assertThat(elements(page, "meta"))
        .extracting(meta -> meta.getAttribute("content"))
        .anyMatch(POLICY.asMatchPredicate());
    return page;
  }

  /** The measured points of a page with charts: each has a range around its time. */
  public static void requirePoints(Path file, String... sizes) throws IOException {
    JsonNode points =
        new JsonMapper()
            .readTree(elements(parse(file), "script").getFirst().getTextContent())
            .get("points");
    assertThat(points.findValuesAsString("bytes")).contains(sizes);
    assertThat(points)
        .allSatisfy(
            point -> {
              double micros = point.get("micros").asDouble();
              assertThat(point.get("leastMicros").asDouble())
                  .isPositive()
                  .isLessThanOrEqualTo(micros);
              assertThat(point.get("mostMicros").asDouble()).isGreaterThanOrEqualTo(micros);
              assertThat(point.get("busbw").asDouble()).isPositive();
            });
  }

  /** The elements of a name. */
  public static List<Element> elements(Document page, String name) {
    NodeList found = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static List<Element> byId(Document page, String id) {
    return elements(page, "*").stream().filter(each -> each.getAttribute("id").equals(id)).toList();
  }

  /**
   * Opens a page on a wide and on a narrow screen, light and dark: no script fails, nothing is
   * asked for, nothing is wider than the screen, every text is seen, and labels of drawings are
   * whole.
   */
  public static void view(Browser browser, Path file) {
    for (int width : new int[] {1200, 400}) {
      for (boolean isDark : new boolean[] {false, true}) {
        browser.show(file, width, isDark);
        browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");
        String where = width + (isDark ? " dark" : " light");
        assertThat(browser.errors()).as(where).isEmpty();
        assertThat(browser.requests()).as(where).containsExactly(file.toUri().toString());
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
            .as("width of the page on %s", where)
            .isLessThanOrEqualTo(width);
        JsonNode contrast = browser.evaluate(Browser.resource("contrast.js"));
        assertThat(contrast.get("seen").asInt()).as("texts on %s", where).isGreaterThan(10);
        assertThat(contrast.get("poor")).as("texts of poor contrast on %s", where).isEmpty();
        assertThat(browser.evaluate(Browser.resource("labels.js")).get("bad"))
            .as("labels of drawings on %s", where)
            .isEmpty();
      }
    }
  }
}
