package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginManifest;
import dev.tutti.plugin.PluginReport;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginState;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The commands of users: install a plugin, remove it, and choose the version that serves. */
final class PluginAdministration {

  private final LiveSettings settings;
  private final Changes changes;
  private final PluginStore store;
  private final Examiner examiner;
  private final GenerationManager generations;
  private final Reconciler reconciler;
  private final Rollback rollback;
  private final DirectoryScanner scanner;
  private final PluginStatusReport statusReport;
  private final News news;

  PluginAdministration(
      LiveSettings settings,
      Changes changes,
      PluginStore store,
      Examiner examiner,
      GenerationManager generations,
      Reconciler reconciler,
      Rollback rollback,
      DirectoryScanner scanner,
      PluginStatusReport statusReport,
      News news) {
    this.settings = settings;
    this.changes = changes;
    this.store = store;
    this.examiner = examiner;
    this.generations = generations;
    this.reconciler = reconciler;
    this.rollback = rollback;
    this.scanner = scanner;
    this.statusReport = statusReport;
    this.news = news;
  }

  /** The status of a jar that is not installed. */
  PluginStatus verify(Path jar) {
    Examiner.Verdict verdict = fit(jar, jar);
    try (PluginInstance instance = verdict.admitted()) {
      return statusReport.examined(
          instance.plugin().manifest(), instance.sha256(), jar, instance, verdict.report());
    }
  }

  /**
   * Examines a jar and loads it if it may serve.
   *
   * @param shown the file that messages name
   * @throws TuttiException with the code of the problem
   */
  private Examiner.Verdict fit(Path jar, Path shown) {
    if (!Files.exists(jar, LinkOption.NOFOLLOW_LINKS)) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, "%s does not exist; name the jar of a plugin", jar);
    }
    PluginReport report = examiner.check(jar);
    PluginManifest manifest = Objects.requireNonNull(report.manifest(), "checked");
    Examiner.Task task =
        new Examiner.Task(manifest.id(), manifest.version(), report.sha256(), jar, shown);
    Examiner.Verdict verdict =
        examiner
            .examine(List.of(task), Examiner.served(generations.catalogues().current(), store))
            .getFirst();
    if (verdict.instance() == null) {
      throw new TuttiException(verdict.code(), "%s", verdict.report());
    }
    return verdict;
  }

  /** Copies a jar into the plugins directory, if it may serve. */
  PluginStatus install(Path jar) {
    Path target = settings.directory().resolve(Installation.fileName(jar));
    try (PluginInstance fit = fit(jar, target).admitted()) {
      return changes.make(() -> install(jar, target, fit));
    }
  }

  private PluginStatus install(Path jar, Path target, PluginInstance fit) {
    checkReplaces(target.getFileName().toString(), fit.plugin().id());
    try (Installation copied = Installation.copy(jar, target, steps())) {
      try {
        // After the copy: a jar that cannot be installed must not serve again.
        reinstate(fit, jar);
        takeIn(target, fit);
        return statusReport.of(fit.plugin().id(), fit.sha256());
      } catch (RuntimeException | Error e) {
        // Otherwise the file would start to serve later, unexpectedly.
        copied.takeBack();
        throw e;
      }
    }
  }

  private void takeIn(Path target, PluginInstance fit) {
    String file = target.getFileName().toString();
    reconciler.expect(fit);
    try {
      scanner.lookUntil(() -> reconciler.holds(file, fit.sha256()));
    } finally {
      reconciler.expectNothing();
    }
    for (PresentJar present : reconciler.jars()) {
      if (present.file().equals(file) && present.sha256().isEmpty()) {
        throw new TuttiException(ErrorCode.PLUGIN_STATE, "%s", present.problem());
      }
    }
  }

  /** Refuses to overwrite the file of another plugin. */
  private void checkReplaces(String file, String plugin) {
    for (PresentJar jar : reconciler.jars()) {
      if (jar.file().equals(file) && !jar.plugin().isEmpty() && !jar.plugin().equals(plugin)) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the plugins directory has a file %s, which is plugin %s; rename the file of %s",
            file,
            jar.plugin(),
            plugin);
      }
    }
  }

  /**
   * Makes a version that was rolled back serve again, as if it were just admitted, because the user
   * installs it again.
   */
  private void reinstate(PluginInstance fit, Path jar) {
    String id = fit.plugin().id();
    String version = fit.plugin().version();
    Optional<Content> known = store.state().plugin(id).content(fit.sha256());
    if (known.flatMap(Content::rolledBack).isPresent()) {
      store.record(new PluginEvent.Discarded(id, fit.sha256()));
      store.record(
          new PluginEvent.Staged(
              id, version, fit.sha256(), Installation.fileName(jar), jar.toFile().length()));
      store.record(new PluginEvent.Admitted(id, version, fit.sha256(), HostVersion.CURRENT));
    }
  }

  /** Deletes the jars of a plugin, so that it no longer serves; returns the changes. */
  List<String> remove(String id) {
    return changes.make(
        () -> {
          PluginFacts facts = known(id);
          long before = news.count();
          for (String file : filesOf(facts)) {
            Installation.delete(settings.directory().resolve(file), steps());
            news.tell(file + " was deleted");
          }
          steps().passed(Step.REMOVE_SWEPT);
          if (facts.pinned().isPresent()) {
            store.record(new PluginEvent.Unpinned(id));
          }
          boolean _ = scanner.look();
          return news.changesSince(before);
        });
  }

  private SortedSet<String> filesOf(PluginFacts facts) {
    TreeSet<String> files = new TreeSet<>();
    reconciler.jars().stream()
        .filter(jar -> jar.plugin().equals(facts.plugin()))
        .forEach(jar -> files.add(jar.file()));
    facts.serving().ifPresent(served -> files.add(served.file()));
    return files;
  }

  /** Rolls back to the version that served before. */
  PluginStatus rollback(String id) {
    return changes.make(
        () -> {
          PluginFacts facts = known(id);
          PluginFacts.Served served = facts.serving().orElseThrow(() -> nothingServes(id));
          if (!rollback.take(facts, served, "a user asked for it", false)) {
            throw nothingBefore(facts, served);
          }
          return statusReport.serving(id);
        });
  }

  private TuttiException nothingServes(String id) {
    return new TuttiException(
        ErrorCode.PLUGIN_STATE,
        "plugin %s does not serve, so there is nothing to roll back from; %s",
        id,
        statusReport.why(id));
  }

  private TuttiException nothingBefore(PluginFacts facts, PluginFacts.Served served) {
    String id = facts.plugin();
    String others =
        reconciler.jars().stream()
            .filter(jar -> jar.plugin().equals(id) && !jar.version().equals(served.version()))
            .filter(jar -> facts.content(jar.sha256()).filter(reconciler::mayServe).isPresent())
            .map(PresentJar::version)
            .distinct()
            .collect(Collectors.joining(" or "));
    return new TuttiException(
        ErrorCode.PLUGIN_STATE,
        "plugin %s %s has nothing to go back to: no version that served earlier can serve again;"
            + " %s",
        id,
        served.version(),
        others.isEmpty()
            ? "install one"
            : Sentence.of("install one, or serve one that is there: pin %s to %s", id, others));
  }

  /** Makes one version of a plugin serve, whatever other versions arrive. */
  PluginStatus pin(String id, String version) {
    return changes.make(
        () -> {
          requireFit(known(id), version);
          store.record(new PluginEvent.Pinned(id, version));
          reconciler.turn();
          return statusReport.serving(id);
        });
  }

  /** Refuses a version that is missing or may not serve. */
  private void requireFit(PluginFacts facts, String version) {
    String id = facts.plugin();
    Map<String, String> versions = new TreeMap<>();
    for (PresentJar jar : reconciler.jars()) {
      if (jar.plugin().equals(id)) {
        versions.put(jar.version(), jar.sha256());
      }
    }
    facts.serving().ifPresent(it -> versions.putIfAbsent(it.version(), it.sha256()));
    String sha256 = versions.get(version);
    if (sha256 == null) {
      throw Names.unknown("version of plugin " + id, version, List.copyOf(versions.keySet()));
    }
    String distrust = reconciler.distrust(sha256);
    if (!distrust.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SIGNATURE, "version %s of plugin %s %s", version, id, distrust);
    }
    Optional<Content> content = facts.content(sha256);
    content
        .flatMap(it -> it.quarantinedBy(HostVersion.CURRENT))
        .ifPresent(
            it -> {
              throw rejected(
                  "version %s of plugin %s is quarantined and cannot serve: %s",
                  version, id, it.report());
            });
    content
        .flatMap(Content::rolledBack)
        .ifPresent(
            it -> {
              throw rejected(
                  "version %s of plugin %s was rolled back (%s); install it again to serve it",
                  version, id, it.reason());
            });
  }

  private static TuttiException rejected(String format, Object... arguments) {
    return new TuttiException(ErrorCode.PLUGIN_REJECTED, "%s", Sentence.of(format, arguments));
  }

  /** Lets the newest version serve again. */
  PluginStatus unpin(String id) {
    return changes.make(
        () -> {
          known(id);
          store.record(new PluginEvent.Unpinned(id));
          reconciler.turn();
          return statusReport.serving(id);
        });
  }

  private PluginFacts known(String id) {
    PluginState state = store.state();
    PluginFacts facts = state.plugins().get(id);
    if (facts == null || id.isEmpty()) {
      throw Names.unknown(
          "plugin", id, state.plugins().keySet().stream().filter(it -> !it.isEmpty()).toList());
    }
    return facts;
  }

  private Steps steps() {
    return settings.steps();
  }
}
