package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of a process that serves what another process has decided. It scans no directory and
 * keeps no state: the other process has examined every jar, and this one only compares the content
 * and loads it. Thread-safe.
 */
public final class FollowedPlugins implements AutoCloseable {

  private final News news;
  private final Admission admission;
  private final UnloadReporter unloadReporter;
  private final GenerationManager generations;
  private final LiveSettings settings;

  /** The versions that serve next; null if there is no change. */
  private @Nullable List<ServedJar> next;

  /** Plugins that were loaded for the next change, by SHA-256. */
  private final Map<String, PluginInstance> fresh = new HashMap<>();

  private boolean isClosed;
  private volatile FailureListener listener = (plugin, content, reason) -> {};

  /** The files of jars in this process. */
  @FunctionalInterface
  public interface JarFiles {

    /**
     * A file with the content of a jar, which is read once.
     *
     * @throws IOException if there is none
     */
    Path fileOf(ServedJar jar) throws IOException;
  }

  /** Receives the versions that have failed on trial. */
  public interface FailureListener {

    /**
     * A version should no longer serve. Called on any thread, and must not block it.
     *
     * @param plugin the id of the plugin
     * @param content the SHA-256 of the jar
     * @param reason the failure
     */
    void failed(String plugin, String content, String reason);
  }

  /**
   * Serves only the plugins of this process until it learns what to serve.
   *
   * @param settings the settings; the directories and the settings of examinations are ignored
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

  /** The catalogues of the served plugins, for planning. */
  public Catalogues catalogues() {
    return generations.catalogues();
  }

  /**
   * Prepares to serve jars, which takes some time. The current plugins keep serving.
   *
   * @param jars all jars that should serve
   * @param files the files to load those from that do not serve yet
   * @return why one of them cannot serve; empty if this process is ready
   */
  public synchronized Optional<Followers.Veto> prepare(List<ServedJar> jars, JarFiles files) {
    forget();
    unloadReporter.tell();
    for (ServedJar jar : jars) {
      try {
        load(jar, files);
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

  private void load(ServedJar jar, JarFiles files) throws IOException {
    if (generations.reserve(jar.content())) {
      return;
    }
    PluginInstance instance = admission.load(files.fileOf(jar), jar.file());
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

  /** Reports that no process begins a new plan. */
  public void held() {
    settings.steps().passed(Step.HELD);
  }

  /** Serves the prepared jars. It does not wait for the end of the replaced versions. */
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

  /** Releases the prepared jars. */
  public synchronized void forget() {
    fresh.values().forEach(PluginInstance::close);
    fresh.clear();
    next = null;
    if (!isClosed) {
      generations.giveBackAll();
    }
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

  /** Unloads all plugins. Must be called only when nothing runs any more. */
  @Override
  public synchronized void close() {
    forget();
    isClosed = true;
    generations.close();
  }
}
