package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.verifier.capability.KeptState;
import java.util.Set;

/**
 * Reports fields that hold mutable state: fields that are not final, arrays, and mutable types; see
 * {@link KeptState}.
 */
final class NoState extends ArchCondition<JavaClass> {

  private final boolean isStatic;

  NoState(boolean isStatic) {
    super(
        isStatic
            ? "keep no state in static fields"
            : "keep no state in fields, if they are executors or templates");
    this.isStatic = isStatic;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!isStatic
        && !type.isAssignableTo(CollExecutorBase.class)
        && !type.isAssignableTo(AlgTemplate.class)) {
      return;
    }
    for (JavaField field : type.getFields()) {
      Set<JavaModifier> modifiers = field.getModifiers();
      // Fields that javac adds: an enum's array of constants, switch tables, the assertion flag.
      if (modifiers.contains(JavaModifier.SYNTHETIC)
          || modifiers.contains(JavaModifier.STATIC) != isStatic) {
        continue;
      }
      String problem = problem(type, field);
      if (!problem.isEmpty()) {
        String text =
            "Field <%s> %s in %s"
                .formatted(field.getFullName(), problem, field.getSourceCodeLocation());
        events.add(SimpleConditionEvent.violated(field, text));
      }
    }
  }

  private static String problem(JavaClass type, JavaField field) {
    JavaClass content = field.getRawType();
    String problem =
        KeptState.problem(
            field.getModifiers().contains(JavaModifier.FINAL),
            content.getName(),
            content.isInterface(),
            () -> isFilledAnew(type, field));
    return problem.isEmpty() && hasFieldsThatChange(content) ? KeptState.CAN_CHANGE : problem;
  }

  /** Whether a class belongs to the plugin and has fields that are not final. */
  private static boolean hasFieldsThatChange(JavaClass type) {
    String name = type.getName();
    return !name.startsWith("java.")
        && !OnlyAllowedTypes.isSdk(name)
        && type.getAllFields().stream()
            .anyMatch(
                field ->
                    !field.getModifiers().contains(JavaModifier.FINAL)
                        && !field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getOwner().getName().startsWith("java."));
  }

  private static boolean isFilledAnew(JavaClass type, JavaField field) {
    return ClassFiles.read(type)
        .map(file -> KeptState.isFilledAnew(file, field.getName()))
        .orElse(false);
  }
}
