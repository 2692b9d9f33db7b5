package dev.tutti.plugin.link;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.module.ModuleFinder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that every plugin gets: those of the SPI, and those in exported packages of the JDK's
 * modules. Their class files are read once and kept; no class is loaded for this. Thread-safe.
 */
final class HostTypes {

  private static final String SPI = "dev/tutti/sdk/";

  private final Map<String, Module> modules = new HashMap<>();
  private final Map<String, TypeShape> shapes = new ConcurrentHashMap<>();

  HostTypes() {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    for (Module module : ModuleLayer.boot().modules()) {
      ClassLoader loader = module.getClassLoader();
      if (loader == null || platform.equals(loader)) {
        for (String name : module.getPackages()) {
          modules.put(name.replace('.', '/'), module);
        }
      }
    }
  }

  /** Whether a plugin gets a class with this name from the host, and never from its own jar. */
  boolean owns(String name) {
    return isSpi(name) || find(name) != null;
  }

  static boolean isSpi(String name) {
    return name.startsWith(SPI);
  }

  /** Whether the JDK has the package of this class, but in a module that is not in this process. */
  boolean isOfAbsentModule(String name) {
    String packageName = Names.packageOf(name);
    return !modules.containsKey(packageName)
        && ModuleFinder.ofSystem().findAll().stream()
            .anyMatch(
                module -> module.descriptor().packages().contains(packageName.replace('/', '.')));
  }

  /** The shape of a class, or null if there is no such class that a plugin may name. */
  @Nullable TypeShape find(String name) {
    TypeShape known = shapes.get(name);
    if (known == null) {
      known = read(name);
      // Names of missing classes are not kept: plugins could use any number of them.
      if (known != null) {
        shapes.put(name, known);
      }
    }
    return known;
  }

  private @Nullable TypeShape read(String name) {
    try (InputStream in = open(name)) {
      return in == null ? null : TypeShape.of(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the class " + name, e);
    }
  }

  /** The class file of a class of the SPI; null if there is none. */
  static @Nullable InputStream openSpi(String name) {
    return CollExecutorBase.class.getResourceAsStream("/" + name + ".class");
  }

  private @Nullable InputStream open(String name) throws IOException {
    if (isSpi(name)) {
      return openSpi(name);
    }
    String packageName = Names.packageOf(name);
    Module module = modules.get(packageName);
    if (module == null || !module.isExported(packageName.replace('/', '.'))) {
      return null;
    }
    return module.getResourceAsStream(name + ".class");
  }
}
