package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginJars;
import dev.tutti.sdk.ErrorCode;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A context with the plugins that its application depends on. */
final class PluginsFromClassPathTest {

  @TempDir private Path directory;

  @Test
  void theContextClassLoaderFindsThem() throws Exception {
    Path jar = PluginJars.plugin("good").allReduce("Good", "good").write(directory, "good.jar");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader())) {
      thread.setContextClassLoader(loader);
      try (Context context = Context.builder().pluginsFromClassPath().strict(true).open()) {
        assertThat(context.plugins().plugins()).extracting(Plugin::id).containsExactly("good");
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void noneIsRefused() {
    ContextBuilder builder =
        Context.builder().pluginsFromClassPath(ClassLoader.getPlatformClassLoader());

    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, builder::open))
        .startsWith("no plugin is on the class path or module path of the application");
  }

  @Test
  void watchedPluginsAreNotMixedWithThem() {
    ContextBuilder builder =
        Context.builder()
            .pluginsFromClassPath()
            .watchPlugins(directory, directory.resolve("state"));

    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, builder::open))
        .isEqualTo(
            "watched plugins can change, but those of the class path cannot; leave out"
                + " pluginsFromClassPath or watchPlugins");
  }
}
