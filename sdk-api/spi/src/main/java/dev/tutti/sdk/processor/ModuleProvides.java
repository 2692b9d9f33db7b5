package dev.tutti.sdk.processor;

import dev.tutti.sdk.CollExecutorBase;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.ModuleElement.ProvidesDirective;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/**
 * Checks the {@code provides} clause for executors against the annotated classes of its module. A
 * module without such a clause is correct, because hosts read the services file.
 */
final class ModuleProvides {

  private static final String CLAUSE =
      "'provides " + CollExecutorBase.class.getCanonicalName() + " with'";

  private ModuleProvides() {}

  static void check(
      ModuleElement module,
      List<Algorithm> algorithms,
      ExecutorTypes executors,
      Elements elements,
      Findings findings) {
    List<TypeElement> provided = new ArrayList<>();
    for (ProvidesDirective provides : ElementFilter.providesIn(module.getDirectives())) {
      if (executors.isBase(provides.getService())) {
        provided.addAll(provides.getImplementations());
      }
    }
    if (provided.isEmpty()) {
      return;
    }
    for (TypeElement type : provided) {
      if (Algorithm.of(type).isEmpty()) {
        findings.error(module, unknown(module, type));
      }
    }
    for (Algorithm algorithm : algorithms) {
      TypeElement type = algorithm.type();
      if (module.equals(elements.getModuleOf(type)) && !provided.contains(type)) {
        findings.error(type, missing(module, type));
      }
    }
  }

  private static Problem unknown(ModuleElement module, TypeElement type) {
    return new Problem(
        CLAUSE + " must list only classes with @CollAlgorithm",
        "that of module " + module + " lists " + type,
        "annotate the class, or remove it from the clause");
  }

  private static Problem missing(ModuleElement module, TypeElement type) {
    return new Problem(
        CLAUSE + " must list every algorithm of its module",
        "that of module " + module + " does not list " + type,
        "add it to the clause in module-info.java");
  }
}
