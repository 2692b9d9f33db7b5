package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Browser;
import dev.tutti.cli.CommandLineHarness;
import dev.tutti.host.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The picture of a finding in the documentation is what {@code tutti verify --html} draws for the
 * ring of the tutorial. With the system property {@code tutti.charts.rewrite} set, it is drawn
 * instead.
 */
class FindingPictureTest {

  private static final Path DOCS = Path.of("..", "..", "docs").toAbsolutePath().normalize();
  private static final Path PICTURE = DOCS.resolve("finding.svg");

  /** What is drawn, whatever the fonts and the browser. */
  private static final Pattern SHAPE =
      Pattern.compile("<text[^>]*>([^<]*)|class=\"(item [^\"]*|arrow [^\"]*)\"");

  @TempDir private Path directory;

  @Test
  void theRingIsThatOfTheTutorial() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/dev/tutti/cli/verify/TutorialRing.java"));

    assertThat(Files.readString(DOCS.resolve("tutorial.md")))
        .contains(source.substring(source.indexOf("  @Override")));
  }

  @Test
  void theReadmeAndTheTutorialShowThePicture() throws IOException {
    assertThat(DOCS.resolve("../README.md")).content().contains("](docs/finding.svg)");
    assertThat(DOCS.resolve("tutorial.md")).content().contains("](finding.svg)");
  }

  @Test
  void thePictureIsWhatVerifyDraws(@TempDir Path profile) throws IOException {
    Path page = directory.resolve("page.html");
    String arguments =
        "verify my-ring --ranks 2 --count 1 --type float32 --op min --mode graph --protocol direct"
            + " --static --rule MEM-2 --html "
            + page;
    CommandLineHarness tutti =
        new CommandLineHarness(directory, () -> Context.builder().algorithm(new TutorialRing()));
    assertThat(tutti.call(arguments.split(" ")).exitCode()).isEqualTo(1);
    String drawn;
    try (Browser browser = Browser.open(profile)) {
      browser.show(page, 1000, false);
      browser.evaluate("document.querySelector('a[data-mark]').click()");
      for (String button : List.of("Zoom in", "Move right")) {
        browser.evaluate("document.querySelector('[title=\"" + button + "\"]').click()");
      }
      drawn = browser.evaluate(Browser.resource("picture.js")).asString();
    }
    if (System.getProperty("tutti.charts.rewrite") != null) {
      Files.writeString(PICTURE, drawn);
    }

    assertThat(shapes(drawn))
        .contains("nothing orders these", "arrow missing")
        .as("run with -Dtutti.charts.rewrite=true")
        .isEqualTo(shapes(Files.readString(PICTURE)));
  }

  private static List<String> shapes(String picture) {
    return SHAPE
        .matcher(picture)
        .results()
        .map(each -> each.group(1) == null ? each.group(2) : each.group(1))
        .toList();
  }
}
