package dev.tutti.testkit.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The source text of an example. A region lies between the lines {@code // @start region="name"}
 * and {@code // @end}.
 */
final class ExampleSource {

  private static final Path FOLDER =
      Path.of("src", "test", "java", "dev", "tutti", "testkit", "rules");

  private final String fileName;
  private final List<String> lines;

  private ExampleSource(String fileName, List<String> lines) {
    this.fileName = fileName;
    this.lines = lines;
  }

  /** Reads the source that an object's class is in; tests run in the folder of their module. */
  static ExampleSource of(Object part) {
    String fileName = part.getClass().getNestHost().getSimpleName() + ".java";
    try {
      return new ExampleSource(fileName, Files.readAllLines(FOLDER.resolve(fileName)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String fileName() {
    return fileName;
  }

  /** The lines of a region without their common indentation, and without empty ones around them. */
  String region(String name) {
    String start = "// @start region=\"" + name + "\"";
    int from = -1;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.equals(start)) {
        from = i + 1;
      } else if (from >= 0 && line.equals("// @end")) {
        return String.join("\n", lines.subList(from, i)).stripTrailing().stripIndent().strip();
      }
    }
    throw new AssertionError(fileName + " must have the region \"" + name + "\" with its end");
  }
}
