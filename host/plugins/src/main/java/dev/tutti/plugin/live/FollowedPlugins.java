package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of a process that serves what another one has decided. It looks at no directory and
 * keeps no state: the other one has examined every jar, and here only its content is compared and
 * loaded. Thread-safe.
 */
public final class FollowedPlugins implements AutoCloseable {

  private final News news;
  private final Admission admission;
  private final UnloadReporter unloadReporter;
  private final GenerationManager generations;
  private final LiveSettings settings;

  /** The versions that serve next; null if there is no change. */
  private @Nullable List<ServedJar> next;

  /** Plugins that were loaded for it, by SHA-256. */
  private final Map<String, PluginInstance> fresh = new HashMap<>();

  private boolean isClosed;
  private volatile FailureListener listener = (plugin, content, reason) -> {};

  /** Is notified of versions that have failed on trial. */
  public interface FailureListener {

    /**
     * A version should not serve any more. Called on any thread, which must not be held up.
     *
     * @param plugin the id of the plugin
     * @param content the SHA-256 of the jar
     * @param reason what has failed
     */
    void failed(String plugin, String content, String reason);
  }

  /**
   * Serves nothing but the plugins of this process until it is told what to serve.
   *
   * @param settings of which the directories and all that concerns examinations do not count
   * @param embedded plugins of this process, which never change
   */
  public FollowedPlugins(LiveSettings settings, List<Plugin> embedded) {
    this.settings = settings;
    this.news = new News(settings.news());
    this.admission = new Admission(settings.planningLimit(), settings.examinationLimit());
    UnloadWatch unloading = new UnloadWatch(settings.unloadPatience(), settings.clock());
    this.unloadReporter = new UnloadReporter(event -> {}, unloading, news);
    this.generations =
        new GenerationManager(
            embedded,
            settings.drainDeadline(),
            LivePlugins.TRIAL_PLANS,
            unloading,
            new Failures(),
            unloadReporter,
            settings.steps(),
            settings.clock());
  }

  /** Lets another process decide what happens to a version that fails. */
  private final class Failures implements Catalogues.Observer {

    @Override
    public boolean planFailed(Generation generation, TuttiException failure) {
      tell(generation, TrialFailure.ofPlan(generation, failure));
      return false;
    }

    @Override
    public void runFailed(Generation generation, TuttiException failure) {
      tell(generation, TrialFailure.ofRun(generation, failure));
    }

    private void tell(Generation generation, @Nullable String reason) {
      if (reason != null) {
        listener.failed(generation.plugin(), generation.content(), reason);
      }
    }

    @Override
    public void passedOver(String what) {
      news.tell(what);
    }
  }

  /** Sets the listener for versions that fail. */
  public void onFailure(FailureListener newListener) {
    listener = newListener;
  }

  /** What is served, for those who plan. */
  public Catalogues catalogues() {
    return generations.catalogues();
  }

  /**
   * Gets ready to serve jars, which takes some time. The serving plugins go on.
   *
   * @param jars all jars that should serve
   * @return why one of them cannot serve; empty if this process is ready
   */
  public synchronized Optional<Followers.Veto> prepare(List<ServedJar> jars) {
    forget();
    unloadReporter.tell();
    for (ServedJar jar : jars) {
      try {
        load(jar);
      } catch (TuttiException e) {
        forget();
        return Optional.of(
            new Followers.Veto(jar.content(), e.code(), String.valueOf(e.getMessage())));
      } catch (IOException e) {
        forget();
        return Optional.of(
            new Followers.Veto(jar.content(), ErrorCode.PLUGIN_UNREADABLE, e.toString()));
      }
    }
    next = List.copyOf(jars);
    return Optional.empty();
  }

  private void load(ServedJar jar) throws IOException {
    if (generations.reserve(jar.content())) {
      return;
    }
    PluginInstance instance = admission.load(jar.copy(), jar.file());
    fresh.put(jar.content(), instance);
    requireSame("SHA-256", jar, jar.content(), instance.sha256());
    requireSame("id", jar, jar.plugin(), instance.plugin().id());
    requireSame("version", jar, jar.version(), instance.plugin().version());
    settings.steps().reached(Step.LOADED);
  }

  private static void requireSame(String what, ServedJar jar, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          "the copy of %s is not what was examined: expected %s %s, actual %s",
          jar,
          what,
          expected,
          actual);
    }
  }

  /** No process begins a plan any more. */
  public void held() {
    settings.steps().passed(Step.HELD);
  }

  /** Serves what was prepared. Nothing waits for the versions that it replaces. */
  public synchronized void publish() {
    List<ServedJar> jars = next;
    if (jars == null || isClosed) {
      return;
    }
    next = null;
    fresh.forEach(generations::take);
    fresh.clear();
    Map<String, String> contents = new HashMap<>();
    jars.forEach(jar -> contents.put(jar.plugin(), jar.content()));
    List<Generation> begun = generations.serve(contents, Set.of(), List.of());
    begun.forEach(PluginJfr::swapped);
    begun.forEach(each -> news.tell(Sentence.of("%s serves", each)));
  }

  /** Lets go of what was prepared. */
  public synchronized void forget() {
    fresh.values().forEach(PluginInstance::close);
    fresh.clear();
    next = null;
    if (!isClosed) {
      generations.giveBackAll();
    }
  }

  /** Waits until everything that serves no more is drained; for tests and for a clean end. */
  public boolean awaitDrained(Duration longest) {
    return generations.awaitDrained(longest);
  }

  /** Closed plugins whose classes are not collected yet. */
  public int uncollected() {
    unloadReporter.tell();
    return unloadReporter.waiting();
  }

  /** Unloads all plugins. Called when nothing runs any more. */
  @Override
  public synchronized void close() {
    forget();
    isClosed = true;
    generations.close();
  }
}
