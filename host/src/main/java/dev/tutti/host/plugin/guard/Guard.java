package dev.tutti.host.plugin.guard;

import dev.tutti.host.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import org.jspecify.annotations.Nullable;

/**
 * What woven classes of plugins call before they do what is guarded. Finds out from the calling
 * class whose guard it is, and so has no state.
 */
public final class Guard {

  /** The one class of the host that woven classes name. */
  public static final String NAME = Guard.class.getName();

  static final String REFUSE = "refuse";
  static final String INSPECT = "inspect";

  /** Methods that weaving adds begin with it. */
  static final String BRIDGE = "tutti$guard$";

  private static final String CONSTRUCTOR = "<init>";
  private static final String SPI = "dev.tutti.sdk.";
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private Guard() {}

  /** Lets the classes of a loader call the guard, and nothing else of the host. */
  public static Class<?> openTo(ClassLoader plugin) {
    Guard.class.getModule().addExports(Guard.class.getPackageName(), plugin.getUnnamedModule());
    return Guard.class;
  }

  /**
   * Stands before a call that is not allowed.
   *
   * @param what the call, and what to do about it
   * @throws TuttiException always, with {@link ErrorCode#PLUGIN_GUARD}
   */
  @SuppressWarnings("DoNotCallSuggester") // Only woven code calls it, where it must not return.
  public static void refuse(String what) {
    throw refusal(what);
  }

  /** Stands before the use of a reflected member, and refuses it if the member is restricted. */
  public static void inspect(@Nullable Member member) {
    if (member != null) {
      boolean isConstructor = member instanceof Constructor<?>;
      inspect(member.getDeclaringClass(), isConstructor ? CONSTRUCTOR : member.getName());
    }
  }

  /** Stands before a look-up of a constructor, or a call of it by name. */
  public static void inspect(@Nullable Class<?> type) {
    inspect(type, CONSTRUCTOR);
  }

  /** Stands before a look-up of a method of an object. */
  public static void inspect(@Nullable Object receiver, @Nullable String name) {
    if (receiver != null) {
      inspect(receiver.getClass(), name);
    }
  }

  /**
   * Stands before a look-up by name. Looks at the class and all it inherits from, and takes the
   * strictest of the members of that name.
   */
  public static void inspect(@Nullable Class<?> type, @Nullable String name) {
    if (type != null && name != null) {
      GuardPolicy policy = policy();
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        inspectDeclared(at, name, policy);
        for (Class<?> each : at.getInterfaces()) {
          inspect(each, name);
        }
      }
    }
  }

  private static void inspectDeclared(Class<?> type, String name, GuardPolicy policy) {
    ClassLoader loader = type.getClassLoader();
    if (loader instanceof GuardedLoader || type.getName().startsWith(SPI)) {
      return;
    }
    String member = type.getName() + "." + name;
    if (loader != null && !loader.equals(ClassLoader.getPlatformClassLoader())) {
      throw refusal(member + " belongs to the host; use the SPI only");
    }
    String owner = type.getName().replace('.', '/');
    if (Inspection.of(owner, name) != null) {
      throw refusal(member + " is not allowed by reflection; call it in the code");
    }
    Restriction restriction = policy.restrictions().strictest(owner, name, policy.granted());
    if (restriction != null) {
      throw refusal(member + " is not allowed; " + restriction.advice());
    }
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
