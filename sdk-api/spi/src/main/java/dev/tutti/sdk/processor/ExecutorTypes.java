package dev.tutti.sdk.processor;

import dev.tutti.sdk.CollExecutorBase;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** Finds out whether types are executors, and for which parameter record. */
final class ExecutorTypes {

  private final TypeElement base;
  private final Types types;

  private ExecutorTypes(TypeElement base, Types types) {
    this.base = base;
    this.types = types;
  }

  /**
   * Empty if the compilation does not see {@link CollExecutorBase}; then there are no executors.
   */
  static Optional<ExecutorTypes> find(ProcessingEnvironment environment) {
    @Nullable TypeElement base =
        environment.getElementUtils().getTypeElement(CollExecutorBase.class.getCanonicalName());
    return base == null
        ? Optional.empty()
        : Optional.of(new ExecutorTypes(base, environment.getTypeUtils()));
  }

  /** Whether a type is {@link CollExecutorBase} itself. */
  boolean isBase(TypeElement type) {
    return type.equals(base);
  }

  /** Whether a type extends {@link CollExecutorBase}, directly or not. */
  boolean isExecutor(TypeElement type) {
    return !isBase(type) && type.getKind().isClass() && baseOf(type) != null;
  }

  /** Whether the compiler does not know a superclass, or the parameter record. */
  boolean isUnresolved(TypeElement type) {
    TypeMirror superclass = type.getSuperclass();
    while (superclass instanceof DeclaredType declared && superclass.getKind() != TypeKind.ERROR) {
      superclass = ((TypeElement) declared.asElement()).getSuperclass();
    }
    return superclass.getKind() == TypeKind.ERROR
        || param(type).filter(param -> param.getKind() == TypeKind.ERROR).isPresent();
  }

  /** The type argument for {@code P}, resolved through all superclasses; empty if there is none. */
  Optional<TypeMirror> param(TypeElement type) {
    @Nullable DeclaredType seen = baseOf(type);
    return seen == null || seen.getTypeArguments().isEmpty()
        ? Optional.empty()
        : Optional.of(seen.getTypeArguments().getFirst());
  }

  /** The parameter record; empty if {@code P} is anything else. */
  Optional<TypeElement> paramRecord(TypeElement type) {
    return param(type)
        .map(types::asElement)
        .filter(element -> element.getKind() == ElementKind.RECORD)
        .map(TypeElement.class::cast);
  }

  /** The supertype {@link CollExecutorBase} of a type, with its type arguments. */
  private @Nullable DeclaredType baseOf(TypeElement type) {
    if (!type.getKind().isClass()) {
      return null;
    }
    TypeMirror current = type.asType();
    while (current instanceof DeclaredType declared && current.getKind() != TypeKind.ERROR) {
      TypeElement element = (TypeElement) declared.asElement();
      if (element.equals(base)) {
        return declared;
      }
      if (element.getSuperclass().getKind() == TypeKind.NONE) {
        return null;
      }
      // The superclass comes first.
      current = types.directSupertypes(current).getFirst();
    }
    return null;
  }
}
