package dev.tutti.plugin.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.PluginJars;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds what class files need and what they must not use, without defining them. */
final class LinkCheckTest {

  private static final LinkCheck CHECK = new LinkCheck(new Restrictions(), "0.1.0");

  private final Map<String, String> sources = new LinkedHashMap<>();
  private Set<Capability> granted = Set.of();

  private LinkCheckTest type(String name, String body) {
    sources.put("p." + name, "package p; public class " + name + " {" + body + "}");
    return this;
  }

  private LinkCheckTest source(String name, String source) {
    sources.put("p." + name, "package p; " + source);
    return this;
  }

  private LinkReport check(List<String> absent, String... providers) {
    Map<String, byte[]> classes = PluginJars.compileAll(sources);
    absent.forEach(name -> classes.remove("p." + name));
    return CHECK.check(
        name -> classes.get(name.replace('/', '.')),
        Arrays.stream(providers).map(name -> "p." + name).toList(),
        granted);
  }

  /** The only problem of a class A with a body. */
  private String problem(String body) {
    LinkReport report = type("A", body).check(List.of(), "A");
    assertThat(report.problems()).hasSize(1);
    assertThat(report.affected()).containsExactly("p.A");
    return report.problems().getFirst();
  }

  private void expectClean(String body) {
    assertThat(type("A", body).check(List.of(), "A").problems()).isEmpty();
  }

  @Test
  void plainCodeIsClean() {
    expectClean(
        """
        enum Kind { X, Y }
        record Pair(int a, String b) {}
        sealed interface S permits T {}
        record T(int[] values) implements S {}
        int sum(java.util.List<Integer> list, Object o, Kind kind) {
          Runnable r = () -> list.forEach(o.hashCode() > 0 ? x -> {} : x -> {});
          r.run();
          int[] copy = new int[] {1, 2}.clone();
          String s = "a" + list + copy.length + kind.name() + new Pair(1, "b");
          switch (kind) { case X -> s += "x"; case Y -> s += "y"; }
          int n = switch (o) { case Pair(int a, String b) -> a; case T t -> t.values().length; default -> 0; };
          assert n >= 0;
          return n + list.stream().mapToInt(Integer::intValue).sum() + s.length()
              + new java.util.Random(7).nextInt() + Math.floorMod(3, 2);
        }
        void spin() { Thread.onSpinWait(); }
        """);
  }

  @Test
  void aMissingClassIsNamedWithItsPlaces() {
    LinkReport report =
        type("Gone", "static void run() {}")
            .type("A", "\n void one() { Gone.run(); }\n Object two = new Gone();")
            .check(List.of("Gone"), "A");
    assertThat(report.message())
        .isEqualTo(
            "p.A cannot be used: the class p.Gone is neither in the jar nor in the SPI nor in the"
                + " JDK; used by p.A.<init> (A.java:3), p.A.one (A.java:2); put it into the jar");
  }

  @Test
  void missingMembersAreFoundInTheJarAndInTheSpi() {
    Map<String, byte[]> old =
        PluginJars.compileAll(
            Map.of(
                "p.B", "package p; public class B { public int f; public void m(long[] a) {} }",
                "p.A", "package p; public class A { int x(B b) { b.m(null); return b.f; } }"));
    Map<String, byte[]> renewed =
        PluginJars.compileAll(Map.of("p.B", "package p; public class B { public void m() {} }"));
    LinkReport report =
        CHECK.check(
            name -> name.equals("p/B") ? renewed.get("p.B") : old.get(name.replace('/', '.')),
            List.of("p.A"),
            Set.of());
    assertThat(report.problems())
        .containsExactly(
            "the method p.B.m(long[]) does not exist; used by p.A.x (A.java:1); build the jar"
                + " again",
            "the field p.B.f does not exist; used by p.A.x (A.java:1); build the jar again");
  }

  @Test
  void aMethodThatTheSpiDoesNotHaveNamesTheSpi() {
    Map<String, byte[]> classes =
        PluginJars.compileAll(
            Map.of(
                "dev.tutti.sdk.DataType",
                "package dev.tutti.sdk; public class DataType { public static void old() {} }",
                "p.A",
                "package p; public class A { void x() { dev.tutti.sdk.DataType.old(); } }"));
    LinkReport report =
        CHECK.check(name -> classes.get(name.replace('/', '.')), List.of("p.A"), Set.of());
    assertThat(report.problems())
        .containsExactly(
            "the method dev.tutti.sdk.DataType.old() does not exist; used by p.A.x (A.java:1);"
                + " rebuild the plugin against sdk-api 0.1.0 on Java "
                + Runtime.version().feature());
  }

  @Test
  void whatTheSpiKeepsToItselfIsNamed() {
    Map<String, byte[]> classes =
        PluginJars.compileAll(
            Map.of(
                "dev.tutti.sdk.DataType",
                "package dev.tutti.sdk; public class DataType {"
                    + " public static DataType[] $values() { return null; } }",
                "p.A",
                "package p; class A { Object x() { return dev.tutti.sdk.DataType.$values(); } }"));
    LinkReport report =
        CHECK.check(name -> classes.get(name.replace('/', '.')), List.of("p.A"), Set.of());
    assertThat(report.problems())
        .singleElement()
        .asString()
        .startsWith("dev.tutti.sdk.DataType.$values() is not public; used by p.A.x (A.java:1)");
  }

  @Test
  void inheritedMembersAreFound() {
    source("Base", "public abstract class Base<T> implements Comparable<T> { protected int f; }");
    source(
        "Next", "public abstract class Next extends Base<Next> implements java.util.List<Next> {}");
    type(
        "A",
        "Object x(Next n) { n.f = 1; n.sort(null); n.stream(); return n.compareTo(n) + n.hashCode()"
            + " + n.toString(); }");
    assertThat(check(List.of(), "A").problems()).isEmpty();
  }

  @Test
  void whatNoProviderReachesIsNotLookedAt() {
    LinkReport report =
        type("Gone", "")
            .type("Optional", "Object gone = new Gone();")
            .type("A", "")
            .type("B", "Object o = new Optional();")
            .check(List.of("Gone"), "A", "B");
    assertThat(report.affected()).containsExactly("p.B");
    assertThat(check(List.of("Gone"), "A").isClean()).isTrue();
  }

  @Test
  void aNestedClassThatIsOnlyListedMayBeMissing() {
    LinkReport report = type("A", "static class Unused {}").check(List.of("A$Unused"), "A");
    assertThat(report.isClean()).isTrue();
  }

  @Test
  void allProblemsComeTogetherAndLongListsAreCut() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 25; i++) {
      type("Gone" + i, "");
      body.append("Object o").append(i).append(" = new Gone").append(i).append("();\n");
    }
    List<String> absent = IntStream.range(0, 25).mapToObj(i -> "Gone" + i).toList();
    String message = type("A", body.toString()).check(absent, "A").message();
    assertThat(message.lines()).hasSize(22).first().isEqualTo("p.A cannot be used: 25 problems");
    assertThat(message).endsWith("\n  and 5 more");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "System.exit(1)| java.lang.System.exit(int)",
        "Runtime.getRuntime().halt(1)| java.lang.Runtime.halt(int)",
        "java.util.function.IntConsumer c = System::exit| java.lang.System.exit(int)",
        "Runtime.getRuntime().addShutdownHook(null)"
            + "| java.lang.Runtime.addShutdownHook(Thread)",
        "System.setProperty(null, null)| java.lang.System.setProperty(String, String)",
        "System.setOut(null)| java.lang.System.setOut(PrintStream)",
        "sun.misc.Unsafe u = null; u.pageSize()| sun.misc.Unsafe.pageSize()",
        "ClassLoader.getSystemClassLoader()| java.lang.ClassLoader.getSystemClassLoader()",
        "java.util.spi.ToolProvider.findFirst(null)"
            + "| java.util.spi.ToolProvider.findFirst(String)",
        "new java.beans.Statement(null, null, null)"
            + "| java.beans.Statement.<init>(Object, String, Object[])",
        "try { java.lang.reflect.InvocationHandler.invokeDefault(null, null); } catch (Throwable t)"
            + " {}| java.lang.reflect.InvocationHandler.invokeDefault(Object, Method, Object[])",
        "java.lang.invoke.ConstantBootstraps.getStaticFinal(null, null, null)"
            + "| java.lang.invoke.ConstantBootstraps.getStaticFinal(MethodHandles$Lookup, String, Class)",
        "java.lang.constant.DirectMethodHandleDesc d = null; try { d.resolveConstantDesc(null); }"
            + " catch (ReflectiveOperationException e) {}"
            + "| java.lang.constant.MethodHandleDesc.resolveConstantDesc(MethodHandles$Lookup)",
        "java.lang.invoke.VarHandle.VarHandleDesc d = null; try { d.resolveConstantDesc(null); }"
            + " catch (ReflectiveOperationException e) {}"
            + "| java.lang.invoke.VarHandle$VarHandleDesc.resolveConstantDesc(MethodHandles$Lookup)",
        "java.lang.constant.DynamicConstantDesc<?> d = null; try { d.resolveConstantDesc(null); }"
            + " catch (ReflectiveOperationException e) {}"
            + "| java.lang.constant.DynamicConstantDesc.resolveConstantDesc(MethodHandles$Lookup)",
      })
  void someThingsNoPluginMayDo(String statement, String member) {
    granted = EnumSet.allOf(Capability.class);
    assertThat(problem("void x() { " + statement + "; }"))
        .startsWith(
            member + " is not allowed; used by p.A.x (A.java:1); no plugin may do that, because");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "threads| new Thread(() -> {})",
        "threads| java.util.concurrent.Executors.newCachedThreadPool()",
        "threads| java.util.List.of().parallelStream()",
        "threads| new ThreadLocal<Object>()",
        "files| java.nio.file.Files.exists(null)",
        "files| new java.io.File(\"a\")",
        "files| new java.io.PrintStream(\"a\", java.nio.charset.StandardCharsets.UTF_8)",
        "files| new java.io.PrintStream(\"a\", \"UTF-8\")",
        "files| new java.io.PrintWriter(\"a\", java.nio.charset.StandardCharsets.UTF_8)",
        "files| new java.io.PrintWriter(\"a\", \"UTF-8\")",
        "files| new java.util.Formatter(\"a\")",
        "files| new java.util.Formatter(\"a\", \"UTF-8\")",
        "files| new java.util.Formatter(\"a\", \"UTF-8\", null)",
        "files| new java.util.Formatter(\"a\", java.nio.charset.StandardCharsets.UTF_8, null)",
        "files| new java.util.Scanner(java.nio.file.Path.of(\"a\"), \"UTF-8\")",
        "files| new java.util.Scanner(java.nio.file.Path.of(\"a\"),"
            + " java.nio.charset.StandardCharsets.UTF_8)",
        "files| java.util.prefs.Preferences.userRoot()",
        "network| new java.net.Socket()",
        "processes| new ProcessBuilder()",
        "native| System.loadLibrary(\"a\")",
        "reflection| Class.forName(\"a\")",
        "reflection| java.lang.invoke.MethodHandles.lookup()",
        "reflection| String.class.getMethods()",
        "reflection| java.lang.reflect.Proxy.isProxyClass(null)",
        "reflection| java.util.ServiceLoader.load(Runnable.class)",
        "environment| System.getenv(\"a\")",
        "environment| Integer.getInteger(\"a\")",
        "clock| System.nanoTime()",
        "clock| java.time.Instant.now()",
        "random| Math.random()",
        "random| new java.util.Random()",
        "console| System.out",
        "console| new Exception().printStackTrace()",
      })
  void otherThingsMustBeAskedFor(String capability, String expression) {
    String body = "Object x() throws Exception { f(" + expression + "); return 0; } ";
    if (expression.endsWith("printStackTrace()") || expression.startsWith("System.load")) {
      body = "void x() { " + expression + "; } ";
    }
    body += "void f(Object o) {}";
    assertThat(problem(body))
        .endsWith(
            "; used by p.A.x (A.java:1); ask for the capability '"
                + capability
                + "' in META-INF/tutti/plugin.json");
    granted = EnumSet.of(Capability.of(capability).orElseThrow());
    assertThat(check(List.of(), "A").isClean()).isTrue();
  }

  /** Uses that needed no capability when the table listed only forbidden members. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "never| javax.xml.transform.TransformerFactory.newInstance()",
        "never| javax.xml.parsers.DocumentBuilderFactory.newInstance()",
        "never| new javax.swing.UIDefaults.ProxyLazyValue(\"a\")",
        "never| new javax.swing.Timer(1, null)",
        "never| new javax.swing.text.InternationalFormatter()",
        "never| Thread.enumerate(null)",
        "never| System.getProperties()",
        "never| java.lang.module.ModuleFinder.of()",
        "never| java.lang.module.ModuleFinder.ofSystem()",
        "never| java.nio.channels.spi.SelectorProvider.provider()",
        "never| java.nio.file.spi.FileSystemProvider.installedProviders()",
        "never| java.security.KeyStore.getInstance(\"DKS\")",
        "never| java.security.MessageDigest.getInstance(\"SHA-256\")",
        "never| java.sql.DriverManager.getDrivers()",
        "never| javax.crypto.Cipher.getInstance(\"AES\")",
        "never| java.lang.classfile.ClassFile.of()",
        "never| new java.lang.ref.WeakReference<Object>(this)",
        "never| new java.util.WeakHashMap<Object, Object>()",
        "never| java.lang.management.ManagementFactory.getRuntimeMXBean()",
        "threads| java.util.stream.Stream.of(1).parallel()",
        "threads| java.util.stream.IntStream.range(0, 1).parallel()",
        "threads| new java.util.ArrayList<Integer>().parallelStream()",
        "threads| new java.util.concurrent.ConcurrentHashMap<>().keySet().parallelStream()",
        "threads| java.util.stream.StreamSupport.stream(java.util.List.of().spliterator(), true)",
        "threads| java.util.stream.Gatherers.mapConcurrent(2, x -> x)",
        "threads| new java.util.concurrent.ConcurrentHashMap<>().reduce(1, (a, b) -> a, (a, b) -> a)",
        "threads| new java.util.concurrent.ConcurrentHashMap<>().searchKeys(1, a -> a)",
        "threads| java.math.BigInteger.ONE.parallelMultiply(java.math.BigInteger.TWO)",
        "threads| Thread.currentThread()",
        "threads| Thread.interrupted()",
        "threads| new java.io.PipedReader()",
        "threads| java.util.concurrent.CompletableFuture.runAsync(null)",
        "threads| java.lang.ref.Cleaner.create()",
        "files| A.class.getResourceAsStream(\"/x\")",
        "files| java.nio.file.FileSystems.getDefault()",
        "files| ((java.net.URL) null).openStream()",
        "files| java.util.zip.ZipInputStream.class.cast(new java.util.zip.ZipInputStream(null))",
        "network| java.nio.channels.Pipe.open()",
        "network| System.inheritedChannel()",
        "network| java.net.URI.create(\"a:b\").toURL()",
        "network| javax.net.ssl.SSLContext.getDefault()",
        "native| java.lang.foreign.Arena.global()",
        "native| java.nio.ByteBuffer.allocateDirect(1)",
        "reflection| A.class.getClassLoader()",
        "reflection| A.class.getModule()",
        "reflection| java.util.ResourceBundle.getBundle(\"a\")",
        "reflection| java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(A.class, \"a\")",
        "environment| java.util.Locale.getDefault()",
        "environment| java.nio.charset.Charset.defaultCharset()",
        "environment| new java.util.Properties()",
        "environment| Runtime.version()",
        "clock| java.time.ZoneId.systemDefault()",
        "clock| java.util.TimeZone.getDefault()",
        "clock| java.time.Clock.systemUTC()",
        "clock| java.text.DateFormat.getInstance()",
        "random| System.identityHashCode(this)",
        "random| new java.util.IdentityHashMap<Object, Object>()",
        "random| java.util.UUID.randomUUID()",
        "random| new java.security.SecureRandom()",
        "random| java.util.random.RandomGenerator.getDefault()",
      })
  void nothingThatReachesBeyondPlanningIsFree(String capability, String expression) {
    List<String> problems =
        type("A", "Object x() throws Exception { return " + expression + "; }")
            .check(List.of(), "A")
            .problems();
    assertThat(problems)
        .isNotEmpty()
        .allMatch(
            line ->
                line.contains(
                    capability.equals("never")
                        ? "is not allowed; used by p.A.x (A.java:1); no plugin may do that, because"
                        : "is not allowed; used by p.A.x (A.java:1); ask for the capability '"
                            + capability));
  }

  @Test
  void whatAuthorsUseIsFree() {
    assertThat(new PlainAuthor().all(new PlainAuthor.Send(3, 4096))).contains("long send to 3");

    LinkReport report =
        CHECK.check(
            LinkCheckTest::classFileOfAuthor, List.of(PlainAuthor.class.getName()), Set.of());

    assertThat(report.problems()).isEmpty();
    assertThat(report.unguarded()).hasSizeGreaterThan(8);
  }

  private static byte @Nullable [] classFileOfAuthor(String name) {
    if (!name.startsWith(PlainAuthor.class.getName().replace('.', '/'))) {
      return null;
    }
    try (InputStream in = PlainAuthor.class.getResourceAsStream("/" + name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRestrictionIsFoundBehindASubclassOfTheJar() {
    type("Worker", "").source("Worker", "class Worker extends Thread {}");
    type("A", "void x(Worker w) { w.start(); }");
    assertThat(check(List.of(), "A").problems())
        .anyMatch(
            line -> line.startsWith("java.lang.Thread.start() is not allowed; used by p.A.x"));
  }

  @Test
  void aRestrictionIsFoundBehindAClassThatInheritsIt() {
    source("Mine", "class Mine extends java.util.ArrayList<Integer> {}");
    type("A", "Object x(Mine m) { return m.parallelStream(); }");
    assertThat(check(List.of(), "A").problems())
        .singleElement()
        .asString()
        .startsWith("java.util.Collection.parallelStream() is not allowed; used by p.A.x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "implements java.util.concurrent.Executor { public void execute(Runnable r) { r.run(); }"
            + "| java.util.concurrent.Executor| ask for the capability 'threads'",
        "implements java.lang.reflect.InvocationHandler { public Object invoke(Object p,"
            + " java.lang.reflect.Method m, Object[] a) { return null; }"
            + "| java.lang.reflect.InvocationHandler| ask for the capability 'reflection'",
        "implements java.util.spi.ToolProvider { public String name() { return null; } public int"
            + " run(java.io.PrintWriter o, java.io.PrintWriter e, String... a) { return 0; }"
            + "| java.util.spi.ToolProvider| no plugin may do that, because it is not on the list",
        "implements javax.swing.Action {"
            + "| javax.swing.Action| no plugin may do that, because it is not on the list",
      })
  void whatAClassExtendsCounts(String declaration, String type, String advice) {
    source("A", "public abstract class A " + declaration + " }");
    assertThat(check(List.of(), "A").problems())
        .singleElement()
        .asString()
        .startsWith("p.A is a " + type + ", which is not allowed; " + advice);
  }

  @Test
  void declarationsCount() {
    assertThat(problem("static int count;"))
        .isEqualTo(
            "p.A.count is a static field that is not final; ask for the capability"
                + " 'mutable-statics' in META-INF/tutti/plugin.json");
    assertThat(problem("static final int[] COUNTS = new int[2];"))
        .startsWith("p.A.COUNTS is a static field that is an array, whose elements can change;");
    assertThat(
            problem("static final java.util.Map<String, String> SEEN = new java.util.HashMap<>();"))
        .startsWith("p.A.SEEN is a static field that holds a value that can change;");
    assertThat(problem("native void call();"))
        .isEqualTo(
            "p.A.call is a native method; ask for the capability 'native' in"
                + " META-INF/tutti/plugin.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int asked;                                     | is not final",
        "final int[] asked = new int[2];                | is an array, whose elements can change",
        "final java.util.BitSet asked = new java.util.BitSet();   | holds a value that can change",
        "final java.util.Set<String> asked = new java.util.HashSet<>(); | holds a value that can"
            + " change",
        "final Counter asked = new Counter();           | holds a value that can change",
        "final Heir asked = new Heir();                 | holds a value that can change",
      })
  void executorsAndTemplatesKeepNoState(String field, String problem) {
    source("Counter", "class Counter { int n; }");
    source("Heir", "class Heir extends Counter {}");
    List.of(
            "implements dev.tutti.sdk.template.AlgTemplate",
            "extends dev.tutti.sdk.NativeExecutorBase<dev.tutti.sdk.param.AllReduceParam>",
            "extends dev.tutti.sdk.CollExecutorBase<dev.tutti.sdk.param.AllReduceParam>")
        .forEach(
            kind -> {
              source("T", "public abstract class T " + kind + " { " + field + " }");
              assertThat(check(List.of(), "T", "Counter", "Heir").problems())
                  .as(kind)
                  .singleElement()
                  .asString()
                  .startsWith("p.T.asked is a field of an executor or a template that " + problem);
            });
  }

  @Test
  void whatOthersKeepIsTheirs() {
    expectClean("int count; final int[] counts = new int[2];");
    source("Fixed", "enum Fixed { ONE(1); private final int rank; Fixed(int r) { rank = r; } }");
    source(
        "T",
        "public abstract class T implements dev.tutti.sdk.template.AlgTemplate {"
            + " final Fixed first = Fixed.ONE; final String name = \"\"; }");
    assertThat(check(List.of(), "T", "Fixed").problems()).isEmpty();
  }

  @Test
  void constantsOfEnumsKeepNoState() {
    source("First", "public enum First { ONE; private int rank; }");
    assertThat(check(List.of(), "First").problems())
        .singleElement()
        .asString()
        .startsWith("p.First.ONE is a static field that holds a value that can change;");
  }

  @Test
  void plansAreNotThere() {
    assertThat(problem("Object x() { return dev.tutti.plan.GroupPlan.class; }"))
        .startsWith("the class dev.tutti.plan.GroupPlan is neither in the jar nor in the SPI");
  }

  @Test
  void internalsOfTheJdkAreNotThere() {
    Map<String, byte[]> classes =
        PluginJars.compileAll(
            Map.of(
                "jdk.internal.misc.Secret",
                "package jdk.internal.misc; public class Secret {}",
                "p.A",
                "package p; public class A { Object o = jdk.internal.misc.Secret.class; }"));
    classes.remove("jdk.internal.misc.Secret");
    assertThat(
            CHECK
                .check(name -> classes.get(name.replace('/', '.')), List.of("p.A"), Set.of())
                .problems())
        .singleElement()
        .asString()
        .startsWith("the class jdk.internal.misc.Secret is neither in the jar");
  }

  @Test
  void previewFeaturesAndWrongNamesAreRefused() {
    Map<String, byte[]> classes = PluginJars.compileAll(Map.of("p.A", "package p; class A {}"));
    byte[] bytes = classes.get("p.A");
    bytes[4] = (byte) 0xff;
    bytes[5] = (byte) 0xff;
    assertThat(CHECK.check(name -> bytes, List.of("p.A"), Set.of()).problems())
        .singleElement()
        .asString()
        .startsWith("p.A uses preview features");
    byte[] good = PluginJars.compileAll(Map.of("p.B", "package p; class B {}")).get("p.B");
    assertThat(CHECK.check(name -> good, List.of("p.C"), Set.of()).problems())
        .containsExactly("the file p/C.class holds the class p.B; build the jar again");
  }

  @Test
  void noDamagedClassFileLeadsToAnythingButAReport() {
    byte[] good =
        PluginJars.compileAll(
                Map.of("p.A", "package p; class A { Object x() { return \"a\" + System.out; } }"))
            .get("p.A");
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x55;
      assertThat(CHECK.check(name -> name.equals("p/A") ? bad : null, List.of("p.A"), Set.of()))
          .as("byte %d", at)
          .isNotNull();
    }
  }
}
