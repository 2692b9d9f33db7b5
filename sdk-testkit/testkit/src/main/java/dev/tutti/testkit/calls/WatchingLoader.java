package dev.tutti.testkit.calls;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.StopPoint;
import dev.tutti.verifier.gate.StopWeaver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Loads the classes of one plugin once more, with watched calls and stop points: the classes in the
 * same directory or jar as the executor. All others come from the plugin's own loader, so executors
 * of both loaders share the types of the SPI. Thread-safe.
 */
final class WatchingLoader extends ClassLoader {

  static {
    registerAsParallelCapable();
  }

  private final ClassLoader plugin;
  private final String root;

  /** Guarded by itself. */
  private final Set<Call> calls = new LinkedHashSet<>();

  private WatchingLoader(ClassLoader plugin, String root) {
    super("watched", plugin);
    this.plugin = plugin;
    this.root = root;
    StopPoint.openTo(this);
  }

  /**
   * A loader for the plugin of a class.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if its class file is not found
   */
  static WatchingLoader of(Class<?> executor) {
    ClassLoader plugin = executor.getClassLoader();
    String file = fileOf(executor.getName());
    URL url = plugin == null ? null : plugin.getResource(file);
    if (plugin == null || url == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "calls are watched in classes that lie in a directory or a jar. Actual: no class file of"
              + " %s",
          executor.getName());
    }
    String text = url.toString();
    return new WatchingLoader(plugin, text.substring(0, text.length() - file.length()));
  }

  private static String fileOf(String className) {
    return className.replace('.', '/') + ".class";
  }

  void note(String callee, StackTraceElement caller) {
    String[] parts = callee.split("#", -1);
    Call call = new Call(parts[0], parts[1], CallKind.valueOf(parts[2]), caller);
    synchronized (calls) {
      calls.add(call);
    }
  }

  /** The calls so far, in the order of their first occurrence. */
  List<Call> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      URL url = name.startsWith("java.") ? null : plugin.getResource(fileOf(name));
      if (url == null || !url.toString().equals(root + fileOf(name))) {
        return super.loadClass(name, resolve);
      }
      byte[] woven = StopWeaver.weave(name, CallWeaver.weave(read(url)));
      return defineClass(name, woven, 0, woven.length);
    }
  }

  private static byte[] read(URL url) {
    try (InputStream stream = url.openStream()) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + url, e);
    }
  }
}
