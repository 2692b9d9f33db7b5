package dev.tutti.plugins.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Where the sources and the documents are. */
final class Repository {

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Repository() {}

  /** The directory that holds reference-plugins and docs. */
  static Path root() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(path.resolve("reference-plugins/templates"))) {
      path = path.getParent();
      if (path == null) {
        throw new IllegalStateException("not in the sources of Tutti");
      }
    }
    return path;
  }

  /** The modules of reference-plugins that are plugins. */
  static List<String> plugins(Path root) throws IOException {
    List<String> modules = modules(root);
    modules.removeAll(List.of("templates", "tests", "all"));
    return modules;
  }

  /** The modules of reference-plugins. */
  static List<String> modules(Path root) throws IOException {
    String pom = Files.readString(root.resolve("reference-plugins/pom.xml"));
    return new ArrayList<>(
        MODULE.matcher(pom).results().map((MatchResult result) -> result.group(1)).toList());
  }
}
