package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.options.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands beside the charts of the documentation draw these charts from the stored
 * measurements, which are those of the tables. With the system property {@code
 * tutti.charts.rewrite} set, it draws the charts instead.
 */
class ChartDocsTest {

  private static final boolean REWRITES = System.getProperty("tutti.charts.rewrite") != null;
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path STORED = ROOT.resolve("docs/measurements");
  private static final String COMMAND = "    ./tutti chart ";
  private static final String OUTPUT = "--output";

  @TempDir private Path directory;

  private static List<String> lines(String page) throws IOException {
    return Files.readAllLines(ROOT.resolve("docs").resolve(page));
  }

  /** The chart commands of the pages that write a stored picture, by the picture. */
  private static Map<Path, String[]> commands() throws IOException {
    Map<Path, String[]> commands = new TreeMap<>();
    for (String page : List.of("benchmarks.md", "algorithms.md")) {
      lines(page).stream()
          .filter(line -> line.startsWith(COMMAND))
          .map(CommandDocsTest::words)
          .forEach(words -> commands.put(picture(words), words));
    }
    commands.keySet().removeIf(picture -> !picture.startsWith(STORED));
    return commands;
  }

  private static Path picture(String[] words) {
    return ROOT.resolve(words[Arrays.asList(words).indexOf(OUTPUT) + 1]);
  }

  @Test
  void everyPictureIsWhatItsCommandDraws() throws IOException {
    CommandLineHarness tutti = CommandLineHarness.withTestAlgorithms(directory);
    for (Map.Entry<Path, String[]> command : commands().entrySet()) {
      Path picture = command.getKey();
      Path drawn = REWRITES ? picture : directory.resolve(picture.getFileName());
      String[] words = command.getValue().clone();
      words[Arrays.asList(words).indexOf(OUTPUT) + 1] = drawn.toString();

      Outcome outcome = tutti.callIn(ROOT, words);

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.exitCode()).isZero();
      assertThat(picture)
          .as("run with -Dtutti.charts.rewrite=true")
          .content()
          .isEqualTo(Files.readString(drawn));
    }
  }

  @Test
  void everyStoredPictureIsDrawnAndShown() throws IOException {
    List<String> pages = new ArrayList<>(lines("benchmarks.md"));
    pages.addAll(lines("algorithms.md"));
    try (Stream<Path> files = Files.list(STORED)) {
      assertThat(files.filter(file -> file.toString().endsWith(".svg")))
          .containsExactlyInAnyOrderElementsOf(commands().keySet())
          .allSatisfy(
              picture ->
                  assertThat(pages)
                      .anyMatch(
                          line ->
                              line.matches(
                                  "!\\[.{40,}]\\(measurements/" + picture.getFileName() + "\\)")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "allreduce-one-caller, one caller µs, one caller µs",
    "allreduce-threads, one caller µs, threads µs",
    "allreduce-openmpi, one caller µs, Open MPI µs",
    "allreduce-processes, allocated µs, allocated µs",
    "allreduce-processes-private, allocated µs, private µs",
    "allreduce-processes-openmpi, allocated µs, Open MPI µs"
  })
  void theStoredTimesAreThoseOfTheTable(String file, String table, String column)
      throws IOException {
    List<String> expected =
        table(table).stream()
            .map(row -> row.get("ranks") + " " + bytes(row) + " " + number(row.get(column)))
            .toList();

    assertThat(rows(file).map(row -> row.get("ranks") + " " + row.get("bytes") + " " + time(row)))
        .hasSizeGreaterThan(7)
        .containsExactlyElementsOf(expected);
  }

  @Test
  void theStoredWinnersAreThoseOfTheTable() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Map<String, String> row : table("2 ranks: best, µs")) {
      for (int ranks : new int[] {2, 4}) {
        String best = row.get(ranks + " ranks: best, µs");
        if (!best.isEmpty()) {
          int space = best.indexOf(' ');
          String time = number(best.substring(space));
          expected.add(
              String.join(
                  " ",
                  row.get("operation"),
                  best.substring(0, space),
                  Integer.toString(ranks),
                  bytes(row),
                  time));
        }
      }
    }

    assertThat(
            rows("fastest")
                .map(
                    row ->
                        String.join(
                            " ",
                            row.get("operation"),
                            row.get("algorithm"),
                            row.get("ranks"),
                            row.get("bytes"),
                            time(row))))
        .hasSizeGreaterThan(80)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static String bytes(Map<String, String> row) {
    return Long.toString(Sizes.parse(row.get("bytes")));
  }

  private static String time(Map<String, String> row) {
    return number(row.getOrDefault("medianMicros", row.getOrDefault("median_us", "")));
  }

  /** A number as text, however it is written. */
  private static String number(String text) {
    return Double.toString(Double.parseDouble(text.replaceAll("[ ,]", "")));
  }

  /** The rows of the table of benchmarks.md that has a column. */
  private static List<Map<String, String>> table(String column) throws IOException {
    List<String> lines = lines("benchmarks.md");
    int head = 0;
    while (!lines.get(head).contains("| " + column + " |")) {
      head++;
    }
    int end = head;
    while (lines.get(end).startsWith("|")) {
      end++;
    }
    List<String> headings = List.of(lines.get(head).split(" *\\| *"));
    return lines.subList(head + 2, end).stream()
        .map(line -> cells(headings, line.split(" *\\| *", -1)))
        .toList();
  }

  private static Stream<Map<String, String>> rows(String file) throws IOException {
    List<String> lines = Files.readAllLines(STORED.resolve(file + ".csv"));
    List<String> headings = List.of(lines.getFirst().split(","));
    return lines.stream().skip(1).map(line -> cells(headings, line.split(",", -1)));
  }

  private static Map<String, String> cells(List<String> headings, String[] cells) {
    Map<String, String> row = new TreeMap<>();
    for (int i = 0; i < headings.size(); i++) {
      row.putIfAbsent(headings.get(i), cells[i]);
    }
    return row;
  }
}
