package dev.tutti.host.group;

import dev.tutti.base.listener.ListenerFailure;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.config.ProfileSettings;
import org.jspecify.annotations.Nullable;

/** Chooses the runs of one group that are traced, and passes their traces to the listener. */
public final class Profiler {

  private final ProfileSettings settings;

  /** Runs since the last one that was traced; changed by the thread that holds the run slot. */
  private int runs;

  private Profiler(ProfileSettings settings) {
    this.settings = settings;
  }

  /** The profiler of a new group; null if no traces are wanted. */
  public static @Nullable Profiler of(@Nullable ProfileSettings settings) {
    return settings == null ? null : new Profiler(settings);
  }

  /** Counts a run, and decides whether it is traced. Called in the run slot. */
  boolean wantsNext() {
    runs++;
    boolean isWanted = runs >= settings.everyNth();
    runs = isWanted ? 0 : runs;
    return isWanted;
  }

  /** Passes a trace to the listener. A listener that fails must not harm the run. */
  void tell(RunTrace trace) {
    try {
      settings.listener().accept(trace);
    } catch (Throwable t) {
      ListenerFailure.report(t);
    }
  }
}
