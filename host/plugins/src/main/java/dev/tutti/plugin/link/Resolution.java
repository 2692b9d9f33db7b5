package dev.tutti.plugin.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks members up as the JVM does: in the class, its superclasses and all their interfaces. Finds
 * at most what the JVM finds; the choice among several members does not matter here.
 */
final class Resolution {

  private static final String OBJECT = "java/lang/Object";
  private static final Set<String> ANY_PARAMETERS =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private final Function<String, @Nullable TypeShape> types;
  private final Predicate<String> isOfHost;

  /**
   * Makes a lookup.
   *
   * @param types gives the shape of a class by its name, null if there is none
   * @param isOfHost whether the class with a name comes from the host, not from the jar
   */
  Resolution(Function<String, @Nullable TypeShape> types, Predicate<String> isOfHost) {
    this.types = types;
    this.isOfHost = isOfHost;
  }

  /** A class to search, and the first host class on the path to it. */
  private record Step(String name, @Nullable TypeShape named) {}

  /** The outcome of a lookup. */
  sealed interface Outcome {}

  /**
   * The member was found.
   *
   * @param owner the class that declares it
   * @param named the host class through which it is reached: the one that the reference names, or
   *     the one that a class of the jar extends or implements
   * @param flags the member's access flags
   */
  record Found(TypeShape owner, TypeShape named, int flags) implements Outcome {}

  /** No class has the member. */
  record Missing() implements Outcome {}

  /** A class that might declare the member is missing, which is reported separately. */
  record Unknown() implements Outcome {}

  Outcome resolve(MemberReference member) {
    if (member.owner().startsWith("[")) {
      return resolveIn(OBJECT, member);
    }
    return resolveIn(member.owner(), member);
  }

  private Outcome resolveIn(String start, MemberReference member) {
    Deque<Step> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    boolean isUnknown = false;
    open.add(new Step(start, null));
    while (!open.isEmpty()) {
      Step step = open.removeFirst();
      if (!seen.add(step.name())) {
        continue;
      }
      TypeShape type = types.apply(step.name());
      if (type == null) {
        isUnknown = true;
        continue;
      }
      TypeShape named = step.named() == null && isOfHost.test(step.name()) ? type : step.named();
      Integer flags = type.flags(member.name(), member.descriptor());
      if (flags != null || takesAnyParameters(type, member)) {
        return new Found(type, named == null ? type : named, flags == null ? type.flags() : flags);
      }
      if (type.superName() != null) {
        open.addFirst(new Step(type.superName(), named));
      }
      type.interfaces().forEach(each -> open.add(new Step(each, named)));
    }
    return isUnknown ? new Unknown() : new Missing();
  }

  /** Whether a method takes any parameters, like {@code MethodHandle.invokeExact}. */
  private static boolean takesAnyParameters(TypeShape type, MemberReference member) {
    return ANY_PARAMETERS.contains(type.name())
        && type.flags(member.name(), "([Ljava/lang/Object;)Ljava/lang/Object;") != null;
  }
}
