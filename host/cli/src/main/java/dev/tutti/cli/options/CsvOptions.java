package dev.tutti.cli.options;

import dev.tutti.cli.terminal.CsvFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a CSV file of measurements. */
public final class CsvOptions {

  @Option(
      names = "--csv",
      paramLabel = "<file>",
      description = "Also writes a CSV file at the end, with a line for each row.")
  private @Nullable Path file;

  /** Whether a file was requested. */
  public boolean isWanted() {
    return file != null;
  }

  /** The file, which writes nothing if none was requested; refused if it could not be written. */
  public CsvFile file() {
    return new CsvFile(file);
  }
}
