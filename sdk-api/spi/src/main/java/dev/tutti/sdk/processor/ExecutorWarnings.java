package dev.tutti.sdk.processor;

import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;

/** Warns about executors that compile but probably contain a mistake. */
final class ExecutorWarnings {

  private ExecutorWarnings() {}

  /** Checks one type; a type that is not an executor gets no warning. */
  static void check(
      TypeElement type, ExecutorTypes executors, ProviderRules rules, Findings findings) {
    if (!executors.isExecutor(type)) {
      return;
    }
    // A class that breaks a provider rule was not meant to be a provider.
    if (Algorithm.of(type).isEmpty() && rules.problems(type).isEmpty()) {
      findings.warning(type, notAnnotated(type));
    }
    for (VariableElement field : ElementFilter.fieldsIn(type.getEnclosedElements())) {
      if (!field.getModifiers().contains(Modifier.STATIC)
          && !field.getModifiers().contains(Modifier.FINAL)) {
        findings.warning(field, mutable(type, field));
      }
    }
  }

  private static Problem notAnnotated(TypeElement type) {
    return new Problem(
        "hosts find only executors with @CollAlgorithm",
        type + " has none",
        "add @CollAlgorithm(name = \"...\", summary = \"...\"),"
            + " or declare it package-private if it is not for hosts");
  }

  private static Problem mutable(TypeElement type, VariableElement field) {
    return new Problem(
        "executors are stateless",
        "field '" + field + "' of " + type + " can change",
        "declare it final, or make it a local variable");
  }
}
