package dev.tutti.verifier.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Loads classes of a test again, with stop points, as a host loads those of plugins. */
final class Woven extends ClassLoader {

  private final String prefix;

  private Woven(Class<?> outer) {
    super(outer.getClassLoader());
    this.prefix = outer.getName() + "$";
  }

  /** An instance of a woven copy of a nested class. */
  static <T> T instance(Class<?> nested, Class<T> type) {
    try {
      Class<?> copy = Class.forName(nested.getName(), true, new Woven(nested.getNestHost()));
      var constructor = copy.getDeclaredConstructor();
      constructor.setAccessible(true);
      return type.cast(constructor.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      return name.startsWith(prefix) ? findClass(name) : super.loadClass(name, resolve);
    }
  }

  @Override
  protected Class<?> findClass(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getParent().getResourceAsStream(file))) {
      byte[] woven = StopWeaver.weave(name, in.readAllBytes());
      return defineClass(name, woven, 0, woven.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
