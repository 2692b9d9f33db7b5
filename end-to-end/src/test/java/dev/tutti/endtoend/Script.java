package dev.tutti.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the {@code tutti} script says about the JVM that it starts. */
final class Script {

  private static final String MODULES = "modules=";

  private Script() {}

  static String text() throws IOException {
    return Files.readString(Path.of("..", "tutti"));
  }

  /** The options that limit the modules of {@code tutti serve}. */
  static List<String> limits() throws IOException {
    String modules =
        text()
            .lines()
            .filter(line -> line.startsWith(MODULES))
            .map(line -> line.substring(MODULES.length()))
            .findFirst()
            .orElseThrow();
    return List.of("--add-modules", "jdk.incubator.vector", "--limit-modules", modules);
  }
}
