package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports classes with {@link CollAlgorithm} that are not public and final, or that the host cannot
 * instantiate.
 */
final class LoadableProviders extends ArchCondition<JavaClass> {

  LoadableProviders() {
    super(
        "be public and final, with a public constructor without parameters, if they are providers");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!type.isAnnotatedWith(CollAlgorithm.class)) {
      return;
    }
    for (String problem : problems(type)) {
      String text = "Provider <%s> %s in %s".formatted(type.getName(), problem, place(type));
      events.add(SimpleConditionEvent.violated(type, text));
    }
  }

  private static List<String> problems(JavaClass type) {
    List<String> problems = new ArrayList<>();
    if (!type.isAssignableTo(CollExecutorBase.class)) {
      problems.add("does not extend CollExecutorBase");
    }
    if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
      problems.add("is not public");
    }
    if (!type.getModifiers().contains(JavaModifier.FINAL)) {
      problems.add("is not final");
    }
    if (type.isInnerClass()) {
      problems.add("is an inner class; make it static");
    } else if (type.getConstructors().stream().noneMatch(LoadableProviders::isPlain)) {
      problems.add("has no public constructor without parameters");
    }
    return problems;
  }

  private static boolean isPlain(JavaConstructor constructor) {
    return constructor.getModifiers().contains(JavaModifier.PUBLIC)
        && constructor.getRawParameterTypes().isEmpty();
  }

  private static String place(JavaClass type) {
    return type.getSourceCodeLocation().toString();
  }
}
