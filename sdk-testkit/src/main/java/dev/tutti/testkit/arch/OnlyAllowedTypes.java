package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.testkit.calls.CallKind;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Reports types that are neither of the plugin nor on the list of what plugins need. What a {@link
 * CallKind} names is left to the rule of that kind, which says more.
 */
final class OnlyAllowedTypes extends ArchCondition<JavaClass> {

  private static final Set<String> PACKAGES =
      Set.of(
          "java.lang",
          "java.lang.annotation",
          "java.lang.runtime",
          "java.math",
          "java.util",
          "java.util.function",
          "java.util.regex",
          "java.util.stream");

  private static final Set<String> TYPES =
      Set.of(
          "java.io.Serializable",
          "java.lang.invoke.MethodHandles",
          "java.lang.invoke.MethodHandles$Lookup");

  private final Set<String> own = new HashSet<>();

  OnlyAllowedTypes() {
    super("use only sdk-api, their own classes and plain types of the JDK");
  }

  @Override
  public void init(Collection<JavaClass> all) {
    own.clear();
    all.forEach(type -> own.add(type.getName()));
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      if (!isAllowed(dependency.getTargetClass().getBaseComponentType())) {
        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
      }
    }
  }

  private boolean isAllowed(JavaClass target) {
    String name = target.getName();
    return target.isPrimitive()
        || own.contains(name)
        || isSdk(name)
        || name.startsWith("org.jspecify.annotations.")
        || PACKAGES.contains(target.getPackageName())
        || TYPES.contains(name)
        || CallKind.ofType(name) != null;
  }

  static boolean isSdk(String name) {
    return name.startsWith("dev.tutti.sdk.");
  }
}
