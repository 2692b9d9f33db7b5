package dev.tutti.sdk.processor;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Elements.Origin;

/** A provider has a public constructor without parameters. */
final class ConstructorRule {

  private static final String RULE =
      "an algorithm must have a public constructor without parameters";

  private final Elements elements;

  ConstructorRule(Elements elements) {
    this.elements = elements;
  }

  Optional<Problem> check(TypeElement type) {
    List<ExecutableElement> all = ElementFilter.constructorsIn(type.getEnclosedElements());
    for (ExecutableElement constructor : all) {
      if (constructor.getParameters().isEmpty()) {
        return isUsable(constructor) ? Optional.empty() : Optional.of(hidden(type, constructor));
      }
    }
    return Optional.of(missing(type, all));
  }

  /** A default constructor is as visible as its class, which another rule checks. */
  private boolean isUsable(ExecutableElement constructor) {
    return constructor.getModifiers().contains(Modifier.PUBLIC)
        || elements.getOrigin(constructor) == Origin.MANDATED;
  }

  private static Problem hidden(TypeElement type, ExecutableElement constructor) {
    return new Problem(
        RULE, "that of " + type + " is " + Access.of(constructor), "declare it public");
  }

  private static Problem missing(TypeElement type, List<ExecutableElement> all) {
    String signatures =
        all.stream()
            .map(constructor -> signature(type, constructor))
            .collect(Collectors.joining(", "));
    return new Problem(
        RULE,
        type + " has only " + signatures,
        "add 'public "
            + type.getSimpleName()
            + "() {}', and read settings from the options of the request");
  }

  private static String signature(TypeElement type, ExecutableElement constructor) {
    return constructor.getParameters().stream()
        .map(parameter -> parameter.asType().toString())
        .collect(Collectors.joining(", ", type.getSimpleName() + "(", ")"));
  }
}
