package dev.tutti.cli.terminal;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file of comma-separated values (RFC 4180). Each JSON line becomes a line, and the keys are the
 * headings. Lists and objects have no column. Nothing is written before the end.
 */
public final class CsvFile {

  private static final Pattern QUOTED = Pattern.compile("[,\"\r\n]");

  private final @Nullable Path path;
  private final List<Map<String, String>> rows = new ArrayList<>();

  /**
   * A file.
   *
   * @param path null for none
   * @throws dev.tutti.sdk.TuttiException with {@link dev.tutti.sdk.ErrorCode#OUTPUT_UNWRITABLE} if
   *     it cannot be written
   */
  public CsvFile(@Nullable Path path) {
    this.path = path;
    if (path != null) {
      OutputFile.requireReplaceable(path, "CSV file");
    }
  }

  /** Adds a line. */
  public void add(JsonLine line) {
    rows.add(line.cells());
  }

  /** The path of the file, if one is written. */
  public Stream<Path> path() {
    return Stream.ofNullable(path);
  }

  /** Writes all lines and replaces an existing file; writes nothing if no file was requested. */
  public void write() {
    if (path != null && !rows.isEmpty()) {
      OutputFile.replace("--csv", path, this::writeTo);
    }
  }

  private void writeTo(PrintWriter target) {
    Set<String> headings = new LinkedHashSet<>();
    rows.forEach(row -> headings.addAll(row.keySet()));
    writeLine(headings.stream(), target);
    for (Map<String, String> row : rows) {
      writeLine(headings.stream().map(heading -> row.getOrDefault(heading, "")), target);
    }
  }

  private static void writeLine(Stream<String> cells, PrintWriter target) {
    target.print(String.join(",", cells.map(CsvFile::quoted).toList()));
    target.print('\n');
  }

  private static String quoted(String cell) {
    return QUOTED.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }
}
