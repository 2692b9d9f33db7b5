package dev.tutti.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class ChartCommandTest {

  private static final String HEADINGS =
      "operation,algorithm,ranks,bytes,inPlace,minMicros,medianMicros,p95Micros\n";

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  private Outcome chart(String... args) {
    List<String> all = new ArrayList<>(List.of("chart"));
    all.addAll(List.of(args));
    return tutti.callIn(files, all.toArray(String[]::new));
  }

  private void store(String name, String text) throws IOException {
    Files.writeString(files.resolve(name), text);
  }

  private static Document parse(String svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("not well-formed: " + svg, e);
    }
  }

  /** The contents of the elements of a name and class, in order. */
  private static List<String> texts(String svg, String name, String style) {
    List<String> texts = new ArrayList<>();
    NodeList found = parse(svg).getElementsByTagName(name);
    for (int i = 0; i < found.getLength(); i++) {
      Element element = (Element) found.item(i);
      if (element.getAttribute("class").startsWith(style)) {
        texts.add(element.getTextContent());
      }
    }
    return texts;
  }

  @Test
  void eachNumberOfRanksHasAPanelAndEachNameALine() throws IOException {
    store(
        "mine.csv",
        HEADINGS
            + "allreduce,ring,4,8,false,1,2,3\n"
            + "allreduce,ring,2,8,false,1,2,3\n"
            + "allreduce,ring,2,1048576,false,100,200,300\n");
    store(
        "other.csv",
        "operation,ranks,bytes,median_us\nallreduce,2,8,4\nallreduce,2,1048576,1000\n");

    Outcome outcome = chart("mine.csv", "a < b=other.csv", "--title", "Here & there");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    String svg = outcome.out();
    assertThat(texts(svg, "title", "")).containsExactly("Here & there");
    assertThat(texts(svg, "text", "title")).containsExactly("Here & there");
    assertThat(texts(svg, "text", "panel"))
        .containsExactly(
            "allreduce, 2 ranks, busbw in GB/s over size",
            "allreduce, 4 ranks, busbw in GB/s over size");
    assertThat(texts(svg, "path", "line")).hasSize(2 + 3);
    assertThat(texts(svg, "path", "band")).as("only measurements with a range").hasSize(2);
    assertThat(texts(svg, "path", "dot")).hasSize(2 + 5);
    assertThat(texts(svg, "desc", ""))
        .containsExactly(
            "allreduce, 2 ranks: ring from 0.004 GB/s at 8 B to 5.24 GB/s at 1 MiB; a < b from"
                + " 0.002 GB/s at 8 B to 1.05 GB/s at 1 MiB. allreduce, 4 ranks: ring 0.006 GB/s"
                + " at 8 B.");
    assertThat(svg).contains("prefers-color-scheme: dark").doesNotContain("url(", "@import");
  }

  @Test
  void timesHaveUnitsAndOperationsWithoutBytesArePoints() throws IOException {
    store(
        "mine.csv",
        HEADINGS + "barrier,tree,2,0,false,0.02,0.05,0.5\nbarrier,tree,4,0,false,9,20000,30000\n");

    Outcome outcome = chart("mine.csv", "--show", "time");

    assertThat(texts(outcome.out(), "text", ""))
        .contains("10 ns", "100 ns", "1 µs", "100 µs", "1 ms", "100 ms", "0 B")
        .doesNotContain("1 ns", "1 s");
    assertThat(chart("mine.csv").err())
        .isEqualTo(
            "tutti: [TUTTI-101] no row has bytes and a time above 0, so there is no bandwidth to"
                + " draw; use --show time\n");
  }

  @Test
  void theFastestIsNamedAndAWinnerWithinTheNoiseIsMarked() throws IOException {
    store(
        "mine.csv",
        HEADINGS
            + "allreduce,ring,2,8,false,4,5,6\n"
            + "allreduce,direct,2,8,false,1,2,3\n"
            + "allreduce,ring,2,4096,false,4,5,6\n"
            + "allreduce,direct,2,4096,false,5.5,7,9\n"
            + "allreduce,ring,2,64,true,4,5,6\n");

    String svg = chart("mine.csv", "--show", "fastest").out();

    assertThat(texts(svg, "text", "on")).containsExactly("direct", "ring ≈", "ring");
    assertThat(texts(svg, "text", ""))
        .contains("allreduce, 2 ranks", "allreduce, in place, 2 ranks", "8 B", "64 B", "4 KiB")
        .contains("–", "≈: the range of the fastest overlaps that of the next one");
    assertThat(texts(svg, "desc", ""))
        .containsExactly(
            "allreduce, 2 ranks: direct at 8 B, ring ≈ at 4 KiB. allreduce, in place, 2 ranks: ring"
                + " at 64 B.");
  }

  @Test
  void theFileOfABenchmarkIsDrawn() {
    String file = files.resolve("mine.csv").toString();
    tutti.call(
        "bench",
        "broadcast",
        "--ranks",
        "2",
        "--sizes",
        "8,64",
        "--seconds",
        "0.01",
        "--csv",
        file);

    Outcome outcome = chart("mine.csv", "--output", files.resolve("mine.svg").toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).isEmpty();
    assertThat(files.resolve("mine.svg")).content().contains("broadcast, 2 ranks, busbw");
  }

  @Test
  void theFileOfATuningIsAMapOfItsWinners() throws IOException {
    store(
        "tuned.csv",
        """
        operation,ranks,inPlace,bytes,fastest,fastestMicros,chosen,chosenBy,chosenMicros,ratio,hopNanos
        allreduce,2,false,8,direct,0.05,ring,model,0.08,1.6,60
        allreduce,2,false,4096,ring,0.19,ring,model,0.19,1,60
        """);

    assertThat(texts(chart("tuned.csv", "--show", "fastest").out(), "desc", ""))
        .containsExactly("allreduce, 2 ranks: direct at 8 B, ring at 4 KiB.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "none.csv => the measurement file <dir>/none.csv cannot be read: there is no such file; check the path",
        "empty.csv => <dir>/empty.csv is empty",
        "headings.csv => <dir>/headings.csv has no row below its headings",
        "other.csv => <dir>/other.csv has no column algorithm; name its line, as in 'Open"
            + " MPI=openmpi.csv'",
        "x=columns.csv => <dir>/columns.csv has no column ranks; it needs operation, ranks, bytes,"
            + " and median_us or medianMicros",
        "x=ranks.csv => ranks in line 3 of <dir>/ranks.csv must be a whole number of 1 or more."
            + " Actual: '0'",
        "x=times.csv => median_us in line 2 of <dir>/times.csv must be a number of 0 or more."
            + " Actual: 'fast'",
        "x=zero.csv --show time => no time is above 0, so there is nothing to draw",
        "=other.csv => the name of a line is missing before '='; write NAME=FILE or FILE. Actual:"
            + " '=other.csv'"
      })
  void whatCannotBeDrawnIsRefusedAndLeavesTheFileThatIsThere(String args, String message)
      throws IOException {
    String other = "operation,ranks,bytes,median_us\n";
    store("empty.csv", "\n");
    store("headings.csv", HEADINGS + "\n");
    store("other.csv", other + "allreduce,2,8,4\n");
    store("columns.csv", "operation,bytes,median_us\nallreduce,8,4\n");
    store("ranks.csv", other + "\nallreduce,0,8,4\n");
    store("times.csv", other + "allreduce,2,8,fast\n");
    store("zero.csv", other + "allreduce,2,8,0\n");
    Path file = Files.writeString(files.resolve("good.svg"), "good");

    List<String> words = new ArrayList<>(List.of(args.split(" ")));
    words.addAll(List.of("--output", file.toString()));
    Outcome outcome = chart(words.toArray(String[]::new));

    assertThat(outcome.err()).contains(message.replace("<dir>", files.toString()));
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(file).hasContent("good");
    assertThat(files).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void anUnknownPictureHasANearName() {
    assertThat(chart("x.csv", "--show", "fastes").err())
        .contains("fastes", "busbw", "time", "fastest");
  }
}
