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
 * The classes that every plugin gets: those of the SPI, and those of the exported packages of the
 * JDK's modules. Read once and kept, as their class files; none of them is loaded for it.
 * Thread-safe.
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

  /** Whether a plugin gets a class of this name from the host, and never from its own jar. */
  boolean owns(String name) {
    return isSpi(name) || find(name) != null;
  }

  static boolean isSpi(String name) {
    return name.startsWith(SPI);
  }

  /**
   * Whether the JDK has a package of this class, though in a module that is not in this process.
   */
  boolean isOfAbsentModule(String name) {
    String packageName = Names.packageOf(name);
    return !modules.containsKey(packageName)
        && ModuleFinder.ofSystem().findAll().stream()
            .anyMatch(
                module -> module.descriptor().packages().contains(packageName.replace('/', '.')));
  }

  /** The shape of a class, or null if there is none that a plugin may name. */
  @Nullable TypeShape find(String name) {
    TypeShape known = shapes.get(name);
    if (known == null) {
      known = read(name);
      // Names that no class has are not kept: plugins could think of any number.
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

  private @Nullable InputStream open(String name) throws IOException {
    if (isSpi(name)) {
      return CollExecutorBase.class.getResourceAsStream("/" + name + ".class");
    }
    String packageName = Names.packageOf(name);
    Module module = modules.get(packageName);
    if (module == null || !module.isExported(packageName.replace('/', '.'))) {
      return null;
    }
    return module.getResourceAsStream(name + ".class");
  }
}
