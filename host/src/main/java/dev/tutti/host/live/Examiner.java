package dev.tutti.host.live;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.host.plugin.PluginCheck;
import dev.tutti.host.plugin.PluginInstance;
import dev.tutti.host.plugin.PluginProblem;
import dev.tutti.host.plugin.PluginReport;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes a jar from its bytes to a loaded plugin that is fit to serve, or says why not. */
final class Examiner {

  /** Jars that are examined at once, or cases of a single one. */
  private static final int AT_ONCE = Math.min(4, Runtime.getRuntime().availableProcessors());

  private final Duration planningLimit;
  private final Admission admission;
  private final PluginCheck check;
  private final boolean checksSignatures;

  /**
   * An examiner.
   *
   * @param planningLimit the longest the constructor of a provider may take
   * @param trust the file of trusted keys if every jar must be signed, else null
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if that file cannot be used
   */
  Examiner(Duration planningLimit, Admission admission, @Nullable Path trust) {
    this.planningLimit = planningLimit;
    this.admission = admission;
    this.checksSignatures = trust != null;
    this.check =
        trust == null ? PluginCheck.create() : PluginCheck.create().trusting(trust).requireSigned();
  }

  /** Whether signatures of jars are compared with trusted keys. */
  boolean checksSignatures() {
    return checksSignatures;
  }

  /**
   * What is to be examined.
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
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if it is not signed as it must
   *     be; else with the code of the first problem if it does not say what it is
   */
  PluginReport identify(Path file) {
    PluginReport report = check.identify(file);
    report.problems().stream()
        .filter(it -> it.code() == ErrorCode.PLUGIN_SIGNATURE)
        .findFirst()
        .ifPresent(
            it -> {
              throw new TuttiException(it.code(), "%s", it.message());
            });
    if (report.manifest() == null) {
      throw new TuttiException(report.problems().getFirst().code(), "%s", texts(report.problems()));
    }
    return report;
  }

  /**
   * Checks a jar without loading it.
   *
   * @throws TuttiException with the code of the first problem and the texts of all
   */
  PluginReport check(Path file) {
    PluginReport report = check.check(file);
    if (!report.isClean()) {
      throw new TuttiException(report.problems().getFirst().code(), "%s", texts(report.problems()));
    }
    return report;
  }

  private static String texts(List<PluginProblem> problems) {
    return problems.stream().map(PluginProblem::message).collect(Collectors.joining("\n"));
  }

  /** Examines jars side by side. */
  List<Verdict> examine(List<Task> tasks, List<Algorithm> served) {
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

  private Verdict examine(Task task, List<Algorithm> served, int threads) {
    PluginJfr.Verify event = new PluginJfr.Verify();
    event.begin();
    PluginInstance instance = null;
    try {
      instance = load(task.content(), task.file());
      event.cases = admission.check(instance.plugin(), others(task.plugin(), served), threads);
      event.isAdmitted = true;
      return new Verdict(
          task, instance, ErrorCode.PLUGIN_REJECTED, event.cases + " plans are clean");
    } catch (TuttiException e) {
      if (instance != null) {
        instance.close();
      }
      return new Verdict(task, null, e.code(), String.valueOf(e.getMessage()));
    } finally {
      event.commit(task.plugin(), task.version(), task.sha256());
    }
  }

  private static List<Algorithm> others(String plugin, List<Algorithm> served) {
    return served.stream().filter(each -> !each.plugin().equals(plugin)).toList();
  }

  /**
   * Loads a jar of which nothing is wrong.
   *
   * @throws TuttiException with the code of the first problem and the text of all
   */
  PluginInstance load(Path content, Path file) {
    PluginJfr.Load event = new PluginJfr.Load();
    event.begin();
    PluginInstance instance = PluginInstance.load(content, file, planningLimit);
    List<PluginProblem> problems = instance.plugin().problems();
    event.commit(instance.plugin().id(), instance.plugin().version(), "");
    if (!problems.isEmpty()) {
      instance.close();
      throw new TuttiException(problems.getFirst().code(), "%s", texts(problems));
    }
    return instance;
  }
}
