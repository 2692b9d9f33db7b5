package dev.tutti.plugin;

import dev.tutti.sdk.CollExecutorBase;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The modules of an application that name executors. */
final class Modules {

  private Modules() {}

  /**
   * The modules that a class loader sees, sorted by name.
   *
   * @param found the providers that the class loader has found
   */
  static Set<Module> providing(ClassLoader loader, List<ServiceLoader.Provider<?>> found) {
    Set<Module> modules = new LinkedHashSet<>();
    Stream.concat(
            ModuleLayer.boot().modules().stream()
                .filter(module -> !declared(module).isEmpty() && sees(loader, module)),
            found.stream().map(each -> each.type().getModule()).filter(Module::isNamed))
        .sorted(Comparator.comparing(Module::getName))
        .forEach(modules::add);
    return modules;
  }

  private static boolean sees(ClassLoader loader, Module module) {
    for (ClassLoader at = loader; at != null; at = at.getParent()) {
      if (at.equals(module.getClassLoader())) {
        return true;
      }
    }
    return false;
  }

  /** The executors that a module names. */
  static List<String> declared(Module module) {
    return module.getDescriptor().provides().stream()
        .filter(provides -> provides.service().equals(CollExecutorBase.class.getName()))
        .flatMap(provides -> provides.providers().stream())
        .toList();
  }

  /** The file or directory of a module, or null if it is neither. */
  static @Nullable Path path(Module module) {
    ModuleLayer layer = module.getLayer();
    return layer == null
        ? null
        : layer
            .configuration()
            .findModule(module.getName())
            .flatMap(resolved -> location(resolved.reference()))
            .orElse(null);
  }

  private static Optional<Path> location(ModuleReference reference) {
    return reference.location().map(place -> PathEntry.path(place.toString()));
  }
}
