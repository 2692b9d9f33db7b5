package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginManifest;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.VersionOrder;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.Decision;
import dev.tutti.plugin.store.JournalEntry;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginState;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports the state of every plugin and its reason, even during a change. */
final class PluginStatusReport {

  private static final Comparator<PluginStatus> ORDER =
      Comparator.comparing(PluginStatus::id)
          .thenComparing(status -> status.state() != State.SERVING)
          .thenComparing(PluginStatus::version, VersionOrder.INSTANCE.reversed())
          .thenComparing(PluginStatus::content);

  private final Path directory;
  private final PluginStore store;
  private final GenerationManager generations;
  private final UnloadWatch unloading;
  private final Reconciler reconciler;
  private final Trust trust;
  private final PluginHistory history;

  PluginStatusReport(
      Path directory,
      PluginStore store,
      GenerationManager generations,
      UnloadWatch unloading,
      Reconciler reconciler,
      Trust trust) {
    this.directory = directory;
    this.store = store;
    this.generations = generations;
    this.unloading = unloading;
    this.reconciler = reconciler;
    this.trust = trust;
    this.history = new PluginHistory(store, generations, reconciler, trust);
  }

  /** Every version that is in the directory, loaded, or not unloaded yet. */
  List<PluginStatus> list() {
    List<PluginStatus> all = new ArrayList<>();
    PluginState state = store.state();
    for (PluginFacts facts : state.plugins().values()) {
      for (Map.Entry<String, Content> each : facts.contents().entrySet()) {
        PluginStatus status = status(facts, each.getKey(), each.getValue());
        if (status != null) {
          all.add(status);
        }
      }
    }
    for (PresentJar jar : reconciler.jars()) {
      if (jar.sha256().isEmpty()) {
        all.add(refused(jar));
      }
    }
    all.sort(ORDER);
    return all;
  }

  /** The status of a file that could not be read. */
  private PluginStatus refused(PresentJar jar) {
    return new PluginStatus(
        "",
        "",
        "",
        directory.resolve(jar.file()),
        State.QUARANTINED,
        jar.problem(),
        "",
        false,
        List.of(),
        jar.modified(),
        0,
        0,
        0);
  }

  /** The status of one version of a plugin. */
  PluginStatus of(String plugin, String sha256) {
    return list().stream()
        .filter(status -> status.id().equals(plugin) && status.content().equals(sha256))
        .findFirst()
        .orElseThrow(() -> unknown(plugin));
  }

  /** The status of a plugin's serving version, or else of its newest one. */
  PluginStatus serving(String plugin) {
    return list().stream()
        .filter(status -> status.id().equals(plugin))
        .findFirst()
        .orElseThrow(() -> unknown(plugin));
  }

  private TuttiException unknown(String plugin) {
    return Names.unknown(
        "plugin",
        plugin,
        store.state().plugins().keySet().stream().filter(id -> !id.isEmpty()).toList());
  }

  private @Nullable PluginStatus status(PluginFacts facts, String sha256, Content content) {
    Generation present = generations.serving(facts.plugin());
    boolean isServing = present != null && present.content().equals(sha256);
    Generation counted = isServing ? present : null;
    String file = fileOf(sha256);
    State state = state(sha256, content, isServing, file != null);
    if (state == null) {
      return null;
    }
    String shown = file == null && isServing ? servedFile(facts) : file;
    return new PluginStatus(
        facts.plugin(),
        content.version(),
        sha256,
        shown == null ? null : directory.resolve(shown),
        state,
        reason(facts, content, state),
        trust.state(sha256).text(),
        isServing && facts.pinned().filter(content.version()::equals).isPresent(),
        algorithms(generations.loaded(sha256)),
        since(facts, sha256, content),
        counted == null ? 0 : counted.plans(),
        counted == null ? 0 : counted.runs(),
        counted == null ? 0 : counted.failures());
  }

  private static @Nullable String servedFile(PluginFacts facts) {
    return facts.serving().map(PluginFacts.Served::file).orElse(null);
  }

  private @Nullable String fileOf(String sha256) {
    return reconciler.jars().stream()
        .filter(jar -> jar.sha256().equals(sha256))
        .map(PresentJar::file)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The state of a content; null if it is only part of the history. */
  private @Nullable State state(
      String sha256, Content content, boolean isServing, boolean isPresent) {
    if (isServing) {
      return State.SERVING;
    }
    if (generations.isDraining(sha256)) {
      return State.DRAINING;
    }
    if (unloading.uncollected().contains(sha256)) {
      return unloading.isReported(sha256) ? State.LEAKED : State.UNLOADING;
    }
    if (generations.isKept(sha256)) {
      return State.PREVIOUS;
    }
    if (!isPresent) {
      return null;
    }
    if (content.rolledBack().isPresent()) {
      return State.ROLLED_BACK;
    }
    return reconciler.quarantine().verdict(content).isPresent() ? State.QUARANTINED : State.STANDBY;
  }

  private String reason(PluginFacts facts, Content content, State state) {
    Decision decision = reconciler.decisions().get(facts.plugin());
    return switch (state) {
      case SERVING -> decision == null ? "" : decision.reason();
      case PREVIOUS -> "it served before, and a rollback returns to it";
      case STANDBY -> standby(facts, content);
      case QUARANTINED ->
          reconciler
              .quarantine()
              .verdict(content)
              .map(it -> Sentence.of("[%s] %s", it.code().id(), it.report()))
              .orElse("");
      case ROLLED_BACK -> content.rolledBack().map(PluginEvent.RolledBack::reason).orElse("");
      case DRAINING -> "some callers still use it";
      case UNLOADING -> "it is closed, and its classes are not collected yet";
      case LEAKED -> leak(facts, content);
    };
  }

  private static String standby(PluginFacts facts, Content content) {
    return content.isAdmittedBy(HostVersion.CURRENT)
        ? facts
            .serving()
            .map(it -> Sentence.of("version %s serves", it.version()))
            .orElse("no version of it serves")
        : "it is being examined";
  }

  private static String leak(PluginFacts facts, Content content) {
    String sha256 = content.sha256();
    return facts.history().stream()
        .map(JournalEntry::event)
        .filter(PluginEvent.Leaked.class::isInstance)
        .map(PluginEvent.Leaked.class::cast)
        .filter(it -> it.sha256().equals(sha256))
        .map(it -> String.join("; ", it.suspects()))
        .reduce((first, second) -> second)
        .orElse("something holds its classes");
  }

  private static List<String> algorithms(@Nullable PluginInstance instance) {
    return instance == null
        ? List.of()
        : instance.plugin().algorithms().stream().map(PluginStatusReport::label).toList();
  }

  private static String label(Algorithm algorithm) {
    return algorithm.operation().label() + "/" + algorithm.name();
  }

  /** The time of the last event of a content. */
  private static Instant since(PluginFacts facts, String sha256, Content content) {
    Instant last = content.staged().time();
    for (JournalEntry entry : facts.history()) {
      if (concerns(entry.event(), sha256)) {
        last = entry.time();
      }
    }
    return last;
  }

  private static boolean concerns(PluginEvent event, String sha256) {
    return switch (event) {
      case PluginEvent.Staged it -> it.sha256().equals(sha256);
      case PluginEvent.Admitted it -> it.sha256().equals(sha256);
      case PluginEvent.Quarantined it -> it.sha256().equals(sha256);
      case PluginEvent.Serving it -> it.sha256().equals(sha256);
      case PluginEvent.RolledBack it -> it.from().equals(sha256) || sha256.equals(it.to());
      case PluginEvent.Removed it -> it.sha256().equals(sha256);
      case PluginEvent.Drained it -> it.sha256().equals(sha256);
      case PluginEvent.Unloaded it -> it.sha256().equals(sha256);
      case PluginEvent.Leaked it -> it.sha256().equals(sha256);
      case PluginEvent.Discarded it -> it.sha256().equals(sha256);
      case PluginEvent.Pinned _, PluginEvent.Unpinned _, PluginEvent.Refused _ -> false;
    };
  }

  /** The status of a jar that is not in the directory. */
  PluginStatus examined(
      PluginManifest manifest, String sha256, Path file, PluginInstance instance, String reason) {
    return new PluginStatus(
        manifest.id(),
        manifest.version(),
        sha256,
        file,
        State.STANDBY,
        reason,
        trust.beside(file, sha256).text(),
        false,
        algorithms(instance),
        Instant.now().truncatedTo(ChronoUnit.MILLIS),
        0,
        0,
        0);
  }

  /**
   * The history of a plugin, or of a file that is not a plugin.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}
   */
  String why(String name) {
    return history.why(name);
  }
}
