package dev.tutti.simulator.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A report as one HTML file: markup, the data of its drawings, style and scripts. It loads nothing,
 * and its content security policy forbids loading. Only the scripts that are written here run, even
 * if other markup gets into the page. Not thread-safe.
 */
public final class HtmlPage {

  private static final String CDATA = "//<![CDATA[\n";
  private static final String CDATA_END = "\n//]]>";

  private final String title;
  private final Html body = new Html();
  private final Map<String, String> data = new LinkedHashMap<>();
  private final Map<PageScript, String> scripts = new EnumMap<>(PageScript.class);

  /** A page, whose heading is its title. */
  public HtmlPage(String title) {
    this.title = title;
  }

  /** The markup of the page below its heading; each opened element must be closed. */
  public Html body() {
    return body;
  }

  /**
   * Adds a drawing at the end of the current body.
   *
   * @param kind the class that the script looks for
   * @param script what draws it
   * @param json its data
   * @param label a description of the drawing for screen readers
   */
  public void drawing(String kind, PageScript script, String json, String label) {
    String id = "data-" + (data.size() + 1);
    data.put(id, json);
    for (PageScript each : script.withNeeded()) {
      scripts.computeIfAbsent(each, one -> CDATA + PageResource.text(one.file()) + CDATA_END);
    }
    body.open("div", "class", kind, "data-json", id, "role", "group", "aria-label", label);
    body.open("noscript").text("This drawing needs scripts, which are off.").close();
    body.closeLine();
  }

  /** The whole file. */
  @Override
  public String toString() {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n");
    page.append("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n");
    Html head = new Html().open("head");
    head.open("meta", "charset", "utf-8");
    head.open("meta", "http-equiv", "Content-Security-Policy", "content", policy());
    head.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    head.open("meta", "name", "color-scheme", "content", "light dark");
    head.element("title", title);
    head.open("style").raw(style()).closeLine();
    page.append(head.closeLine());
    page.append("<body>\n<main>\n").append(new Html().element("h1", title)).append(body);
    page.append("</main>\n");
    data.forEach(
        (id, json) ->
            page.append("<script type=\"application/json\" id=\"")
                .append(id)
                .append("\">")
                .append(inScript(json))
                .append("</script>\n"));
    scripts
        .values()
        .forEach(script -> page.append("<script>").append(script).append("</script>\n"));
    return page.append("</body>\n</html>\n").toString();
  }

  private static String style() {
    return PageResource.text(PageResource.PALETTE, PageResource.CHARTS, PageResource.PAGE);
  }

  /** JSON without the characters that have a meaning in markup. */
  private static String inScript(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private String policy() {
    StringBuilder policy =
        new StringBuilder("default-src 'none'; style-src 'unsafe-inline'; script-src");
    scripts
        .values()
        .forEach(script -> policy.append(" 'sha256-").append(hash(script)).append('\''));
    return scripts.isEmpty() ? policy + " 'none'" : policy.toString();
  }

  private static String hash(String script) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(sha.digest(script.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
