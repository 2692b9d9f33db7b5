package dev.tutti.plugin.live;

import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginInstance;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One period in which one version of a plugin serves. Each plan belongs to a generation; once that
 * is retired, a request gets a new plan before its next run. Thread-safe.
 *
 * <p>Plans are data and run no code of their plugin. A retired generation is over when no thread
 * plans with it and no run of its plans is under way.
 */
public final class Generation {

  /** The generation of algorithms that never leave: those of this process, and of a fixed set. */
  public static final Generation PERMANENT = new Generation("", "", "", null, 0);

  private final String plugin;
  private final String version;
  private final String content;
  private volatile @Nullable PluginInstance instance;
  private volatile boolean isRetired;
  private volatile boolean isKept;

  /** The number of its next plans that are on trial, and can make an older version serve again. */
  private final AtomicInteger trial;

  private final LongAdder runs = new LongAdder();
  private final LongAdder plans = new LongAdder();
  private final LongAdder failures = new LongAdder();

  private Generation(
      String plugin,
      String version,
      String content,
      @Nullable PluginInstance instance,
      int trialPlans) {
    this.plugin = plugin;
    this.version = version;
    this.content = content;
    this.instance = instance;
    this.trial = new AtomicInteger(trialPlans);
  }

  /**
   * Makes a generation.
   *
   * @param content the SHA-256 of the jar
   * @param trialPlans the number of its first plans that are on trial
   */
  static Generation of(PluginInstance instance, String content, int trialPlans) {
    Plugin plugin = instance.plugin();
    return new Generation(plugin.id(), plugin.version(), content, instance, trialPlans);
  }

  /** The id of the plugin; empty if permanent. */
  public String plugin() {
    return plugin;
  }

  /** The version of the plugin; empty if permanent. */
  public String version() {
    return version;
  }

  /** The SHA-256 of its jar; empty if permanent. */
  public String content() {
    return content;
  }

  /** Whether no new run of its plans may begin. */
  public boolean isRetired() {
    return isRetired;
  }

  void retire() {
    isRetired = true;
  }

  /** Whether no older version took over when a compared plan failed. */
  boolean isKept() {
    return isKept;
  }

  void keep() {
    isKept = true;
  }

  /** The loaded plugin; null once it is unloaded, and if permanent. */
  @Nullable PluginInstance instance() {
    return instance;
  }

  /** Releases the plugin, which stays loaded only if other code holds it. */
  void release() {
    instance = null;
  }

  /** Whether its next plan is on trial. */
  public boolean isOnTrial() {
    return trial.get() > 0;
  }

  /** Counts a plan that was made. */
  public void planned() {
    plans.increment();
    if (trial.get() > 0) {
      trial.decrementAndGet();
    }
  }

  /** Counts runs of its plans. */
  public void ran(long count) {
    runs.add(count);
  }

  /** Counts a plan or a run that failed. */
  public void failed() {
    failures.increment();
  }

  /** The runs of requests that are closed or have a newer plan. */
  public long runs() {
    return runs.sum();
  }

  /** The number of plans that were made. */
  public long plans() {
    return plans.sum();
  }

  /** The number of plans and runs that failed. */
  public long failures() {
    return failures.sum();
  }

  @Override
  public String toString() {
    return this == PERMANENT ? "permanent" : plugin + " " + version;
  }
}
