package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.PluginInstance;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Proves that the classes of a closed plugin are gone, or reports what may hold them. It holds none
 * of them itself. Thread-safe.
 */
final class UnloadWatch {

  private final ReferenceQueue<ClassLoader> queue = new ReferenceQueue<>();
  private final Map<Reference<?>, Closed> closed = new HashMap<>();
  private final long patienceNanos;
  private final Clock clock;

  /**
   * The ages of a closed plugin at which a garbage collection is requested, because an idle host
   * would not need one.
   */
  private static final long[] ASK_SECONDS = {2, 10, 45};

  /** A closed plugin. */
  private static final class Closed {
    private final String plugin;
    private final String version;
    private final String content;
    private final Set<String> mayStay;
    private final long since;
    private boolean isReported;
    private int asked;

    private Closed(PluginInstance instance, String content, long since) {
      this.plugin = instance.plugin().id();
      this.version = instance.plugin().version();
      this.content = content;
      this.mayStay = instance.mayStay();
      this.since = since;
    }
  }

  /**
   * The outcome for a plugin.
   *
   * @param plugin its id
   * @param version its version
   * @param content the SHA-256 of its jar
   * @param isCollected whether its classes are gone
   * @param suspects the things that may hold them, a sentence each; empty if they are gone
   */
  record Outcome(
      String plugin, String version, String content, boolean isCollected, List<String> suspects) {

    Outcome {
      suspects = List.copyOf(suspects);
    }
  }

  /**
   * Makes a watch.
   *
   * @param patience the time after which a closed plugin that is still loaded is reported
   */
  UnloadWatch(Duration patience, Clock clock) {
    this.patienceNanos = patience.toNanos();
    this.clock = clock;
  }

  /** Closes a plugin and watches for the end of its classes. */
  synchronized void close(PluginInstance instance, String content) {
    PhantomReference<ClassLoader> reference = instance.watch(queue);
    Closed entry = new Closed(instance, content, clock.nanoTime());
    closed.put(reference, entry);
    instance.close();
  }

  /** The number of closed plugins that are not collected. */
  synchronized int waiting() {
    return closed.size();
  }

  /** The SHA-256 of each closed plugin that is not collected. */
  synchronized Set<String> uncollected() {
    return closed.values().stream().map(each -> each.content).collect(Collectors.toSet());
  }

  /** Whether a closed plugin is not collected, and this was reported. */
  synchronized boolean isReported(String content) {
    return closed.values().stream()
        .anyMatch(each -> each.isReported && each.content.equals(content));
  }

  /** Marks a plugin as reported, so that {@link #poll} does not return it until it is collected. */
  synchronized void markReported(Outcome outcome) {
    for (Closed each : closed.values()) {
      each.isReported |= each.content.equals(outcome.content()) && isLate(each);
    }
  }

  /** Whether some closed plugin has waited long enough to request a garbage collection. */
  synchronized boolean isCollectionDue() {
    boolean isDue = false;
    for (Closed entry : closed.values()) {
      long age = clock.nanoTime() - entry.since;
      while (entry.asked < ASK_SECONDS.length
          && age >= Duration.ofSeconds(ASK_SECONDS[entry.asked]).toNanos()) {
        entry.asked++;
        isDue = true;
      }
    }
    return isDue;
  }

  /**
   * The outcomes for closed plugins: those collected since the last call, and those that should
   * have been collected and are not {@linkplain #markReported marked}.
   */
  synchronized List<Outcome> poll() {
    List<Outcome> outcomes = new ArrayList<>();
    for (Reference<?> gone = queue.poll(); gone != null; gone = queue.poll()) {
      Closed entry = closed.remove(gone);
      if (entry != null) {
        outcomes.add(new Outcome(entry.plugin, entry.version, entry.content, true, List.of()));
      }
    }
    for (Closed entry : closed.values()) {
      if (!entry.isReported && isLate(entry)) {
        outcomes.add(
            new Outcome(entry.plugin, entry.version, entry.content, false, suspects(entry)));
      }
    }
    return outcomes;
  }

  private boolean isLate(Closed entry) {
    return clock.nanoTime() - entry.since > patienceNanos;
  }

  /** The usual causes that can be seen from outside. */
  private static List<String> suspects(Closed entry) {
    String loaderName = PluginInstance.loaderName(entry.plugin, entry.version);
    TreeSet<String> suspects = new TreeSet<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              if (isOf(loaderName, thread.getContextClassLoader())) {
                suspects.add(
                    Sentence.of(
                        "thread '%s' has its loader as context class loader", thread.getName()));
              }
              if (isOf(loaderName, thread.getClass().getClassLoader())) {
                suspects.add(
                    Sentence.of(
                        "thread '%s' is an instance of one of its classes", thread.getName()));
              }
              for (StackTraceElement frame : frames) {
                if (loaderName.equals(frame.getClassLoaderName())) {
                  suspects.add(Sentence.of("thread '%s' is in %s", thread.getName(), frame));
                  break;
                }
              }
            });
    if (suspects.isEmpty()) {
      suspects.add(unseen(entry, loaderName));
    }
    return List.copyOf(suspects);
  }

  /** The suspect if no thread shows a class of the plugin. */
  private static String unseen(Closed entry, String loaderName) {
    String likely =
        entry.mayStay.isEmpty()
            ? "an object is kept: an exception that it threw, a thread-local value, a shutdown hook"
                + " or a cache"
            : "most likely something that it uses holds it: "
                + entry.mayStay.stream().sorted().collect(Collectors.joining("; "))
                + "; or else an exception that it threw, or a cache";
    return Sentence.of(
        "no thread is in it, so %s; a heap dump (jcmd <pid> GC.heap_dump) shows the path to the"
            + " loader '%s'",
        likely, loaderName);
  }

  private static boolean isOf(String name, ClassLoader loader) {
    return loader != null && name.equals(loader.getName());
  }
}
