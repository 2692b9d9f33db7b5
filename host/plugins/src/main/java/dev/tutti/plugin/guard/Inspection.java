package dev.tutti.plugin.guard;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of the JDK that reach other members by name, and the arguments that select those
 * members.
 */
public enum Inspection {
  /** The receiver is a member. */
  RECEIVER("(Ljava/lang/reflect/Member;)V", 0, 1),
  /** The first argument is a member. */
  MEMBER("(Ljava/lang/reflect/Member;)V", 1, 1),
  /** The receiver is a class that is instantiated. */
  INSTANCE("(Ljava/lang/Class;)V", 0, 1),
  /** The first argument is a class that is instantiated. */
  CONSTRUCTOR("(Ljava/lang/Class;)V", 1, 1),
  /** The first arguments are a class and the name of a member. */
  NAMED("(Ljava/lang/Class;Ljava/lang/String;)V", 1, 2),
  /** The first arguments are an object and the name of a method. */
  BOUND("(Ljava/lang/Object;Ljava/lang/String;)V", 1, 2);

  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final Set<String> OWNERS =
      Set.of(
          LOOKUP,
          "java/lang/Class",
          "java/lang/reflect/Method",
          "java/lang/reflect/Constructor",
          "java/lang/reflect/Field");

  private final String descriptor;
  private final int first;
  private final int count;

  Inspection(String descriptor, int first, int count) {
    this.descriptor = descriptor;
    this.first = first;
    this.count = count;
  }

  /** Whether a class has such members at all. */
  public static boolean concerns(String owner) {
    return OWNERS.contains(owner);
  }

  /** The inspection of a member, or null if it reaches nothing by name. */
  public static @Nullable Inspection of(String owner, String name) {
    return switch (owner) {
      case "java/lang/reflect/Method" -> name.equals("invoke") ? RECEIVER : null;
      case "java/lang/reflect/Constructor" -> name.equals("newInstance") ? RECEIVER : null;
      case "java/lang/reflect/Field" -> isFieldAccess(name) ? RECEIVER : null;
      case "java/lang/Class" -> name.equals("newInstance") ? INSTANCE : null;
      case LOOKUP -> ofLookup(name);
      default -> null;
    };
  }

  private static boolean isFieldAccess(String name) {
    return switch (name) {
      case "get", "getBoolean", "getByte", "getChar", "getShort", "getInt", "getLong", "getFloat" ->
          true;
      case "getDouble", "set", "setBoolean", "setByte", "setChar", "setShort", "setInt" -> true;
      case "setLong", "setFloat", "setDouble" -> true;
      default -> false;
    };
  }

  private static @Nullable Inspection ofLookup(String name) {
    return switch (name) {
      case "findStatic", "findVirtual", "findSpecial", "findGetter", "findSetter" -> NAMED;
      case "findStaticGetter", "findStaticSetter", "findVarHandle", "findStaticVarHandle" -> NAMED;
      case "findConstructor" -> CONSTRUCTOR;
      case "bind" -> BOUND;
      default -> name.startsWith("unreflect") ? MEMBER : null;
    };
  }

  /** The descriptor of the method of {@link Guard} that inspects. */
  String descriptor() {
    return descriptor;
  }

  /** The first argument that the inspection gets; 0 is the receiver. */
  int first() {
    return first;
  }

  /** The number of arguments that the inspection gets. */
  int count() {
    return count;
  }
}
