package dev.tutti.host.live;

import dev.tutti.host.plugin.Plugin;
import dev.tutti.host.plugin.PluginInstance;
import dev.tutti.host.plugin.PluginManager;
import dev.tutti.host.plugin.PluginManifest;
import dev.tutti.host.plugin.PluginReport;
import dev.tutti.host.plugin.PluginStatus;
import dev.tutti.host.plugin.store.Content;
import dev.tutti.host.plugin.store.PluginEvent;
import dev.tutti.host.plugin.store.PluginFacts;
import dev.tutti.host.plugin.store.PluginState;
import dev.tutti.host.plugin.store.PluginStore;
import dev.tutti.host.plugin.store.PresentJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of a host that works while they come and go.
 *
 * <p>One change at a time: look at the directory, copy what is new, check it, select, write down
 * what will serve, publish. Whatever fails leaves what serves in service. Callers never wait for a
 * change; they see the catalogue before it or the one after.
 */
public final class LivePlugins implements PluginManager, AutoCloseable {

  /** How many of the first plans of a version are judged before they run. */
  private static final int TRIAL_PLANS = 32;

  private static final Duration ADMISSION_LIMIT = Duration.ofSeconds(60);

  /** The longest a rescan waits for files that are being written. */
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

  /** How often a rescan looks at files that are being written. */
  private static final int LEAST_LOOKS = 5;

  private final LiveSettings settings;
  private final PluginStore store;
  private final PluginsDirectory directory;
  private final Intake intake;
  private final Examiner examiner;
  private final UnloadWatch unloading;
  private final Service service;
  private final News news;

  /** Held during a change. Never taken by somebody who plans or runs something. */
  private final ReentrantLock changes = new ReentrantLock();

  private final DirectoryWatch watch;
  private final Turnover turnover;
  private final Standing standing;
  private volatile @Nullable String directoryProblem;
  private boolean isClosed;

  private LivePlugins(LiveSettings settings, List<Plugin> embedded, PluginStore store) {
    this.settings = settings;
    this.store = store;
    this.news = new News(settings.news());
    this.directory = new PluginsDirectory(settings.directory());
    this.examiner =
        new Examiner(
            settings.planningLimit(),
            new Admission(settings.planningLimit(), ADMISSION_LIMIT),
            settings.trust());
    this.intake = new Intake(store, settings.directory(), examiner, news);
    this.unloading = new UnloadWatch(settings.unloadPatience());
    this.service =
        new Service(
            embedded,
            settings.planningLimit(),
            settings.drainDeadline(),
            TRIAL_PLANS,
            unloading,
            new Failures(),
            new Ends());
    this.turnover = new Turnover(settings.directory(), store, examiner, service, news);
    this.standing = new Standing(settings.directory(), store, service, unloading, turnover);
    this.watch = new DirectoryWatch(settings.directory(), this::lookAgain);
  }

  /**
   * Opens the state, serves what it and the plugins directory say, and watches the directory.
   *
   * @param embedded plugins of this process, which never change
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if the state directory is in use or
   *     damaged; {@link ErrorCode#PLUGIN_UNREADABLE} if the plugins directory is missing
   */
  public static LivePlugins open(LiveSettings settings, List<Plugin> embedded) {
    PluginStore store = PluginStore.open(settings.state(), InstantSource.system());
    LivePlugins live = new LivePlugins(settings, embedded, store);
    try {
      store.notes().forEach(live.news::tell);
      Installation.sweep(settings.directory());
      live.rescan();
      live.watch.start();
      return live;
    } catch (RuntimeException | Error e) {
      live.close();
      throw e;
    }
  }

  /** What is served, for those who plan. */
  public Catalogues catalogues() {
    return service.catalogues();
  }

  @Override
  public Path directory() {
    return settings.directory();
  }

  @Override
  public Path state() {
    return settings.state();
  }

  // ------------------------------------------------------------------------- looking

  @Override
  public List<String> rescan() {
    Known known =
        locked(
            () -> {
              intake.forgetRefused();
              return new Known(news.count(), turnover.quarantined());
            });
    lookUntilSettled();
    String problem = directoryProblem;
    if (problem != null) {
      throw new TuttiException(ErrorCode.PLUGIN_UNREADABLE, "%s; what served goes on", problem);
    }
    List<String> sentences = new ArrayList<>(news.since(known.news()));
    sentences.addAll(locked(() -> turnover.stillOf(known.quarantined())));
    return sentences;
  }

  /**
   * What was known when a rescan began.
   *
   * @param news how many sentences were told
   * @param quarantined which contents were told to be quarantined
   */
  private record Known(long news, Set<String> quarantined) {}

  private static void pause() {
    try {
      Thread.sleep(DirectoryWatch.UNSETTLED_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One look for the watch, which has nobody to throw at. */
  private boolean lookAgain() {
    try {
      return look();
    } catch (TuttiException e) {
      news.tell("the plugins directory was not taken in: " + e.getMessage());
      return true;
    } catch (RuntimeException e) {
      // Interrupted is who looks while the host is closed. Else the watch must not end with this.
      if (!Thread.currentThread().isInterrupted()) {
        news.tell("internal error in the watch of plugins, please report it: " + e);
      }
      return true;
    } finally {
      if (unloading.isCollectionDue()) {
        System.gc();
      }
      reportUnloads();
    }
  }

  /** Looks at the directory once, and does what follows; returns whether it has seen everything. */
  private boolean look() {
    changes.lock();
    try {
      if (isClosed) {
        return true;
      }
      PluginsDirectory.Look look = directory.look();
      if (!Objects.equals(directoryProblem, look.problem())) {
        directoryProblem = look.problem();
        news.tell(
            look.problem() == null
                ? "the plugins directory is back"
                : look.problem() + "; what served goes on");
      }
      if (look.problem() != null) {
        return true;
      }
      Intake.Contents contents = intake.take(look);
      turnover.turn(contents);
      return contents.isSettled();
    } finally {
      changes.unlock();
    }
  }

  /** Tells which closed plugins are collected, and which are not. */
  private void reportUnloads() {
    for (UnloadWatch.Outcome outcome : unloading.poll()) {
      PluginJfr.unloaded(outcome);
      try {
        store.record(
            outcome.isCollected()
                ? new PluginEvent.Unloaded(outcome.plugin(), outcome.content())
                : new PluginEvent.Leaked(outcome.plugin(), outcome.content(), outcome.suspects()));
      } catch (TuttiException e) {
        news.tell(String.valueOf(e.getMessage()));
      }
      if (outcome.isCollected()) {
        news.tell("%s %s is unloaded".formatted(outcome.plugin(), outcome.version()));
      } else {
        news.tell(
            "%s %s is closed, but its classes are still held: %s"
                .formatted(
                    outcome.plugin(), outcome.version(), String.join("; ", outcome.suspects())));
      }
    }
  }

  // ------------------------------------------------------------------------ commands

  @Override
  public List<PluginStatus> list() {
    return locked(standing::list);
  }

  @Override
  public String why(String id) {
    return locked(() -> standing.why(id));
  }

  @Override
  public PluginStatus verify(Path jar) {
    PluginReport report = checked(jar);
    PluginManifest manifest = Objects.requireNonNull(report.manifest(), "checked");
    Examiner.Verdict verdict = examine(jar, report);
    PluginInstance instance = verdict.instance();
    if (instance == null) {
      throw new TuttiException(verdict.code(), "%s", verdict.report());
    }
    try {
      return standing.examined(manifest, report.sha256(), jar, instance, verdict.report());
    } finally {
      instance.close();
    }
  }

  private PluginReport checked(Path jar) {
    PluginReport report = examiner.read(jar);
    if (!report.isClean()) {
      throw new TuttiException(
          report.problems().getFirst().code(),
          "%s",
          report.problems().stream()
              .map(problem -> problem.message())
              .reduce((left, right) -> left + "\n" + right)
              .orElseThrow());
    }
    return report;
  }

  private Examiner.Verdict examine(Path jar, PluginReport report) {
    PluginManifest manifest = Objects.requireNonNull(report.manifest(), "checked");
    Examiner.Task task =
        new Examiner.Task(manifest.id(), manifest.version(), report.sha256(), jar, jar);
    return examiner
        .examine(List.of(task), catalogues().current().plugins().algorithms())
        .getFirst();
  }

  @Override
  public PluginStatus install(Path jar) {
    PluginStatus fit = verify(jar);
    return locked(
        () -> {
          Path target = directory.path().resolve(Installation.fileName(jar));
          checkReplaces(target.getFileName().toString(), fit.id());
          Installation.copy(jar, target);
          // Not before the copy: what cannot be installed must not serve again by itself.
          reinstate(fit, jar);
          lookUntilSettled();
          return standing.of(fit.id(), fit.content());
        });
  }

  /** Refuses to put a plugin over the file of another one. */
  private void checkReplaces(String file, String plugin) {
    for (PresentJar jar : turnover.jars()) {
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

  /** Who installs what was rolled back wants it back: it starts anew, as admitted just now. */
  private void reinstate(PluginStatus fit, Path jar) {
    Optional<Content> known = store.state().plugin(fit.id()).content(fit.content());
    if (known.flatMap(Content::rolledBack).isPresent()) {
      store.record(new PluginEvent.Discarded(fit.id(), fit.content()));
      store.record(
          new PluginEvent.Staged(
              fit.id(),
              fit.version(),
              fit.content(),
              Installation.fileName(jar),
              jar.toFile().length()));
      store.record(
          new PluginEvent.Admitted(fit.id(), fit.version(), fit.content(), HostVersion.CURRENT));
    }
  }

  /** A look at many new jars may take longer than the limit, so some follow it in any case. */
  private void lookUntilSettled() {
    long end = System.nanoTime() + SETTLE_LIMIT.toNanos();
    for (int looks = 1; !look(); looks++) {
      if (looks >= LEAST_LOOKS && System.nanoTime() - end > 0) {
        return;
      }
      pause();
    }
  }

  @Override
  public List<String> remove(String id) {
    return locked(
        () -> {
          PluginFacts facts = known(id);
          long before = news.count();
          TreeSet<String> files = new TreeSet<>();
          turnover.jars().stream()
              .filter(jar -> jar.plugin().equals(id))
              .forEach(jar -> files.add(jar.file()));
          facts.serving().ifPresent(served -> files.add(served.file()));
          for (String file : files) {
            Installation.delete(directory.path().resolve(file));
            news.tell("%s was deleted".formatted(file));
          }
          if (facts.pinned().isPresent()) {
            store.record(new PluginEvent.Unpinned(id));
          }
          look();
          return news.since(before);
        });
  }

  @Override
  public PluginStatus rollback(String id) {
    return locked(
        () -> {
          PluginFacts facts = known(id);
          PluginFacts.Served served =
              facts
                  .serving()
                  .orElseThrow(
                      () ->
                          new TuttiException(
                              ErrorCode.PLUGIN_STATE,
                              "plugin %s does not serve, so there is nothing to roll back from; %s",
                              id,
                              standing.why(id)));
          if (!rollBack(facts, served, "somebody asked for it", false)) {
            throw new TuttiException(
                ErrorCode.PLUGIN_STATE,
                "plugin %s %s has nothing to go back to: no earlier version that served is fit to"
                    + " serve; install one",
                id,
                served.version());
          }
          return standing.serving(id);
        });
  }

  /** Goes back to what served before; false if there is nothing. */
  private boolean rollBack(
      PluginFacts facts, PluginFacts.Served served, String reason, boolean isAutomatic) {
    String previous = served.previous();
    Content before = previous == null ? null : facts.contents().get(previous);
    if (previous == null || before == null || !Turnover.mayServe(before)) {
      return false;
    }
    PluginJfr.Rollback event = new PluginJfr.Rollback();
    event.isAutomatic = isAutomatic;
    event.reason = reason;
    String file =
        turnover.jars().stream()
            .filter(jar -> jar.sha256().equals(previous))
            .map(PresentJar::file)
            .findFirst()
            .orElse(served.file());
    store.record(
        new PluginEvent.RolledBack(
            facts.plugin(),
            served.sha256(),
            previous,
            before.version(),
            file,
            reason,
            isAutomatic));
    news.tell(
        "%s goes back from %s to %s: %s"
            .formatted(facts.plugin(), served.version(), before.version(), reason));
    turnover.turn();
    event.commit(facts.plugin(), before.version(), previous);
    return true;
  }

  @Override
  public PluginStatus pin(String id, String version) {
    return locked(
        () -> {
          PluginFacts facts = known(id);
          Map<String, String> versions = new TreeMap<>();
          for (PresentJar jar : turnover.jars()) {
            if (jar.plugin().equals(id)) {
              versions.put(jar.version(), jar.sha256());
            }
          }
          facts.serving().ifPresent(it -> versions.putIfAbsent(it.version(), it.sha256()));
          String content = versions.get(version);
          if (content == null) {
            throw Names.unknown("version of plugin " + id, version, List.copyOf(versions.keySet()));
          }
          facts
              .content(content)
              .flatMap(it -> it.quarantinedBy(HostVersion.CURRENT))
              .ifPresent(
                  it -> {
                    throw new TuttiException(
                        ErrorCode.PLUGIN_REJECTED,
                        "version %s of plugin %s is quarantined and cannot serve: %s",
                        version,
                        id,
                        it.report());
                  });
          facts
              .content(content)
              .flatMap(Content::rolledBack)
              .ifPresent(
                  it -> {
                    throw new TuttiException(
                        ErrorCode.PLUGIN_REJECTED,
                        "version %s of plugin %s was rolled back (%s); install it again to have it"
                            + " serve",
                        version,
                        id,
                        it.reason());
                  });
          store.record(new PluginEvent.Pinned(id, version));
          turnover.turn();
          return standing.serving(id);
        });
  }

  @Override
  public PluginStatus unpin(String id) {
    return locked(
        () -> {
          known(id);
          store.record(new PluginEvent.Unpinned(id));
          turnover.turn();
          return standing.serving(id);
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

  private <T> T locked(Supplier<T> body) {
    changes.lock();
    try {
      if (isClosed) {
        throw new TuttiException(ErrorCode.INVALID_STATE, "the host is closed");
      }
      return body.get();
    } finally {
      changes.unlock();
    }
  }

  /** Waits until everything that serves no more is drained; for tests and for a clean end. */
  public boolean awaitDrained(Duration longest) {
    return service.awaitDrained(longest);
  }

  /** Closed plugins whose classes are not collected yet. */
  public int uncollected() {
    reportUnloads();
    return unloading.waiting();
  }

  /** The last things that happened, a sentence each, oldest first. */
  public List<String> news() {
    return news.since(0);
  }

  /** Ends the watch, unloads all plugins and lets another host have the state directory. */
  @Override
  public void close() {
    watch.close();
    changes.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        service.close();
        store.close();
      }
    } finally {
      changes.unlock();
    }
  }

  /** Goes back to the version before when the first plans or runs of a version fail. */
  private final class Failures implements Catalogues.Observer {

    @Override
    public boolean planFailed(Generation generation, TuttiException failure) {
      return isReplaced(
          generation,
          "one of its first plans failed: [%s] %s"
              .formatted(failure.code().id(), Turnover.firstLine(failure.getMessage())));
    }

    @Override
    public void runFailed(Generation generation, TuttiException failure) {
      boolean _ =
          isReplaced(
              generation,
              "a run of one of its first plans failed: [%s] %s"
                  .formatted(failure.code().id(), Turnover.firstLine(failure.getMessage())));
    }

    private boolean isReplaced(Generation generation, String reason) {
      if (generation == Generation.PERMANENT || !generation.isOnTrial()) {
        return false;
      }
      changes.lock();
      try {
        if (isClosed) {
          return false;
        }
        if (service.serving(generation.plugin()) != generation) {
          return true;
        }
        PluginFacts facts = store.state().plugin(generation.plugin());
        return facts.serving().filter(it -> rollBack(facts, it, reason, true)).isPresent();
      } catch (TuttiException e) {
        news.tell("%s could not be taken back: %s".formatted(generation.plugin(), e.getMessage()));
        return false;
      } finally {
        changes.unlock();
      }
    }
  }

  /** Tells of ends. */
  private final class Ends implements Service.Listener {

    @Override
    public void drained(Generation generation, Duration took) {
      PluginJfr.drained(generation, took);
      tell(
          new PluginEvent.Drained(generation.plugin(), generation.content(), took.toMillis(), 0),
          "%s has no callers any more (%d ms)".formatted(generation, took.toMillis()));
    }

    @Override
    public void stuck(Generation generation, String who) {
      news.tell("%s is still in use by %s".formatted(generation, who));
    }

    private void tell(PluginEvent event, String sentence) {
      news.tell(sentence);
      try {
        store.record(event);
      } catch (TuttiException e) {
        news.tell(String.valueOf(e.getMessage()));
      }
    }
  }
}
