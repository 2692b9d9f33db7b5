package dev.tutti.sdk.processor;

import dev.tutti.sdk.CollExecutorBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/** The rules for a provider: {@code ServiceLoader} can instantiate it, and it has one operation. */
final class ProviderRules {

  private static final String BASE = CollExecutorBase.class.getSimpleName();
  private static final String EXAMPLE = BASE + "<AllReduceParam>";

  private final ExecutorTypes executors;
  private final ConstructorRule constructors;

  ProviderRules(ExecutorTypes executors, Elements elements) {
    this.executors = executors;
    this.constructors = new ConstructorRule(elements);
  }

  /** Every rule that a type breaks. */
  List<Problem> problems(TypeElement type) {
    if (type.getKind() != ElementKind.CLASS) {
      return List.of(notAClass(type));
    }
    List<Problem> problems = new ArrayList<>();
    if (!executors.isExecutor(type)) {
      problems.add(notAnExecutor(type));
    }
    if (type.getModifiers().contains(Modifier.ABSTRACT)) {
      problems.add(isAbstract(type));
    }
    hidden(type).ifPresent(problems::add);
    if (type.getNestingKind() == NestingKind.MEMBER
        && !type.getModifiers().contains(Modifier.STATIC)) {
      problems.add(inner(type));
    }
    constructors.check(type).ifPresent(problems::add);
    if (!type.getTypeParameters().isEmpty()) {
      problems.add(generic(type));
    } else if (executors.isExecutor(type) && executors.paramRecord(type).isEmpty()) {
      problems.add(noOperation(type));
    }
    return problems;
  }

  private static Problem notAClass(TypeElement type) {
    String kind =
        switch (type.getKind()) {
          case ENUM -> "an enum";
          case RECORD -> "a record";
          case ANNOTATION_TYPE -> "an annotation type";
          default -> "an interface";
        };
    return new Problem(
        "an algorithm must be a class",
        type + " is " + kind,
        "make it a class that extends " + BASE);
  }

  private static Problem notAnExecutor(TypeElement type) {
    return new Problem(
        "an algorithm must extend " + BASE,
        type + " extends " + type.getSuperclass(),
        "extend " + BASE + " with the record of its operation, for example " + EXAMPLE);
  }

  private static Problem isAbstract(TypeElement type) {
    return new Problem(
        "an algorithm must not be abstract",
        type + " is",
        "remove 'abstract', or move @CollAlgorithm to its subclasses");
  }

  private static Optional<Problem> hidden(TypeElement type) {
    Element around = type;
    while (around instanceof TypeElement) {
      if (!around.getModifiers().contains(Modifier.PUBLIC)) {
        return Optional.of(
            new Problem(
                "an algorithm, and every class around it, must be public",
                around + " is " + Access.of(around),
                "declare it public"));
      }
      around = around.getEnclosingElement();
    }
    return Optional.empty();
  }

  private static Problem inner(TypeElement type) {
    return new Problem(
        "an algorithm must not be an inner class",
        type + " is not static",
        "declare it static, or move it to a file of its own");
  }

  private static Problem generic(TypeElement type) {
    List<String> parameters = type.getTypeParameters().stream().map(Object::toString).toList();
    return new Problem(
        "an algorithm must not have type parameters",
        type + " has <" + String.join(", ", parameters) + ">",
        "remove them, and extend "
            + BASE
            + " with the record of one operation, for example "
            + EXAMPLE);
  }

  private Problem noOperation(TypeElement type) {
    return new Problem(
        "an algorithm must fix the P of " + BASE + "<P> to the record of one operation",
        type + executors.param(type).map(ProviderRules::notARecord).orElse(" leaves it out"),
        "write for example " + EXAMPLE);
  }

  private static String notARecord(TypeMirror param) {
    return (param.getKind() == TypeKind.TYPEVAR ? " leaves it open as " : " fixes it to ") + param;
  }
}
