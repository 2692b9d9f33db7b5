package dev.tutti.plugin.live;

import dev.tutti.plan.work.Work;
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
 * Turns the bytes of a jar into a loaded plugin that may serve, or explains why it may not. A
 * separate process judges the jar; only a jar that passes there is loaded into this process.
 */
final class Examiner implements AutoCloseable {

  /** The number of jars that are examined at once, or of cases of a single jar. */
  private static final int AT_ONCE = Math.min(4, Runtime.getRuntime().availableProcessors());

  private final Duration planningLimit;
  private final Admission admission;
  private final @Nullable IsolatedExaminer isolated;
  private final News news;
  private final AtomicBoolean isTold = new AtomicBoolean();
  private final PluginCheck check = PluginCheck.create();
  private final Trust trust;

  /**
   * Makes an examiner.
   *
   * @param planningLimit the longest time for the constructor of a provider
   * @param limit the largest processor time for the examination of a jar
   * @param isIsolated whether jars are examined in separate processes
   * @param trust the trusted keys
   */
  Examiner(Duration planningLimit, Duration limit, boolean isIsolated, Trust trust, News news) {
    this.planningLimit = planningLimit;
    this.admission = new Admission(planningLimit, limit);
    this.isolated = isIsolated ? new IsolatedExaminer(limit) : null;
    this.news = news;
    this.trust = trust;
  }

  /**
   * A jar to examine.
   *
   * @param plugin its id
   * @param version its version
   * @param sha256 the hash of its content
   * @param content the copy in the store
   * @param file the file it was copied from, for messages
   */
  record Task(String plugin, String version, String sha256, Path content, Path file) {}

  /**
   * The result of an examination.
   *
   * @param instance the loaded plugin, or null if it is not admitted
   * @param code the kind of problem if it is not admitted
   * @param report all problems, or the extent of the checks
   */
  record Verdict(Task task, @Nullable PluginInstance instance, ErrorCode code, String report) {

    /** The verdict on a plugin that was admitted earlier. */
    static Verdict admitted(Task task, PluginInstance instance) {
      return new Verdict(task, instance, ErrorCode.PLUGIN_REJECTED, "");
    }

    /** The loaded plugin, which must exist. */
    PluginInstance admitted() {
      return Objects.requireNonNull(instance, "admitted");
    }
  }

  /**
   * Reads the manifest of a jar; everything else is checked when the jar is loaded.
   *
   * @throws TuttiException with the code of the first problem if there is no valid manifest
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
    try (Work work = Work.begin("examining plugins", tasks.size())) {
      return examine(tasks, served, work);
    }
  }

  private List<Verdict> examine(List<Task> tasks, List<Admission.Known> served, Work work) {
    if (tasks.size() == 1) {
      return List.of(examine(tasks.getFirst(), served, AT_ONCE));
    }
    List<Verdict> verdicts = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.clamp(tasks.size(), 1, AT_ONCE),
            Thread.ofPlatform().daemon().name("tutti-admission-", 0).factory())) {
      List<Future<Verdict>> started =
          tasks.stream()
              .map(
                  task ->
                      threads.submit(
                          () -> {
                            Verdict verdict = examine(task, served, 1);
                            work.step();
                            return verdict;
                          }))
              .toList();
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

  /** Loads a jar that has passed in another process. */
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
   * Loads a jar that has no problems.
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
