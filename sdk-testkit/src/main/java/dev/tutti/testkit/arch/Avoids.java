package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tutti.testkit.calls.CallKind;

/** Reports uses of one kind of things that plugins must not use. */
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
      String owner = access.getTargetOwner().getName();
      // Types that are forbidden as a whole have been reported as dependencies.
      if (CallKind.ofType(owner) == null
          && CallKind.ofMember(owner, access.getTarget().getName()) == kind) {
        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
      }
    }
  }
}
