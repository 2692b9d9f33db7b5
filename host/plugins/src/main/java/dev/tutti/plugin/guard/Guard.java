package dev.tutti.plugin.guard;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Restriction;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The guard that woven classes of plugins call before a guarded use. It finds the plugin from the
 * calling class, and so has no state.
 */
public final class Guard {

  /** The name by which woven classes call this class. */
  public static final String NAME = Guard.class.getName();

  static final String REFUSE = "refuse";
  static final String INSPECT = "inspect";

  /** The prefix of methods that weaving adds. */
  static final String BRIDGE = "tutti$guard$";

  private static final String CONSTRUCTOR = "<init>";
  private static final String SPI = "dev.tutti.sdk.";
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private Guard() {}

  /** Lets the classes of a loader call the guard, but nothing else in the host. */
  public static Class<?> openTo(ClassLoader plugin) {
    Guard.class.getModule().addExports(Guard.class.getPackageName(), plugin.getUnnamedModule());
    return Guard.class;
  }

  /**
   * Called before a call that is not allowed.
   *
   * @param what the call, and what to do about it
   * @throws TuttiException always, with {@link ErrorCode#PLUGIN_GUARD}
   */
  @SuppressWarnings("DoNotCallSuggester") // Only woven code calls it, and it must not return there.
  public static void refuse(String what) {
    throw refusal(what);
  }

  /** Called before the use of a reflected member; refuses the use if the member is restricted. */
  public static void inspect(@Nullable Member member) {
    if (member != null) {
      Class<?> type = member.getDeclaringClass();
      boolean isConstructor = member instanceof Constructor<?>;
      String name = isConstructor ? CONSTRUCTOR : member.getName();
      GuardPolicy policy = policy();
      if (isOfJdk(type, name)) {
        Restriction restriction =
            policy.restrictions().of(internal(type), name, descriptor(member));
        refuseUnlessLifted(type, name, restriction, policy);
      }
    }
  }

  /**
   * The descriptor of a method's parameters; empty for a field, which the table names without its
   * type.
   */
  private static String descriptor(Member member) {
    return member instanceof Executable executable
        ? MethodType.methodType(void.class, executable.getParameterTypes()).descriptorString()
        : "";
  }

  /** Called before a constructor is looked up, or called by reflection. */
  public static void inspect(@Nullable Class<?> type) {
    inspect(type, CONSTRUCTOR);
  }

  /** Called before a look-up of a method of an object. */
  public static void inspect(@Nullable Object receiver, @Nullable String name) {
    if (receiver != null) {
      inspect(receiver.getClass(), name);
    }
  }

  /**
   * Called before a look-up by name. Checks the class, and each accessible type from which it
   * inherits the member, and applies the strictest restriction of all members with that name.
   */
  public static void inspect(@Nullable Class<?> type, @Nullable String name) {
    if (type != null && name != null) {
      GuardPolicy policy = policy();
      for (Class<?> each : lineage(type)) {
        if (isOfJdk(each, name) && (each == type || isInheritedFrom(each, name))) {
          Restriction restriction =
              policy.restrictions().strictest(internal(each), name, policy.granted());
          refuseUnlessLifted(each, name, restriction, policy);
        }
      }
    }
  }

  /** A class and all types that it extends and implements. */
  private static Set<Class<?>> lineage(Class<?> type) {
    Set<Class<?>> lineage = new LinkedHashSet<>();
    Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      Class<?> at = open.removeFirst();
      if (lineage.add(at)) {
        Optional.ofNullable(at.getSuperclass()).ifPresent(open::addFirst);
        open.addAll(List.of(at.getInterfaces()));
      }
    }
    return lineage;
  }

  /** Whether an accessible class declares a method or a field with a name. */
  private static boolean isInheritedFrom(Class<?> type, String name) {
    return Modifier.isPublic(type.getModifiers())
        && Stream.<Member>concat(
                Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredFields()))
            .anyMatch(member -> member.getName().equals(name));
  }

  /**
   * Whether a class belongs to the JDK, and not to the plugin or the SPI. Refuses classes of the
   * host.
   */
  private static boolean isOfJdk(Class<?> type, String name) {
    ClassLoader loader = type.getClassLoader();
    if (loader instanceof GuardedLoader || type.getName().startsWith(SPI)) {
      return false;
    }
    String member = type.getName() + "." + name;
    if (loader != null && !loader.equals(ClassLoader.getPlatformClassLoader())) {
      throw refusal(member + " belongs to the host; use the SPI only");
    }
    if (Inspection.of(internal(type), name) != null) {
      throw refusal(member + " is not allowed by reflection; call it in the code");
    }
    return true;
  }

  private static void refuseUnlessLifted(
      Class<?> type, String name, @Nullable Restriction restriction, GuardPolicy policy) {
    if (restriction != null && !restriction.isLifted(policy.granted())) {
      throw refusal(type.getName() + "." + name + " is not allowed; " + restriction.advice());
    }
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static GuardPolicy policy() {
    return WALKER
        .walk(
            frames ->
                frames
                    .map(frame -> frame.getDeclaringClass().getClassLoader())
                    .filter(GuardedLoader.class::isInstance)
                    .findFirst())
        .map(loader -> ((GuardedLoader) loader).guardPolicy())
        .orElseThrow(() -> new IllegalStateException("no plugin calls its guard"));
  }

  private static TuttiException refusal(String what) {
    String place =
        WALKER.walk(
            frames ->
                frames
                    .filter(Guard::isOfPlugin)
                    .findFirst()
                    .map(Guard::text)
                    .orElse("an unknown place"));
    return new TuttiException(
        ErrorCode.PLUGIN_GUARD, "plugin '%s', at %s: %s", policy().plugin(), place, what);
  }

  private static boolean isOfPlugin(StackWalker.StackFrame frame) {
    return frame.getDeclaringClass().getClassLoader() instanceof GuardedLoader
        && !frame.getMethodName().startsWith(BRIDGE);
  }

  private static String text(StackWalker.StackFrame frame) {
    return Sentence.of(
        "%s.%s (%s:%d)",
        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
  }
}
