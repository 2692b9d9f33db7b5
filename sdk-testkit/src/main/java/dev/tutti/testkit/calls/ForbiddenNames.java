package dev.tutti.testkit.calls;

import static dev.tutti.testkit.calls.CallKind.CLOCK;
import static dev.tutti.testkit.calls.CallKind.IO;
import static dev.tutti.testkit.calls.CallKind.PROCESS;
import static dev.tutti.testkit.calls.CallKind.RANDOM;
import static dev.tutti.testkit.calls.CallKind.REFLECTION;
import static dev.tutti.testkit.calls.CallKind.THREAD;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types and members of the JDK that plugins must not use. */
final class ForbiddenNames {

  /** Under one of these names everything is forbidden, packages and nested types included. */
  private static final Map<CallKind, List<String>> PREFIXES =
      Map.of(
          CLOCK,
          List.of("java.time."),
          RANDOM,
          List.of("java.util.random."),
          THREAD,
          List.of("java.util.concurrent.", "java.lang.Thread", "java.lang.VirtualThread"),
          IO,
          List.of(
              "java.io.",
              "java.nio.",
              "java.net.",
              "java.util.logging.",
              "java.util.prefs.",
              "java.util.zip."),
          REFLECTION,
          List.of(
              "java.lang.reflect.", "java.lang.invoke.", "java.lang.foreign.", "java.lang.module."),
          PROCESS,
          List.of("java.lang.Process", "java.lang.Runtime", "java.lang.Shutdown"));

  /** Single types. They are stronger than prefixes. */
  private static final Map<CallKind, Set<String>> TYPES =
      Map.of(
          CLOCK,
          Set.of("java.util.Date", "java.util.Calendar", "java.util.GregorianCalendar"),
          RANDOM,
          Set.of(
              "java.util.Random",
              "java.util.SplittableRandom",
              "java.util.UUID",
              "java.util.concurrent.ThreadLocalRandom",
              "java.security.SecureRandom"),
          THREAD,
          Set.of("java.lang.InheritableThreadLocal", "java.util.Timer", "java.util.TimerTask"),
          IO,
          Set.of(
              "java.lang.IO",
              "java.lang.System$Logger",
              "java.util.Formatter",
              "java.util.Scanner"),
          REFLECTION,
          Set.of(
              "java.lang.ClassLoader",
              "java.lang.Module",
              "java.lang.ModuleLayer",
              "java.lang.StackWalker",
              "java.util.ServiceLoader",
              "sun.misc.Unsafe"),
          PROCESS,
          Set.of("java.util.spi.ToolProvider"));

  /** Members of types that may be used otherwise, as {@code type#member}. */
  private static final Map<CallKind, Set<String>> MEMBERS =
      Map.of(
          CLOCK,
          Set.of("java.lang.System#nanoTime", "java.lang.System#currentTimeMillis"),
          RANDOM,
          Set.of(
              "java.lang.Math#random",
              "java.lang.StrictMath#random",
              "java.lang.System#identityHashCode",
              "java.util.Collections#shuffle"),
          THREAD,
          Set.of(
              "java.lang.Object#wait",
              "java.lang.Object#notify",
              "java.lang.Object#notifyAll",
              "java.util.Collection#parallelStream",
              "java.util.List#parallelStream",
              "java.util.Set#parallelStream",
              "java.util.ArrayList#parallelStream",
              "java.util.stream.BaseStream#parallel",
              "java.util.stream.Stream#parallel",
              "java.util.stream.IntStream#parallel",
              "java.util.stream.LongStream#parallel",
              "java.util.stream.DoubleStream#parallel"),
          IO,
          Set.of(
              "java.lang.System#in",
              "java.lang.System#out",
              "java.lang.System#err",
              "java.lang.System#setIn",
              "java.lang.System#setOut",
              "java.lang.System#setErr",
              "java.lang.System#console",
              "java.lang.System#getLogger",
              "java.lang.Throwable#printStackTrace",
              "java.lang.Exception#printStackTrace",
              "java.lang.RuntimeException#printStackTrace"),
          REFLECTION,
          Set.of(
              "java.lang.Class#forName",
              "java.lang.Class#newInstance",
              "java.lang.Class#getClassLoader",
              "java.lang.Class#getConstructor",
              "java.lang.Class#getConstructors",
              "java.lang.Class#getDeclaredConstructor",
              "java.lang.Class#getDeclaredConstructors",
              "java.lang.Class#getDeclaredField",
              "java.lang.Class#getDeclaredFields",
              "java.lang.Class#getDeclaredMethod",
              "java.lang.Class#getDeclaredMethods",
              "java.lang.Class#getField",
              "java.lang.Class#getFields",
              "java.lang.Class#getMethod",
              "java.lang.Class#getMethods",
              "java.lang.Class#getModule",
              "java.lang.Class#getResource",
              "java.lang.Class#getResourceAsStream",
              "java.lang.System#load",
              "java.lang.System#loadLibrary"),
          PROCESS,
          Set.of(
              "java.lang.System#exit",
              "java.lang.System#gc",
              "java.lang.System#getenv",
              "java.lang.System#getProperty",
              "java.lang.System#getProperties",
              "java.lang.System#setProperty",
              "java.lang.Boolean#getBoolean",
              "java.lang.Integer#getInteger",
              "java.lang.Long#getLong"));

  /** Types under a forbidden prefix that do no harm; javac itself refers to most of them. */
  private static final Set<String> HARMLESS =
      Set.of(
          "java.io.Serializable",
          "java.lang.RuntimeException",
          "java.lang.invoke.ConstantBootstraps",
          "java.lang.invoke.LambdaMetafactory",
          "java.lang.invoke.MethodHandles",
          "java.lang.invoke.MethodHandles$Lookup",
          "java.lang.invoke.SerializedLambda",
          "java.lang.invoke.StringConcatFactory",
          "java.lang.invoke.TypeDescriptor",
          "java.lang.invoke.TypeDescriptor$OfField",
          "java.util.concurrent.TimeUnit");

  /** Names that javac writes for lambdas, records and switches, and that harm only when called. */
  private static final Set<String> LOOKUPS =
      Set.of("java.lang.invoke.MethodHandles", "java.lang.invoke.MethodHandles$Lookup");

  private ForbiddenNames() {}

  static @Nullable CallKind kindOf(String type) {
    if (HARMLESS.contains(type)) {
      return null;
    }
    for (CallKind kind : CallKind.values()) {
      if (TYPES.getOrDefault(kind, Set.of()).contains(type)) {
        return kind;
      }
    }
    for (CallKind kind : CallKind.values()) {
      if (PREFIXES.getOrDefault(kind, List.of()).stream().anyMatch(type::startsWith)) {
        return kind;
      }
    }
    return null;
  }

  static @Nullable CallKind kindOf(String type, String member) {
    if (LOOKUPS.contains(type)) {
      return REFLECTION;
    }
    CallKind whole = kindOf(type);
    if (whole != null) {
      return whole;
    }
    for (CallKind kind : CallKind.values()) {
      if (MEMBERS.getOrDefault(kind, Set.of()).contains(type + "#" + member)) {
        return kind;
      }
    }
    return null;
  }
}
