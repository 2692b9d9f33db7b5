package dev.tutti.plugin.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Errors;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginJars;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.ErrorCode;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that only show while a plugin runs. The plugin under test is a function, too. */
final class GuardTest {

  @TempDir private Path directory;

  /** Loads a plugin whose executor is a function with the given body. */
  private PluginSet load(String capabilities, String body, String hidden) {
    String source =
        PluginJars.allReduceSource(
                "Caller",
                "caller",
                "@Override public Object apply(Object argument) { try { "
                    + body
                    + " } catch (ReflectiveOperationException e) { throw new"
                    + " IllegalStateException(e); } }\n"
                    + "static Object own(int x) { return x + 1; }")
            .replace(
                "AllReduceParam> {",
                "AllReduceParam> implements java.util.function.Function<Object, Object> {");
    PluginJars jar =
        PluginJars.pluginAsking("guarded", capabilities)
            .provider("Caller", source)
            .source("Hidden", "package p; public class Hidden { " + hidden + " }");
    PluginSet set = PluginSet.builder().jar(jar.write(directory, "guarded.jar")).load();
    set.requireNoProblems();
    return set;
  }

  @SuppressWarnings("unchecked")
  private static Object call(PluginSet set, Object argument) {
    Algorithm algorithm = set.algorithms().getFirst();
    return ((Function<Object, Object>) (Object) algorithm.executor()).apply(argument);
  }

  private String refusal(String body, Object argument, String hidden) {
    try (PluginSet set = load("\"reflection\"", body, hidden)) {
      return Errors.message(ErrorCode.PLUGIN_GUARD, () -> call(set, argument));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "return System.class.getMethod((String) argument, int.class).invoke(null, 3);| exit"
            + "| java.lang.System.exit is not allowed; no plugin may do that",
        "java.util.function.Function<java.lang.reflect.Method, Object> call = m -> { try { return"
            + " m.invoke(null, 3); } catch (ReflectiveOperationException e) { return e; } };"
            + " return call.apply(System.class.getMethod((String) argument, int.class));| exit"
            + "| java.lang.System.exit is not allowed; no plugin may do that",
        "return java.lang.invoke.MethodHandles.lookup().findStatic(System.class, (String) argument,"
            + " java.lang.invoke.MethodType.methodType(void.class, int.class));| exit"
            + "| java.lang.System.exit is not allowed; no plugin may do that",
        "return java.lang.invoke.MethodHandles.lookup().bind(new java.util.ArrayList<>(), (String)"
            + " argument, java.lang.invoke.MethodType.methodType(java.util.stream.Stream.class));|"
            + " parallelStream| java.util.ArrayList.parallelStream is not allowed; ask for the"
            + " capability 'threads'",
        "return Class.forName((String) argument).getMethod(\"getDefaultType\").invoke(null);|"
            + " java.security.KeyStore"
            + "| java.security.KeyStore.getDefaultType is not allowed; no plugin may do"
            + " that, because it is not on the list of what planning needs",
        "return java.util.Arrays.stream(java.util.concurrent.ConcurrentHashMap.class.getMethods())"
            + ".filter(m -> m.getName().equals(argument) && m.getParameterCount() == 2).findAny()"
            + ".orElseThrow().invoke(new java.util.concurrent.ConcurrentHashMap<>(), 1L,"
            + " (java.util.function.BiConsumer<?, ?>) (k, v) -> {});| forEach"
            + "| java.util.concurrent.ConcurrentHashMap.forEach is not allowed; ask for the"
            + " capability 'threads'",
        "return Class.forName((String) argument).getConstructor(Runnable.class).newInstance((Object)"
            + " null);| java.lang.Thread"
            + "| java.lang.Thread.<init> is not allowed; ask for the capability 'threads'",
        "return java.lang.invoke.MethodHandles.lookup().findStaticVarHandle(System.class, (String)"
            + " argument, java.io.PrintStream.class);| out"
            + "| java.lang.System.out is not allowed; ask for the capability 'console'",
        "((Runnable) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(), new"
            + " Class<?>[] {Runnable.class}, (proxy, method, arguments) -> System.class.getMethod("
            + "(String) argument, int.class).invoke(null, 3))).run(); return Class.forName(\"p.Caller\");|"
            + " exit"
            + "| java.lang.System.exit is not allowed; no plugin may do that",
        "return System.class.getField((String) argument).get(null);| out"
            + "| java.lang.System.out is not allowed; ask for the capability 'console'",
        "return argument.getClass().getMethod(\"invoke\", Object.class, Object[].class)"
            + ".invoke(argument, null, null);| METHOD"
            + "| java.lang.reflect.Method.invoke is not allowed by reflection; call it in the code",
      })
  void callsByNameAreRefusedWhenTheyReachWhatIsNotAllowed(
      String body, String argument, String message) throws Exception {
    Object given = argument.equals("METHOD") ? String.class.getMethod("length") : argument;
    assertThat(refusal(body, given, ""))
        .startsWith("plugin 'guarded', at p.Caller.")
        .contains(" (Caller.java:10): " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "System.exit(3);| java.lang.System.exit(int) is not allowed; no plugin may do that",
        "java.util.function.IntConsumer c = System::exit; c.accept(3);"
            + "| java.lang.System.exit(int) is not allowed; no plugin may do that",
        "new Thread(() -> {}).start();"
            + "| java.lang.Thread.<init>(Runnable) is not allowed; ask for the capability 'threads'",
        "long t = System.nanoTime() + argument.hashCode();"
            + "| java.lang.System.nanoTime() is not allowed; ask for the capability 'clock'",
        "System.out.println(argument);"
            + "| java.lang.System.out is not allowed; ask for the capability 'console'",
        "java.util.List.of(argument).parallelStream();"
            + "| java.util.Collection.parallelStream() is not allowed; ask for the capability"
            + " 'threads'",
        "class Mine extends java.util.ArrayList<Object> {} new Mine().parallelStream();"
            + "| java.util.Collection.parallelStream() is not allowed; ask for the capability"
            + " 'threads'",
        "java.lang.ref.Reference.reachabilityFence(argument);"
            + "| java.lang.ref.Reference.reachabilityFence(Object) is not allowed; no plugin may do"
            + " that",
      })
  void classesThatNoProviderReachesAreGuardedThroughout(String statement, String message) {
    String hidden = "public static Object run(Object argument) { " + statement + " return null; }";
    String body =
        "return Class.forName(\"p.Hid\" + argument).getMethod(\"run\", Object.class).invoke(null,"
            + " argument);";
    try (PluginSet set = load("\"reflection\"", body, hidden)) {
      assertThat(Errors.message(ErrorCode.PLUGIN_GUARD, () -> unwrapped(set, "den")))
          .startsWith("plugin 'guarded', at p.Hidden.run (Hidden.java:1): " + message);
    }
  }

  @Test
  void classesThatNoProviderReachesExtendOnlyWhatIsAllowed() {
    String body = "return Class.forName(\"p.Hidden$\" + argument);";
    String hidden =
        "static class Worker extends java.util.TimerTask { public void run() {} }"
            + " static class Runner implements java.util.concurrent.Executor {"
            + " public void execute(Runnable r) { r.run(); } }"
            + " static class Plain implements Runnable { public void run() {} }";
    try (PluginSet set = load("\"reflection\"", body, hidden)) {
      assertThat(Errors.message(ErrorCode.PLUGIN_GUARD, () -> call(set, "Worker")))
          .isEqualTo(
              "plugin 'guarded': p.Hidden$Worker is a java.util.TimerTask, which is not allowed; ask"
                  + " for the capability 'threads' in META-INF/tutti/plugin.json");
      assertThat(Errors.message(ErrorCode.PLUGIN_GUARD, () -> call(set, "Runner")))
          .contains("p.Hidden$Runner is a java.util.concurrent.Executor, which is not allowed");
      assertThat(call(set, "Plain")).isInstanceOf(Class.class);
    }
  }

  private static Object unwrapped(PluginSet set, Object argument) {
    try {
      return call(set, argument);
    } catch (IllegalStateException e) {
      throw (RuntimeException) e.getCause().getCause();
    }
  }

  @Test
  void whatIsAllowedWorksAsBefore() {
    String body =
        "return getClass().getDeclaredMethod(\"own\", int.class).invoke(null, (Integer) argument);";
    try (PluginSet set = load("\"reflection\"", body, "")) {
      assertThat(call(set, 4)).isEqualTo(5);
    }
  }

  @Test
  void methodReferencesToReflectionAreInspectedToo() {
    String body =
        "interface Call { Object on(java.lang.reflect.Method m, Object o, Object[] a) throws"
            + " ReflectiveOperationException; } Call call = java.lang.reflect.Method::invoke;"
            + " return call.on(argument instanceof Integer ? getClass().getDeclaredMethod(\"own\","
            + " int.class) : System.class.getMethod(\"exit\", int.class), null, new Object[] {7});";
    try (PluginSet set = load("\"reflection\"", body, "")) {
      assertThat(call(set, 7)).isEqualTo(8);
      assertThat(Errors.message(ErrorCode.PLUGIN_GUARD, () -> call(set, "exit")))
          .contains("java.lang.System.exit is not allowed");
    }
  }

  @Test
  void overloadsThatAreFreeAreCalledByName() {
    String body =
        "return java.util.concurrent.ConcurrentHashMap.class.getMethod(\"forEach\","
            + " java.util.function.BiConsumer.class).invoke(argument, (java.util.function"
            + ".BiConsumer<Object, Object>) (k, v) -> {});";
    try (PluginSet set = load("\"reflection\"", body, "")) {
      assertThat(call(set, new ConcurrentHashMap<>())).isNull();
    }
  }

  @Test
  void theHostItselfIsOutOfReach() {
    String body =
        "return dev.tutti.sdk.CollExecutorBase.class.getClassLoader().loadClass((String) argument)"
            + ".getMethod(\"embedded\").invoke(null);";
    assertThat(refusal(body, "dev.tutti.host.Rte", ""))
        .endsWith("dev.tutti.host.Rte.embedded belongs to the host; use the SPI only");
  }

  @Test
  void grantedCapabilitiesHoldForReflectionToo() {
    String body = "return System.class.getMethod(\"nanoTime\").invoke(null);";
    try (PluginSet set = load("\"reflection\", \"clock\"", body, "")) {
      assertThat(call(set, "")).isInstanceOf(Long.class);
    }
  }

  @Test
  void aGuardedPluginIsCollected() {
    WeakReference<ClassLoader> closed = refuseAndClose();
    Await.collection(() -> closed.get() == null);
  }

  private WeakReference<ClassLoader> refuseAndClose() {
    String body = "return System.class.getMethod((String) argument, int.class).invoke(null, 3);";
    try (PluginSet set = load("\"reflection\"", body, "")) {
      Errors.message(ErrorCode.PLUGIN_GUARD, () -> call(set, "exit"));
      return new WeakReference<>(
          set.algorithms().getFirst().executor().getClass().getClassLoader());
    }
  }
}
