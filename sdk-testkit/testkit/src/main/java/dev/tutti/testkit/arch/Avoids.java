package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.testkit.calls.CallKind;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reports uses of the types and members of one {@link CallKind}, which plugins must not use. */
final class Avoids extends ArchCondition<JavaClass> {

  private final CallKind kind;

  Avoids(CallKind kind) {
    super("not use " + kind.label());
    this.kind = kind;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      String target = dependency.getTargetClass().getBaseComponentType().getName();
      if (CallKind.ofType(target) == kind) {
        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
      }
    }
    for (JavaAccess<?> access : type.getAccessesFromSelf()) {
      if (kindOf(access.getTarget()) == kind) {
        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
      }
    }
  }

  /** The kind by the named type; for an inherited member, by the type that declares it. */
  private static @Nullable CallKind kindOf(AccessTarget target) {
    CallKind kind = kindOf(target.getOwner(), target);
    return kind == null
        ? target.resolveMember().map(member -> kindOf(member.getOwner(), target)).orElse(null)
        : kind;
  }

  private static @Nullable CallKind kindOf(JavaClass owner, AccessTarget target) {
    // Types that are forbidden as a whole have been reported as dependencies.
    return CallKind.ofType(owner.getName()) == null
        ? CallKind.ofMember(owner.getName(), target.getName(), descriptor(target))
        : null;
  }

  private static String descriptor(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget method
        ? method.getRawParameterTypes().stream()
            .map(Avoids::descriptor)
            .collect(Collectors.joining("", "(", ")V"))
        : "";
  }

  private static String descriptor(JavaClass type) {
    String name = type.getName().replace('.', '/');
    if (type.isPrimitive()) {
      return Class.forPrimitiveName(name).descriptorString();
    }
    return type.isArray() ? name : "L" + name + ";";
  }
}
