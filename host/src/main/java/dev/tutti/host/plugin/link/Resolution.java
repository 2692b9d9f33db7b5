package dev.tutti.host.plugin.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks members up as the JVM does: in the class, its superclasses and all their interfaces. Finds
 * at most what the JVM finds; which of several it would choose does not matter here.
 */
final class Resolution {

  private static final String OBJECT = "java/lang/Object";
  private static final Set<String> ANY_PARAMETERS =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private final Function<String, @Nullable TypeShape> types;

  /**
   * A lookup.
   *
   * @param types the shape of a class by its name, null if there is none
   */
  Resolution(Function<String, @Nullable TypeShape> types) {
    this.types = types;
  }

  /** How a lookup ended. */
  sealed interface Outcome {}

  /** The class that declares the member, and the member's access flags. */
  record Found(TypeShape owner, int flags) implements Outcome {}

  /** No class has the member. */
  record Missing() implements Outcome {}

  /** A class that might declare it is missing, which is a problem of its own. */
  record Unknown() implements Outcome {}

  Outcome resolve(MemberReference member) {
    if (member.owner().startsWith("[")) {
      return resolveIn(OBJECT, member);
    }
    return resolveIn(member.owner(), member);
  }

  private Outcome resolveIn(String start, MemberReference member) {
    String key = member.key();
    Deque<String> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    boolean isUnknown = false;
    open.add(start);
    while (!open.isEmpty()) {
      String name = open.removeFirst();
      if (!seen.add(name)) {
        continue;
      }
      TypeShape type = types.apply(name);
      if (type == null) {
        isUnknown = true;
        continue;
      }
      Integer flags = type.members().get(key);
      if (flags != null || takesAnyParameters(type, member)) {
        return new Found(type, flags == null ? type.flags() : flags);
      }
      if (type.superName() != null) {
        open.addFirst(type.superName());
      }
      open.addAll(type.interfaces());
    }
    return isUnknown ? new Unknown() : new Missing();
  }

  /** Methods such as {@code MethodHandle.invokeExact} take what the caller says. */
  private static boolean takesAnyParameters(TypeShape type, MemberReference member) {
    return ANY_PARAMETERS.contains(type.name())
        && type.members()
            .containsKey(TypeShape.key(member.name(), "([Ljava/lang/Object;)Ljava/lang/Object;"));
  }
}
