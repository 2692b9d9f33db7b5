package dev.tutti.plugin.live;

import dev.tutti.testkit.plugin.TestPlugins;
import java.nio.file.Path;

/** Jars with one of {@link LiveSamples}. */
public final class LiveJars {

  public static final String ID = "org.example.pull";

  private LiveJars() {}

  public static Path jar(Path file, String version, Class<?> provider) {
    return plugin(ID, version, provider).write(file);
  }

  static TestPlugins plugin(String id, String version, Class<?> provider) {
    return TestPlugins.plugin(id).version(version).withClass(LiveSamples.class).provider(provider);
  }
}
