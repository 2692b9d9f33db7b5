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
 * Reports types from outside the plugin, sdk-api and the JDK, and the parts of the JDK that no
 * plugin may use. Parts that a capability would allow have a rule for their {@link CallKind}, which
 * explains more.
 */
final class OnlyAllowedTypes extends ArchCondition<JavaClass> {

  private final Avoids others = new Avoids(CallKind.OTHER);
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
    others.check(type, events);
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
        || CallKind.isOfJdk(name);
  }

  static boolean isSdk(String name) {
    return name.startsWith("dev.tutti.sdk.");
  }
}
