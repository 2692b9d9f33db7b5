package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.host.TemporaryDirectory;
import dev.tutti.plugin.file.Ownership;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * The plugins that a host would serve, for a command that only reads. It works on a copy of the
 * last host's state, so that it takes no lock and prevents no host from starting. Changes to the
 * copy are discarded.
 */
final class StateCopy {

  /** The files that belong to the process that serves. */
  private static final Set<String> NOT_COPIED = Set.of("lock", "control.sock", "control.json");

  private StateCopy() {}

  static PluginUse open(Hosts hosts, PluginPlaces places) {
    Ownership.require(places.state());
    TemporaryDirectory directory = TemporaryDirectory.make();
    try {
      Path state = directory.path().resolve("state");
      copy(places.state(), state);
      return PluginUse.open(hosts, new PluginPlaces(places.plugins(), state)).endingWith(directory);
    } catch (IOException e) {
      directory.close();
      throw TemporaryDirectory.unwritable(e);
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  /** Copies files. A host may start meanwhile; files that it deletes are not needed. */
  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Path target = to.resolve(file.getFileName().toString());
        if (NOT_COPIED.contains(file.getFileName().toString())) {
          continue;
        }
        if (Files.isDirectory(file)) {
          copy(file, target);
        } else if (Files.isRegularFile(file)) {
          copyFile(file, target);
        }
      }
    }
  }

  private static void copyFile(Path file, Path target) throws IOException {
    try {
      Files.copy(file, target);
    } catch (NoSuchFileException e) {
      if (Files.exists(file)) {
        throw e;
      }
    }
  }
}
