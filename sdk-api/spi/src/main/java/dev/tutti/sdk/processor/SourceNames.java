package dev.tutti.sdk.processor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * The types and modules whose sources are being compiled, nested types included.
 *
 * <p>An element of one round is stale in the next, so names are kept and looked up again.
 */
final class SourceNames {

  /** A type; the module's name is empty outside named modules. */
  private record TypeName(String module, String canonicalName) {}

  private final Set<TypeName> types = new LinkedHashSet<>();
  private final Set<String> modules = new LinkedHashSet<>();

  /** Adds a root element of a round and its nested types. */
  void add(Element root, Elements elements) {
    if (root instanceof ModuleElement module) {
      modules.add(module.getQualifiedName().toString());
    } else if (root instanceof TypeElement type) {
      ModuleElement module = elements.getModuleOf(type);
      String moduleName = module == null ? "" : module.getQualifiedName().toString();
      types.add(new TypeName(moduleName, type.getQualifiedName().toString()));
      ElementFilter.typesIn(type.getEnclosedElements()).forEach(nested -> add(nested, elements));
    }
  }

  /** The types, in source order. */
  List<TypeElement> types(Elements elements) {
    List<TypeElement> found = new ArrayList<>();
    for (TypeName name : types) {
      ModuleElement module = elements.getModuleElement(name.module());
      @Nullable TypeElement type =
          module == null
              ? elements.getTypeElement(name.canonicalName())
              : elements.getTypeElement(module, name.canonicalName());
      if (type != null) {
        found.add(type);
      }
    }
    return found;
  }

  /** The modules whose {@code module-info.java} is being compiled. */
  List<ModuleElement> modules(Elements elements) {
    List<ModuleElement> found = new ArrayList<>();
    for (String name : modules) {
      @Nullable ModuleElement module = elements.getModuleElement(name);
      if (module != null) {
        found.add(module);
      }
    }
    return found;
  }
}
