package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.plugin.store.Steps;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of watched plugins.
 *
 * @param directory the plugins directory
 * @param state the state directory
 * @param trust the file of trusted keys if every plugin must be signed, else null
 * @param isIsolated whether jars are examined in separate processes before they are loaded
 * @param examinationLimit the largest processor time for the examination of a jar
 * @param planningLimit the longest time for an executor to answer
 * @param drainDeadline the time after which a retired version that is still in use is reported
 * @param unloadPatience the time after which a closed version whose classes are not collected is
 *     reported
 * @param news receives a sentence for each event
 * @param steps receives each step of each change
 * @param clock the clock of the times between scans, and of all reported times
 * @param time the clock of the ages of files, and of the times in the journal
 */
public record LiveSettings(
    Path directory,
    Path state,
    @Nullable Path trust,
    boolean isIsolated,
    Duration examinationLimit,
    Duration planningLimit,
    Duration drainDeadline,
    Duration unloadPatience,
    Consumer<String> news,
    Steps steps,
    Clock clock,
    InstantSource time) {

  /** The system property; with "here", jars are examined in the process of the host. */
  public static final String EXAMINATION = "tutti.examination";

  /** The defaults: no plugin must be signed, and no listener receives the news. */
  public static LiveSettings of(Path directory, Path state) {
    return new LiveSettings(
        directory,
        state,
        null,
        !System.getProperty(EXAMINATION, "").equals("here"),
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        text -> {},
        Steps.NONE,
        Clock.system(),
        InstantSource.system());
  }

  /** The same with a file of trusted keys, so that every plugin must be signed. */
  public LiveSettings withTrust(Path file) {
    return with(values -> values.trust = file);
  }

  /** The same with jars examined in separate processes, or in this one. */
  public LiveSettings withIsolation(boolean isWanted) {
    return with(values -> values.isIsolated = isWanted);
  }

  /** The same with another limit of processor time for the examination of a jar. */
  public LiveSettings withExaminationLimit(Duration limit) {
    return with(values -> values.examinationLimit = limit);
  }

  /** The same with another time limit of planning. */
  public LiveSettings withPlanningLimit(Duration limit) {
    return with(values -> values.planningLimit = limit);
  }

  /** The same with another time after which a drain is reported. */
  public LiveSettings withDrainDeadline(Duration deadline) {
    return with(values -> values.drainDeadline = deadline);
  }

  /** The same with another time after which a leak is reported. */
  public LiveSettings withUnloadPatience(Duration patience) {
    return with(values -> values.unloadPatience = patience);
  }

  /** The same with a listener for each step of each change. */
  public LiveSettings withSteps(Steps listener) {
    return with(values -> values.steps = listener);
  }

  /** The same with a listener for the news. */
  public LiveSettings withNews(Consumer<String> listener) {
    return with(values -> values.news = listener);
  }

  /** The same with another clock. */
  public LiveSettings withClock(Clock other) {
    return with(values -> values.clock = other);
  }

  /** The same with another source of the time of day. */
  public LiveSettings withTime(InstantSource other) {
    return with(values -> values.time = other);
  }

  private LiveSettings with(Consumer<Values> change) {
    Values values = new Values(this);
    change.accept(values);
    return new LiveSettings(
        directory,
        state,
        values.trust,
        values.isIsolated,
        values.examinationLimit,
        values.planningLimit,
        values.drainDeadline,
        values.unloadPatience,
        values.news,
        values.steps,
        values.clock,
        values.time);
  }

  /** Settings that can be changed. */
  private static final class Values {

    private @Nullable Path trust;
    private boolean isIsolated;
    private Duration examinationLimit;
    private Duration planningLimit;
    private Duration drainDeadline;
    private Duration unloadPatience;
    private Consumer<String> news;
    private Steps steps;
    private Clock clock;
    private InstantSource time;

    private Values(LiveSettings settings) {
      trust = settings.trust;
      isIsolated = settings.isIsolated;
      examinationLimit = settings.examinationLimit;
      planningLimit = settings.planningLimit;
      drainDeadline = settings.drainDeadline;
      unloadPatience = settings.unloadPatience;
      news = settings.news;
      steps = settings.steps;
      clock = settings.clock;
      time = settings.time;
    }
  }
}
