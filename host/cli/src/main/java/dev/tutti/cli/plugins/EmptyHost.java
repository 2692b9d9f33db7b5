package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.host.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A host without plugins, in temporary directories that are deleted at its end. */
final class EmptyHost {

  private EmptyHost() {}

  static PluginUse open(Hosts hosts) {
    TemporaryDirectory directory = TemporaryDirectory.make();
    try {
      Path plugins = Files.createDirectory(directory.path().resolve("plugins"));
      PluginUse use =
          PluginUse.open(hosts, new PluginPlaces(plugins, directory.path().resolve("state")));
      return use.endingWith(directory);
    } catch (IOException e) {
      directory.close();
      throw TemporaryDirectory.unwritable(e);
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }
}
