package dev.tutti.plugin.live;

import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The plugins of a host that keeps running while they change.
 *
 * <p>It makes one change at a time: scan the directory, copy new jars, check them, select, record
 * what will serve, and publish. After any failure, the current plugins keep serving. Callers never
 * wait for a change; they see the catalogue before it or the one after it.
 */
public final class LivePlugins implements PluginManager, AutoCloseable {

  /**
   * The number of a version's first plans on trial: if one cannot be made or run, the version is
   * rolled back.
   */
  static final int TRIAL_PLANS = 32;

  private final LiveSettings settings;
  private final PluginStore store;
  private final News news;
  private final Changes changes = new Changes();
  private final Examiner examiner;
  private final UnloadReporter unloadReporter;
  private final GenerationManager generations;
  private final Offers offers;
  private final AutomaticRollback automatic;
  private final PluginStatusReport statusReport;
  private final DirectoryScanner scanner;
  private final PluginAdministration commands;

  /** The other processes that serve the same plugins. */
  private final AtomicReference<Followers> followers = new AtomicReference<>(Followers.NONE);

  private LivePlugins(LiveSettings settings, List<Plugin> embedded, PluginStore store) {
    this.settings = settings;
    this.store = store;
    this.news = new News(settings.news());
    Trust trust = new Trust(settings.trust(), store, news, settings.clock(), settings.time());
    examiner =
        new Examiner(
            settings.planningLimit(),
            settings.examinationLimit(),
            settings.isIsolated(),
            trust,
            news);
    UnloadWatch unloading = new UnloadWatch(settings.unloadPatience(), settings.clock());
    unloadReporter = new UnloadReporter(store::record, unloading, news);
    generations =
        new GenerationManager(
            embedded,
            settings.drainDeadline(),
            TRIAL_PLANS,
            unloading,
            new Failures(),
            unloadReporter,
            settings.steps(),
            settings.clock());
    offers = new Offers(settings.directory(), store, generations, followers::get, settings.steps());
    Reconciler reconciler =
        new Reconciler(
            settings.directory(),
            store,
            examiner,
            trust,
            generations,
            offers,
            news,
            settings.steps());
    Rollback rollback = new Rollback(store, reconciler, news);
    automatic = new AutomaticRollback(changes, store, generations, rollback, followers::get, news);
    statusReport =
        new PluginStatusReport(
            settings.directory(), store, generations, unloading, reconciler, trust);
    scanner =
        new DirectoryScanner(
            changes,
            new PluginsDirectory(settings.directory(), settings.clock(), settings.time()),
            trust,
            new JarStaging(store, settings.directory(), examiner, trust, news, settings.time()),
            reconciler,
            unloadReporter,
            news,
            settings.clock());
    commands =
        new PluginAdministration(
            settings,
            changes,
            store,
            examiner,
            generations,
            reconciler,
            rollback,
            scanner,
            statusReport,
            news);
  }

  /** Passes failures to the automatic rollback, which is made after the catalogues. */
  private final class Failures implements Catalogues.Observer {

    @Override
    public boolean planFailed(Generation generation, TuttiException failure) {
      return automatic.planFailed(generation, failure);
    }

    @Override
    public void runFailed(Generation generation, TuttiException failure) {
      automatic.runFailed(generation, failure);
    }

    @Override
    public void passedOver(String what) {
      automatic.passedOver(what);
    }
  }

  /**
   * Opens the state, serves the plugins that the state and the directory select, and watches the
   * directory.
   *
   * @param embedded plugins of this process, which never change
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if the state directory is in use or
   *     damaged; {@link ErrorCode#PLUGIN_UNREADABLE} if the plugins directory is missing
   */
  public static LivePlugins open(LiveSettings settings, List<Plugin> embedded) {
    PluginStore store = PluginStore.open(settings.state(), settings.time(), settings.steps());
    LivePlugins live;
    try {
      live = new LivePlugins(settings, embedded, store);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    try {
      store.notes().forEach(live.news::tell);
      Installation.sweep(settings.directory());
      live.scanner.requireDirectory();
      live.rescan();
      live.scanner.start();
      return live;
    } catch (RuntimeException | Error e) {
      live.close();
      throw e;
    }
  }

  /**
   * Makes other processes serve the plugins of this process from now on.
   *
   * @throws TuttiException with the objection of a process
   */
  public void share(Followers others) {
    changes.make(
        () -> {
          followers.set(others);
          offers.offerWhatServes();
          return true;
        });
  }

  /**
   * Rolls back to the previous version, as if a plan had failed here.
   *
   * @param content the SHA-256 of the jar that has failed in another process; if it no longer
   *     serves, nothing happens
   * @param reason the process and its failure
   */
  public void failedElsewhere(String plugin, String content, String reason) {
    automatic.reported(plugin, content, reason);
  }

  /** The catalogues of the served plugins, for planning. */
  public Catalogues catalogues() {
    return generations.catalogues();
  }

  @Override
  public Path directory() {
    return settings.directory();
  }

  @Override
  public Path state() {
    return settings.state();
  }

  @Override
  public List<String> rescan() {
    return scanner.rescan();
  }

  @Override
  public List<PluginStatus> list() {
    return changes.look(statusReport::list);
  }

  @Override
  public String why(String id) {
    return changes.look(() -> statusReport.why(id));
  }

  @Override
  public PluginStatus verify(Path jar) {
    return commands.verify(jar);
  }

  @Override
  public PluginStatus install(Path jar) {
    return commands.install(jar);
  }

  @Override
  public List<String> remove(String id) {
    return commands.remove(id);
  }

  @Override
  public PluginStatus rollback(String id) {
    return commands.rollback(id);
  }

  @Override
  public PluginStatus pin(String id, String version) {
    return commands.pin(id, version);
  }

  @Override
  public PluginStatus unpin(String id) {
    return commands.unpin(id);
  }

  /** Waits until all plugins that no longer serve are drained; for tests and for a clean end. */
  public boolean awaitDrained(Duration longest) {
    return generations.awaitDrained(longest);
  }

  /** The number of closed plugins whose classes are not collected yet. */
  public int uncollected() {
    unloadReporter.tell();
    return unloadReporter.waiting();
  }

  /** The last events, a sentence each, oldest first. */
  public List<String> news() {
    return news.all();
  }

  /** Ends the watch, unloads all plugins and releases the state directory for another host. */
  @Override
  public void close() {
    scanner.close();
    changes.end(
        () -> {
          examiner.close();
          generations.close();
          store.close();
        });
  }
}
