package dev.tutti.host.job;

import dev.tutti.host.Context;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.live.LiveSamples;
import dev.tutti.testkit.plugin.TestPlugins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Collectors;

/** A plugin that sums and sends, of which the processes of a job get new versions. */
final class SwapJars {

  static final String ID = "org.example.swapped";
  static final String SUM = ID + ":pull";
  static final String MOVE = ID + ":move";

  private SwapJars() {}

  /** Puts a version into a directory, with the sum of one class and the sender of another. */
  static void drop(Path plugins, String version, Class<?> sum, Class<?> sender) {
    drop(plugins, "swapped.jar", version, sum, sender);
  }

  static void drop(Path plugins, String file, String version, Class<?> sum, Class<?> sender) {
    try {
      Path part = Files.createTempFile(plugins, "next", ".part");
      Files.move(
          jar(part, version, sum, sender),
          plugins.resolve(file),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path jar(Path file, String version, Class<?> sum, Class<?> sender) {
    String manifest =
        """
        {"id": "%s", "version": "%s", "sdk": "[0.1,1.0)", "provider": "tests",
         "license": "Apache-2.0", "summary": "made in a test", "capabilities": ["environment"]}
        """;
    return TestPlugins.plugin(ID)
        .entry(TestPlugins.MANIFEST, manifest.formatted(ID, version))
        .withClass(LiveSamples.class)
        .withClass(SwapSamples.class)
        .provider(sum)
        .provider(sender)
        .provider(SwapSamples.Receive.class)
        .write(file);
  }

  /** The version that a process serves; empty if none. */
  static String served(Context context) {
    return context.plugins().plugins().stream()
        .filter(plugin -> plugin.id().equals(ID))
        .map(Plugin::version)
        .collect(Collectors.joining());
  }
}
