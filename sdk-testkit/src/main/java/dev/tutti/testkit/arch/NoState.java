package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.template.AlgTemplate;
import java.util.List;
import java.util.Set;

/**
 * Reports fields that can change, or whose value can: fields that are not final, arrays, and types
 * that are made to be changed. A collection behind the name of an interface is reported where the
 * constructor or the static initialiser puts a new changeable one there; whoever goes a longer way
 * is not caught here, but by the check that equal questions get equal answers.
 */
final class NoState extends ArchCondition<JavaClass> {

  /** Interfaces of collections, which say nothing of what is behind them. */
  private static final Set<String> OPEN =
      Set.of(
          "java.util.Collection",
          "java.util.List",
          "java.util.Map",
          "java.util.Set",
          "java.util.SequencedCollection",
          "java.util.SequencedMap",
          "java.util.SequencedSet");

  /** Starts of the names of classes in java.util that cannot change. */
  private static final List<String> UNCHANGEABLE =
      List.of("java.util.Locale", "java.util.Optional", "java.util.regex.Pattern");

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
      // javac's own: the constants of an enum, its switch tables, the flag of assertions.
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
    if (!field.getModifiers().contains(JavaModifier.FINAL)) {
      return "is not final";
    }
    JavaClass content = field.getRawType();
    if (content.isArray()) {
      return "is an array, whose elements can change; use List.of";
    }
    if (isChangeable(content) || (OPEN.contains(content.getName()) && isFilledAnew(type, field))) {
      return "holds a value that can change";
    }
    return "";
  }

  /** Whether a class of the JDK is made to be changed, or one of the plugin's has such fields. */
  private static boolean isChangeable(JavaClass type) {
    String name = type.getName();
    if (name.startsWith("java.util.")) {
      return !type.isInterface() && UNCHANGEABLE.stream().noneMatch(name::startsWith);
    }
    if (name.startsWith("java.")) {
      return name.equals("java.lang.StringBuilder")
          || name.equals("java.lang.StringBuffer")
          || name.startsWith("java.lang.ThreadLocal");
    }
    return !OnlyAllowedTypes.isSdk(name)
        && type.getAllFields().stream()
            .anyMatch(
                field ->
                    !field.getModifiers().contains(JavaModifier.FINAL)
                        && !field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getOwner().getName().startsWith("java."));
  }

  private static boolean isFilledAnew(JavaClass type, JavaField field) {
    return ClassFiles.read(type)
        .map(file -> NewCollections.isPutInto(file, field.getName()))
        .orElse(false);
  }
}
