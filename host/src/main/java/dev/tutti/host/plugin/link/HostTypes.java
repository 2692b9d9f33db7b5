package dev.tutti.host.plugin.link;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
  private final Map<String, Optional<TypeShape>> shapes = new ConcurrentHashMap<>();

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

  /** The shape of a class, or null if there is none that a plugin may name. */
  @Nullable TypeShape find(String name) {
    return shapes.computeIfAbsent(name, this::read).orElse(null);
  }

  private Optional<TypeShape> read(String name) {
    try (InputStream in = open(name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(TypeShape.of(ClassFile.of().parse(in.readAllBytes())));
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
