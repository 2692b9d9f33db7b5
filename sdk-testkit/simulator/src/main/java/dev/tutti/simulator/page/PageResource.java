package dev.tutti.simulator.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The scripts and styles beside this class. */
final class PageResource {

  /** Colours, light and dark. */
  static final String PALETTE = "palette.css";

  /** How lines over size look, in pages and in pictures. */
  static final String CHARTS = "charts.css";

  /** How pages look. */
  static final String PAGE = "page.css";

  private PageResource() {}

  /**
   * The text of some of them, one after the other.
   *
   * @throws IllegalStateException if one is missing
   */
  static String text(String... names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      try (InputStream in = PageResource.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("the resource " + name + " is missing");
        }
        text.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return text.toString();
  }
}
