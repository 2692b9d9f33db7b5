package dev.tutti.host.cli;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A host without plugins, in temporary directories that end with it. */
final class EmptyHost {

  private EmptyHost() {}

  static PluginUse open(Hosts hosts) {
    try {
      Path directory = Files.createTempDirectory("tutti-");
      PluginPlaces places =
          new PluginPlaces(
              Files.createDirectory(directory.resolve("plugins")), directory.resolve("state"));
      PluginUse use = PluginUse.open(hosts, places);
      return new PluginUse(
          use.plugins(),
          false,
          () -> {
            use.close();
            delete(directory);
          });
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static TuttiException unwritable(IOException e) {
    return new TuttiException(
        ErrorCode.OUTPUT_UNWRITABLE, e, "a temporary directory cannot be made or deleted (%s)", e);
  }
}
