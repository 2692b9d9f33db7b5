package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Context;
import dev.tutti.host.SteppedContexts;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An installation that finds a disk full says which one, and leaves nothing behind. */
class FullDiskTest {

  @TempDir private Path directory;

  /** Which steps write into which directory. */
  @ParameterizedTest
  @CsvSource({
    "COPY_STARTED,    state",
    "COPY_WRITING,    state",
    "COPY_SYNCED,     state",
    "APPEND_STARTED,  state",
    "APPEND_WRITTEN,  state",
    "APPEND_SYNCED,   state",
    "INSTALL_CHECKED, plugins",
    "INSTALL_WRITTEN, plugins",
    "INSTALL_NAMED,   plugins",
  })
  void anInstallationLeavesNothingBehind(Step step, String full) throws IOException {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Path state = directory.resolve("state");
    Path jars = Files.createDirectory(directory.resolve("jars"));
    Path old = LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    Files.writeString(plugins.resolve("pull.jar.sig"), "not looked at");
    Path next = LiveJars.jar(jars.resolve("pull.jar"), "1.1.0", LiveSamples.Right.class);
    AtomicReference<Step> fullAt = new AtomicReference<>();
    try (Context context =
        SteppedContexts.told(
                Context.builder().watchPlugins(plugins, state),
                reached -> {
                  if (reached == fullAt.get()) {
                    throw new IOException("No space left on device");
                  }
                })
            .open()) {
      PluginManager manager = context.pluginManager();
      Map<String, Long> before = contents(plugins);
      fullAt.set(step);

      assertThatThrownBy(() -> manager.install(next))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isIn(ErrorCode.PLUGIN_STATE, ErrorCode.OUTPUT_UNWRITABLE))
          .hasMessageContaining(directory.resolve(full).toString())
          .hasMessageContaining("its disk is full, with ")
          .hasMessageContaining(" MiB left: make room");

      assertThat(contents(plugins)).isEqualTo(before);
      assertThat(contents(state).keySet()).noneMatch(name -> name.endsWith(".tmp"));
      assertThat(context.plugins().algorithms())
          .allMatch(algorithm -> algorithm.version().equals("1.0.0"));

      fullAt.set(null);
      assertThat(manager.install(next).version()).isEqualTo("1.1.0");
      assertThat(contents(plugins)).containsOnlyKeys("pull.jar");
    }
    assertThat(old).hasSameBinaryContentAs(next);
    Context.builder().watchPlugins(plugins, state).open().close();
  }

  /** The files below a directory, with checksums of their contents. */
  private static Map<String, Long> contents(Path directory) throws IOException {
    Map<String, Long> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(
            directory.relativize(file).toString(),
            Arrays.hashCode(Files.readAllBytes(file)) * 31L + Files.size(file));
      }
    }
    return contents;
  }
}
