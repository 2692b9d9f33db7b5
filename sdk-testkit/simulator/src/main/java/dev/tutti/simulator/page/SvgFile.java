package dev.tutti.simulator.page;

/**
 * A picture as one SVG file, for pages that show it as an image. Its colours follow the light or
 * dark setting of the browser, and it paints its own background, so it is readable on any page. It
 * has a title and a description for readers who do not see it, and it loads nothing. Not
 * thread-safe.
 */
public final class SvgFile {

  /** The number of palette colours for lines and similar elements. */
  private static final int COLOURS = 8;

  private final String title;
  private final String description;
  private final int width;
  private final int height;
  private final Html body = new Html();

  /**
   * A picture of a size in pixels.
   *
   * @param title what it shows, in a few words
   * @param description what it shows, in sentences
   */
  public SvgFile(int width, int height, String title, String description) {
    this.width = width;
    this.height = height;
    this.title = title;
    this.description = description;
  }

  /**
   * The style class of a colour; colours repeat after eight.
   *
   * @param index from 0
   */
  public static String colour(int index) {
    return "c" + (index % COLOURS + 1);
  }

  /** The shapes of the picture; what is opened must be closed. */
  public Html body() {
    return body;
  }

  /** The whole file. */
  @Override
  public String toString() {
    String right = Integer.toString(width);
    String bottom = Integer.toString(height);
    Html svg =
        new Html()
            .open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + right + " " + bottom,
                "width",
                right,
                "height",
                bottom,
                "role",
                "img",
                "aria-labelledby",
                "title description")
            .text("\n")
            .element("title", title, "id", "title")
            .element("desc", description, "id", "description")
            .open("style")
            .raw(PageResource.text(PageResource.PALETTE, PageResource.CHARTS))
            .closeLine()
            .open("rect", "class", "back", "width", right, "height", bottom)
            .closeLine();
    return svg.add(body).closeLine().toString();
  }
}
