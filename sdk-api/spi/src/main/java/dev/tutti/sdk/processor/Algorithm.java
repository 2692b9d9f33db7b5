package dev.tutti.sdk.processor;

import dev.tutti.sdk.CollAlgorithm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/**
 * A class with {@link CollAlgorithm}.
 *
 * @param type the class
 * @param name the algorithm's name; empty if the compiler does not know it
 * @param summary the algorithm's summary; empty if the compiler does not know it
 */
record Algorithm(TypeElement type, Optional<String> name, Optional<String> summary) {

  private static final String NAME_PATTERN = "[a-z][a-z0-9-]*";

  /** Reads the annotation of a type; empty if it has none. */
  static Optional<Algorithm> of(TypeElement type) {
    for (AnnotationMirror mirror : type.getAnnotationMirrors()) {
      TypeElement annotation = (TypeElement) mirror.getAnnotationType().asElement();
      if (annotation.getQualifiedName().contentEquals(CollAlgorithm.class.getCanonicalName())) {
        return Optional.of(new Algorithm(type, text(mirror, "name"), text(mirror, "summary")));
      }
    }
    return Optional.empty();
  }

  /** Every rule that the texts of the annotation break. */
  List<Problem> problems() {
    return Stream.concat(
            name.filter(given -> !given.matches(NAME_PATTERN)).map(this::badName).stream(),
            summary.filter(String::isBlank).map(this::blankSummary).stream())
        .toList();
  }

  private Problem badName(String given) {
    return new Problem(
        "the name of an algorithm must match " + NAME_PATTERN,
        "that of " + type + " is '" + given + "'",
        "name it for example '" + suggestion(given) + "'");
  }

  private Problem blankSummary(String given) {
    return new Problem(
        "the summary of an algorithm must not be blank",
        "that of " + type + " is '" + given + "'",
        "say in one sentence what it does and what it is good at");
  }

  /** The nearest name that matches. */
  private static String suggestion(String given) {
    String name =
        given
            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^[^a-z]+|-+$", "");
    return name.isEmpty() ? "ring" : name;
  }

  /** A constant string; a value that the compiler could not resolve has no quotes. */
  private static Optional<String> text(AnnotationMirror mirror, String member) {
    for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> entry :
        mirror.getElementValues().entrySet()) {
      AnnotationValue value = entry.getValue();
      if (entry.getKey().getSimpleName().contentEquals(member)
          && value.getValue() instanceof String text
          && value.toString().startsWith("\"")) {
        return Optional.of(text);
      }
    }
    return Optional.empty();
  }
}
