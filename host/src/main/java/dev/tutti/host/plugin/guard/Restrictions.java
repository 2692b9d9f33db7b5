package dev.tutti.host.plugin.guard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one table of what a plugin may not use without asking. The link check compares the references
 * of class files with it, and the guards compare with it what is called while a plugin runs.
 *
 * <p>A line has a capability, {@code never} or {@code free}, then a class and its members, or a
 * class and {@code *} for all of them, or a package and {@code *}. The most special line wins. What
 * no line names is free. A member can have parameters behind its name. Immutable and thread-safe.
 */
public final class Restrictions {

  private static final String TABLE =
      """
      never java.lang.System exit setProperty setProperties clearProperty setOut setErr setIn gc
      never java.lang.System setSecurityManager getSecurityManager runFinalization
      never java.lang.Runtime exit halt addShutdownHook removeShutdownHook gc runFinalization
      never java.lang.Thread setDefaultUncaughtExceptionHandler getAllStackTraces stop suspend
      never java.lang.Thread setContextClassLoader
      never java.lang.ClassLoader <init> defineClass getSystemClassLoader getPlatformClassLoader
      never java.lang.ModuleLayer *
      never java.lang.Module addExports addOpens addReads addUses
      never java.lang.invoke.MethodHandles$Lookup defineClass defineHiddenClass
      never java.lang.invoke.MethodHandles$Lookup defineHiddenClassWithClassData
      never java.lang.invoke.ConstantBootstraps getStaticFinal fieldVarHandle staticFieldVarHandle
      never java.lang.invoke.VarHandle$VarHandleDesc resolveConstantDesc
      never java.lang.constant.ConstantDesc resolveConstantDesc
      never java.lang.constant.MethodHandleDesc resolveConstantDesc
      never java.lang.constant.DynamicConstantDesc resolveConstantDesc
      never java.lang.constant.DynamicCallSiteDesc resolveCallSiteDesc
      never java.lang.reflect.InvocationHandler invokeDefault
      never java.beans.EventHandler *
      never java.beans.Expression *
      never java.beans.Statement *
      never java.beans.XMLDecoder *
      never java.lang.instrument *
      never java.lang.management *
      never java.net.URLClassLoader *
      never java.net.URL setURLStreamHandlerFactory
      never java.rmi *
      never java.security.Security *
      never java.security.Policy *
      never java.util.Locale setDefault
      never java.util.TimeZone setDefault
      never java.util.spi.ToolProvider *
      never javax.management *
      never javax.naming *
      never javax.script *
      never javax.tools *
      never com.sun *
      never sun *
      never jdk *
      free jdk.incubator.vector *

      threads java.lang.Thread <init> start startVirtualThread ofPlatform ofVirtual sleep join
      threads java.lang.Thread setDaemon setName setPriority setUncaughtExceptionHandler
      threads java.lang.ThreadGroup *
      threads java.lang.ThreadLocal *
      threads java.lang.InheritableThreadLocal *
      threads java.lang.ScopedValue *
      threads java.lang.Object wait(J) wait(JI) wait()
      threads java.lang.ref.Cleaner *
      threads java.util.Timer *
      threads java.util.TimerTask *
      threads java.util.Collection parallelStream
      threads java.util.Arrays parallelSort parallelPrefix parallelSetAll
      threads java.util.stream.BaseStream parallel
      threads java.util.stream.IntStream parallel
      threads java.util.stream.LongStream parallel
      threads java.util.stream.DoubleStream parallel
      threads java.util.concurrent.Executors *
      threads java.util.concurrent.ExecutorService *
      threads java.util.concurrent.Executor execute
      threads java.util.concurrent.ThreadPoolExecutor *
      threads java.util.concurrent.ScheduledThreadPoolExecutor *
      threads java.util.concurrent.ForkJoinPool *
      threads java.util.concurrent.ForkJoinTask *
      threads java.util.concurrent.CompletableFuture *
      threads java.util.concurrent.StructuredTaskScope *
      threads java.util.concurrent.Future get
      threads java.util.concurrent.FutureTask *
      threads java.util.concurrent.CompletionService *
      threads java.util.concurrent.ExecutorCompletionService *
      threads java.util.concurrent.CountDownLatch await
      threads java.util.concurrent.CyclicBarrier await
      threads java.util.concurrent.Phaser arriveAndAwaitAdvance awaitAdvance
      threads java.util.concurrent.Phaser awaitAdvanceInterruptibly
      threads java.util.concurrent.Exchanger exchange
      threads java.util.concurrent.Semaphore acquire acquireUninterruptibly
      threads java.util.concurrent.Semaphore tryAcquire(JLjava/util/concurrent/TimeUnit;)
      threads java.util.concurrent.Semaphore tryAcquire(IJLjava/util/concurrent/TimeUnit;)
      threads java.util.concurrent.BlockingQueue put take
      threads java.util.concurrent.BlockingQueue poll(JLjava/util/concurrent/TimeUnit;)
      threads java.util.concurrent.BlockingQueue offer(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)
      threads java.util.concurrent.BlockingDeque *
      threads java.util.concurrent.TransferQueue *
      threads java.util.concurrent.ArrayBlockingQueue *
      threads java.util.concurrent.DelayQueue *
      threads java.util.concurrent.LinkedBlockingDeque *
      threads java.util.concurrent.LinkedBlockingQueue *
      threads java.util.concurrent.LinkedTransferQueue *
      threads java.util.concurrent.PriorityBlockingQueue *
      threads java.util.concurrent.SynchronousQueue *
      threads java.util.concurrent.TimeUnit sleep timedJoin timedWait
      threads java.util.concurrent.SubmissionPublisher *
      threads java.util.concurrent.locks.LockSupport *
      threads java.util.concurrent.locks.Condition *
      threads java.util.concurrent.locks.AbstractQueuedSynchronizer *
      threads java.util.concurrent.locks.AbstractQueuedLongSynchronizer *

      files java.io.File *
      files java.io.FileInputStream *
      files java.io.FileOutputStream *
      files java.io.FileReader *
      files java.io.FileWriter *
      files java.io.RandomAccessFile *
      files java.io.PrintStream <init>(Ljava/io/File;) <init>(Ljava/lang/String;)
      files java.io.PrintStream <init>(Ljava/lang/String;Ljava/lang/String;)
      files java.io.PrintStream <init>(Ljava/lang/String;Ljava/nio/charset/Charset;)
      files java.io.PrintWriter <init>(Ljava/io/File;) <init>(Ljava/lang/String;)
      files java.io.PrintWriter <init>(Ljava/lang/String;Ljava/lang/String;)
      files java.io.PrintWriter <init>(Ljava/lang/String;Ljava/nio/charset/Charset;)
      files java.lang.classfile.ClassFile parse(Ljava/nio/file/Path;) verify(Ljava/nio/file/Path;)
      files java.lang.classfile.ClassFile buildTo buildModuleTo
      files java.nio.channels.FileChannel *
      files java.nio.channels.AsynchronousFileChannel *
      files java.nio.file *
      free java.nio.file.Path of toString getFileName getParent resolve relativize normalize
      files java.util.zip.ZipFile *
      files java.util.jar.JarFile *
      files java.util.logging.FileHandler *
      files java.util.Formatter <init>(Ljava/lang/String;)
      files java.util.Formatter <init>(Ljava/lang/String;Ljava/lang/String;)
      files java.util.Formatter <init>(Ljava/lang/String;Ljava/lang/String;Ljava/util/Locale;)
      files java.util.Formatter <init>(Ljava/lang/String;Ljava/nio/charset/Charset;Ljava/util/Locale;)
      files java.util.Scanner <init>(Ljava/io/File;) <init>(Ljava/nio/file/Path;)
      files java.util.Scanner <init>(Ljava/nio/file/Path;Ljava/lang/String;)
      files java.util.Scanner <init>(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)
      files java.util.prefs *

      network java.net *
      network java.net.http *
      free java.net.URI *
      free java.net.URISyntaxException *
      free java.net.URLEncoder *
      free java.net.URLDecoder *
      network java.nio.channels.SocketChannel *
      network java.nio.channels.ServerSocketChannel *
      network java.nio.channels.DatagramChannel *
      network java.nio.channels.AsynchronousSocketChannel *
      network java.nio.channels.AsynchronousServerSocketChannel *
      network java.nio.channels.Selector *
      network java.sql *
      network javax.net *
      network javax.sql *

      processes java.lang.Process *
      processes java.lang.ProcessBuilder *
      processes java.lang.ProcessHandle *
      processes java.lang.Runtime exec

      native java.lang.System load loadLibrary
      native java.lang.Runtime load loadLibrary
      native java.lang.foreign.Linker *
      native java.lang.foreign.SymbolLookup *
      native java.lang.foreign.MemorySegment reinterpret
      native java.lang.foreign.AddressLayout withTargetLayout

      reflection java.lang.Class forName forPrimitiveName newInstance getMethod getMethods
      reflection java.lang.Class getDeclaredMethod getDeclaredMethods getField getFields
      reflection java.lang.Class getDeclaredField getDeclaredFields getConstructor getConstructors
      reflection java.lang.Class getDeclaredConstructor getDeclaredConstructors
      reflection java.lang.Class getDeclaredClasses getEnclosingMethod getRecordComponents
      reflection java.lang.ClassLoader *
      free java.lang.ClassLoader getResource getResourceAsStream getResources resources
      reflection java.lang.StackWalker *
      reflection java.lang.reflect *
      free java.lang.reflect.Array *
      free java.lang.reflect.Type *
      free java.lang.reflect.ParameterizedType *
      reflection java.lang.invoke.MethodHandleProxies *
      reflection java.lang.invoke.MethodHandles lookup publicLookup privateLookupIn reflectAs
      reflection java.lang.invoke.MethodHandles$Lookup *
      reflection java.beans *
      reflection java.io.ObjectInputStream *
      reflection java.util.ServiceLoader *

      environment java.lang.System getProperty getProperties getenv
      environment java.lang.Integer getInteger
      environment java.lang.Long getLong
      environment java.lang.Boolean getBoolean
      environment java.lang.Runtime availableProcessors freeMemory maxMemory totalMemory

      clock java.lang.System currentTimeMillis nanoTime
      clock java.time.Clock systemUTC systemDefaultZone system tick tickMillis tickMinutes tickSeconds
      clock java.time.Instant now()
      clock java.time.InstantSource system
      clock java.time.LocalDate now() now(Ljava/time/ZoneId;)
      clock java.time.LocalTime now() now(Ljava/time/ZoneId;)
      clock java.time.LocalDateTime now() now(Ljava/time/ZoneId;)
      clock java.time.OffsetDateTime now() now(Ljava/time/ZoneId;)
      clock java.time.OffsetTime now() now(Ljava/time/ZoneId;)
      clock java.time.ZonedDateTime now() now(Ljava/time/ZoneId;)
      clock java.time.Year now() now(Ljava/time/ZoneId;)
      clock java.time.YearMonth now() now(Ljava/time/ZoneId;)
      clock java.time.MonthDay now() now(Ljava/time/ZoneId;)
      clock java.util.Date <init>()
      clock java.util.Calendar getInstance
      clock java.util.GregorianCalendar <init>()

      random java.lang.Math random
      random java.lang.StrictMath random
      random java.util.Random <init>()
      random java.util.SplittableRandom <init>()
      random java.util.UUID randomUUID
      random java.util.Collections shuffle(Ljava/util/List;)
      random java.util.concurrent.ThreadLocalRandom *
      random java.util.random.RandomGenerator getDefault of
      random java.security.SecureRandom *

      console java.lang.System out err in console getLogger
      console java.lang.IO *
      console java.lang.Throwable printStackTrace()
      console java.io.Console *
      console java.util.logging *
      """;

  private static final String ALL = "*";

  private static final Line FREE = new Line(null);

  /** Of each class: lines by member, by member with parameters, or for all of them. */
  private final Map<String, Map<String, Line>> classes = new HashMap<>();

  private final Map<String, Line> packages = new HashMap<>();
  private final Map<String, Line> ofPackage = new ConcurrentHashMap<>();

  /** What a line says; a line that says "free" hides a more general one. */
  private record Line(@Nullable Restriction restriction) {}

  /** The table of this host. */
  public Restrictions() {
    lines().forEach(line -> add(line.split(" ", -1)));
  }

  /** The lines of the table. */
  static List<String> lines() {
    return TABLE.lines().filter(line -> !line.isBlank()).toList();
  }

  private void add(String[] words) {
    Line line =
        switch (words[0]) {
          case "never" -> new Line(new Restriction(null));
          case "free" -> FREE;
          default -> new Line(new Restriction(Capability.of(words[0]).orElseThrow()));
        };
    String place = words[1].replace('.', '/');
    boolean isClass = Character.isUpperCase(place.charAt(place.lastIndexOf('/') + 1));
    if (!isClass) {
      packages.put(place, line);
      return;
    }
    Map<String, Line> members = classes.computeIfAbsent(place, name -> new HashMap<>());
    for (int i = 2; i < words.length; i++) {
      members.put(words[i], line);
    }
  }

  /**
   * The restriction of a member that the JDK declares.
   *
   * @param owner the class that declares it, with slashes
   * @param name the field, the method, or {@code <init>}
   * @param descriptor its type
   * @return null if it is free
   */
  public @Nullable Restriction of(String owner, String name, String descriptor) {
    Map<String, Line> members = classes.get(owner);
    Line found = members == null ? null : ofMember(members, name, descriptor);
    if (found == null) {
      found = ofPackage.computeIfAbsent(packageOf(owner), this::ofPackage);
    }
    return found.restriction();
  }

  /**
   * The restriction of a member of which only the name is known: if several have the name, one that
   * is not lifted.
   *
   * @return null if they are free, or the plugin has asked for them
   */
  @Nullable Restriction strictest(String owner, String name, Set<Capability> granted) {
    boolean isNamed = false;
    for (Map.Entry<String, Line> member : classes.getOrDefault(owner, Map.of()).entrySet()) {
      if (member.getKey().equals(name) || member.getKey().startsWith(name + "(")) {
        isNamed = true;
        Restriction restriction = member.getValue().restriction();
        if (restriction != null && !restriction.isLifted(granted)) {
          return restriction;
        }
      }
    }
    Restriction general = isNamed ? null : of(owner, name, "");
    return general == null || general.isLifted(granted) ? null : general;
  }

  private static @Nullable Line ofMember(
      Map<String, Line> members, String name, String descriptor) {
    int end = descriptor.indexOf(')');
    Line exact = end < 0 ? null : members.get(name + descriptor.substring(0, end + 1));
    Line named = exact == null ? members.get(name) : exact;
    return named == null ? members.get(ALL) : named;
  }

  private Line ofPackage(String name) {
    for (String at = name; !at.isEmpty(); at = packageOf(at)) {
      Line found = packages.get(at);
      if (found != null) {
        return found;
      }
    }
    return FREE;
  }

  private static String packageOf(String name) {
    int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(0, end);
  }
}
