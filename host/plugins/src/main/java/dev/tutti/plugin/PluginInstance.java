package dev.tutti.plugin;

import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.Arguments;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A loaded version of a plugin. Closing it unloads it: its algorithms refuse to plan, its class
 * loader loads nothing more, and the host keeps no reference to its classes. Thread-safe.
 */
public final class PluginInstance implements AutoCloseable {

  private final Plugin plugin;
  private final String sha256;
  private final Set<String> mayStay;
  private JarLoader.@Nullable Loaded loaded;

  private PluginInstance(Plugin plugin, JarLoader.Loaded loaded) {
    this.plugin = plugin;
    this.sha256 = loaded.sha256();
    this.mayStay = loaded.mayStay();
    this.loaded = loaded;
  }

  /**
   * Loads a jar.
   *
   * @param content a jar that does not change while it is loaded
   * @param shown the file that messages name, from which the content was copied
   * @param limit the longest time for the constructor of a provider
   * @throws dev.tutti.sdk.TuttiException with one of the PLUGIN codes if nothing of the jar can be
   *     used
   */
  public static PluginInstance load(Path content, Path shown, Duration limit) {
    Arguments.require(content, "content");
    Arguments.require(shown, "shown");
    Arguments.require(limit, "limit");

    JarLoader.Loaded loaded = new JarLoader(TimeLimit.heedingInterrupts(limit)).load(content);
    return new PluginInstance(loaded.plugin().shownAs(shown), loaded);
  }

  /** The name of the class loader of a plugin's version, as stack traces and heap dumps show it. */
  public static String loaderName(String plugin, String version) {
    Arguments.require(plugin, "plugin");
    Arguments.require(version, "version");

    return PartitionClassLoader.nameOf(plugin, version);
  }

  /** The SHA-256 of the bytes that were loaded, as 64 lower-case hexadecimal digits. */
  public String sha256() {
    return sha256;
  }

  /** The things it uses that may keep its classes loaded after its end, a phrase each. */
  public Set<String> mayStay() {
    return mayStay;
  }

  /** Hands the plugin over to another owner; closing this instance does nothing then. */
  public synchronized PluginInstance handOver() {
    JarLoader.Loaded present = Objects.requireNonNull(loaded, "not closed");
    loaded = null;
    return new PluginInstance(plugin, present);
  }

  /** The loaded plugin. */
  public Plugin plugin() {
    return plugin;
  }

  /**
   * Watches for the end of the plugin's classes.
   *
   * @param queue receives the reference once the classes are collected
   */
  public synchronized PhantomReference<ClassLoader> watch(ReferenceQueue<ClassLoader> queue) {
    JarLoader.Loaded present = Objects.requireNonNull(loaded, "not closed");
    return new PhantomReference<>(Objects.requireNonNull(present.loader(), "of a jar"), queue);
  }

  /** Unloads the plugin. A second call does nothing. */
  @Override
  public synchronized void close() {
    JarLoader.Loaded present = loaded;
    if (present != null) {
      loaded = null;
      plugin.algorithms().forEach(Algorithm::unload);
      present.close();
    }
  }

  @Override
  public String toString() {
    return plugin.id() + " " + plugin.version();
  }
}
