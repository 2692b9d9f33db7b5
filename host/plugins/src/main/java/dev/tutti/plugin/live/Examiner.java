package dev.tutti.plugin.live;

import dev.tutti.plugin.PluginCheck;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginReport;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.purity.OtherProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes a jar from its bytes to a loaded plugin that is fit to serve, or says why not. A jar is
 * judged in a process of its own; only what passes there is loaded into this one.
 */
final class Examiner implements AutoCloseable {

  /** Jars that are examined at once, or cases of a single one. */
  private static final int AT_ONCE = Math.min(4, Runtime.getRuntime().availableProcessors());

  private final Duration planningLimit;
  private final Admission admission;
  private final @Nullable IsolatedExaminer isolated;
  private final News news;
  private final AtomicBoolean isTold = new AtomicBoolean();
  private final PluginCheck check = PluginCheck.create();
  private final Trust trust;

  /**
   * An examiner.
   *
   * @param planningLimit the longest the constructor of a provider may take
   * @param limit the processor time that the examination of a jar may take
   * @param isIsolated whether jars are examined in processes of their own
   * @param trust whose signatures count
   */
  Examiner(Duration planningLimit, Duration limit, boolean isIsolated, Trust trust, News news) {
    this.planningLimit = planningLimit;
    this.admission = new Admission(planningLimit, limit);
    this.isolated = isIsolated ? new IsolatedExaminer(limit) : null;
    this.news = news;
    this.trust = trust;
  }

  /**
   * The jars to examine.
   *
   * @param plugin its id
   * @param version its version
   * @param sha256 the hash of its content
   * @param content the copy in the store
   * @param file the file it was copied from, for messages
   */
  record Task(String plugin, String version, String sha256, Path content, Path file) {}

  /**
   * What came of it.
   *
   * @param instance the loaded plugin, or null if it is not admitted
   * @param code the kind of problem if it is not
   * @param report all that is wrong, or how much was checked
   */
  record Verdict(Task task, @Nullable PluginInstance instance, ErrorCode code, String report) {

    /** What was admitted some time ago. */
    static Verdict admitted(Task task, PluginInstance instance) {
      return new Verdict(task, instance, ErrorCode.PLUGIN_REJECTED, "");
    }

    /** The loaded plugin, where there must be one. */
    PluginInstance admitted() {
      return Objects.requireNonNull(instance, "admitted");
    }
  }

  /**
   * Reads what a jar says it is; all else is looked at when it is loaded.
   *
   * @throws TuttiException with the code of the first problem if it does not say what it is
   */
  PluginReport identify(Path file) {
    PluginReport report = check.identify(file);
    if (report.manifest() == null) {
      throw Admission.refusal(report.problems());
    }
    return report;
  }

  /**
   * Checks a jar and its signature without loading it.
   *
   * @throws TuttiException with the code of the first problem and the texts of all
   */
  PluginReport check(Path file) {
    trust.requireReadable();
    Path keys = trust.file();
    PluginReport report = (keys == null ? check : check.trusting(keys).requireSigned()).check(file);
    if (!report.isClean()) {
      throw Admission.refusal(report.problems());
    }
    return report;
  }

  /** The algorithms that a catalogue serves, with the copies of their jars in the store. */
  static List<Admission.Known> served(Catalogue catalogue, PluginStore store) {
    Map<String, Path> jars = new HashMap<>();
    for (Generation each : catalogue.generations()) {
      store.find(each.content()).ifPresent(jar -> jars.put(each.plugin(), jar));
    }
    return catalogue.plugins().algorithms().stream()
        .map(each -> new Admission.Known(each, jars.get(each.plugin())))
        .toList();
  }

  /** Examines jars side by side. */
  List<Verdict> examine(List<Task> tasks, List<Admission.Known> served) {
    if (tasks.size() == 1) {
      return List.of(examine(tasks.getFirst(), served, AT_ONCE));
    }
    List<Verdict> verdicts = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.clamp(tasks.size(), 1, AT_ONCE),
            Thread.ofPlatform().daemon().name("tutti-admission-", 0).factory())) {
      List<Future<Verdict>> started =
          tasks.stream().map(task -> threads.submit(() -> examine(task, served, 1))).toList();
      for (Future<Verdict> each : started) {
        verdicts.add(result(each));
      }
    }
    return verdicts;
  }

  private static Verdict result(Future<Verdict> verdict) {
    try {
      return verdict.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while plugins were examined", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a plugin could not be examined", e);
    }
  }

  private Verdict examine(Task task, List<Admission.Known> served, int threads) {
    PluginJfr.Verify event = new PluginJfr.Verify();
    event.begin();
    try {
      Verdict verdict =
          isolated == null
              ? examineHere(task, served, threads, event)
              : examine(task, served, threads, event, isolated);
      event.isAdmitted = verdict.instance() != null;
      return verdict;
    } finally {
      event.commit(task.plugin(), task.version(), task.sha256());
    }
  }

  private Verdict examine(
      Task task,
      List<Admission.Known> served,
      int threads,
      PluginJfr.Verify event,
      IsolatedExaminer process) {
    List<Path> jars =
        others(task.plugin(), served)
            .map(Admission.Known::jar)
            .flatMap(Stream::ofNullable)
            .distinct()
            .toList();
    ExaminerProcess.Request request =
        new ExaminerProcess.Request(
            task.content(), task.file(), planningLimit, process.wallClock(), threads, jars);
    return switch (process.examine(request)) {
      case IsolatedExaminer.Outcome.Admitted admitted -> {
        event.cases = admitted.checked().plans();
        tellOfComparison(admitted.note());
        yield admitted(task, admitted.checked());
      }
      case IsolatedExaminer.Outcome.Refused refused ->
          new Verdict(task, null, refused.code(), refused.report());
      case IsolatedExaminer.Outcome.NotStarted reason -> {
        if (isTold.compareAndSet(false, true)) {
          news.tell(
              "jars are examined in the process of the host, where a bad one may harm it: "
                  + reason.reason());
        }
        yield examineHere(task, served, threads, event);
      }
    };
  }

  private void tellOfComparison(String note) {
    if (!note.isEmpty() && isTold.compareAndSet(false, true)) {
      news.tell("plans are not compared with those of other processes: " + note);
    }
  }

  /** Loads what was found fit in another process. */
  private Verdict admitted(Task task, Admission.Checked checked) {
    try {
      PluginInstance instance = load(task.content(), task.file());
      return new Verdict(task, instance, ErrorCode.PLUGIN_REJECTED, checked.words());
    } catch (TuttiException e) {
      return new Verdict(task, null, e.code(), String.valueOf(e.getMessage()));
    }
  }

  private Verdict examineHere(
      Task task, List<Admission.Known> served, int threads, PluginJfr.Verify event) {
    PluginInstance instance = null;
    try (OtherProcesses processes = JarPlans.processes(planningLimit)) {
      instance = load(task.content(), task.file());
      List<Admission.Known> known =
          Stream.concat(
                  instance.plugin().algorithms().stream()
                      .map(
                          each ->
                              new Admission.Known(each, isolated == null ? null : task.content())),
                  others(task.plugin(), served))
              .toList();
      Admission.Checked checked = admission.check(instance.plugin(), known, threads, processes);
      event.cases = checked.plans();
      tellOfComparison(processes.note());
      return new Verdict(task, instance, ErrorCode.PLUGIN_REJECTED, checked.words());
    } catch (RuntimeException | Error e) {
      if (instance != null) {
        instance.close();
      }
      TuttiException refusal = Admission.refusal(e);
      return new Verdict(task, null, refusal.code(), String.valueOf(refusal.getMessage()));
    }
  }

  private static Stream<Admission.Known> others(String plugin, List<Admission.Known> served) {
    return served.stream().filter(each -> !each.algorithm().plugin().equals(plugin));
  }

  /**
   * Loads a jar of which nothing is wrong.
   *
   * @throws TuttiException with the code of the first problem and the text of all
   */
  PluginInstance load(Path content, Path file) {
    return admission.load(content, file);
  }

  @Override
  public void close() {
    if (isolated != null) {
      isolated.close();
    }
  }
}
