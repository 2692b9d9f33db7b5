package dev.tutti.testkit.calls;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restriction;
import dev.tutti.verifier.capability.Restrictions;
import java.lang.module.ModuleFinder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The types and members of the JDK that plugins without capabilities must not use: those that the
 * host refuses.
 */
final class ForbiddenNames {

  private static final Restrictions TABLE = new Restrictions();

  private static final Set<String> PACKAGES_OF_THE_JDK =
      ModuleFinder.ofSystem().findAll().stream()
          .flatMap(module -> module.descriptor().packages().stream())
          .collect(toUnmodifiableSet());

  /** Types that javac names for lambdas, records and switches; only calls of them do harm. */
  private static final Set<String> LOOKUPS =
      Set.of("java.lang.invoke.MethodHandles", "java.lang.invoke.MethodHandles$Lookup");

  /** Types that end the process or change its settings. */
  private static final Set<String> OF_THE_PROCESS = Set.of("java.lang.System", "java.lang.Runtime");

  private ForbiddenNames() {}

  static @Nullable CallKind kindOf(String type) {
    String name = type.replace('.', '/');
    return !isOfJdk(type) || LOOKUPS.contains(type) || TABLE.hasFreeMembers(name)
        ? null
        : kindOf(type, TABLE.of(name));
  }

  static @Nullable CallKind kindOf(String type, String member, String descriptor) {
    return isOfJdk(type)
        ? kindOf(type, TABLE.of(type.replace('.', '/'), member, descriptor))
        : null;
  }

  static boolean isOfJdk(String type) {
    int end = type.lastIndexOf('.');
    return end > 0 && PACKAGES_OF_THE_JDK.contains(type.substring(0, end));
  }

  private static @Nullable CallKind kindOf(String type, @Nullable Restriction restriction) {
    if (restriction == null) {
      return null;
    }
    Capability capability = restriction.capability();
    if (capability == null) {
      return OF_THE_PROCESS.contains(type) ? CallKind.PROCESS : CallKind.OTHER;
    }
    return switch (capability) {
      case CLOCK -> CallKind.CLOCK;
      case RANDOM -> CallKind.RANDOM;
      case THREADS -> CallKind.THREAD;
      case FILES, NETWORK, CONSOLE -> CallKind.IO;
      case NATIVE, REFLECTION -> CallKind.REFLECTION;
      case PROCESSES, ENVIRONMENT -> CallKind.PROCESS;
      case MUTABLE_STATICS -> CallKind.OTHER;
    };
  }
}
