package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides whether files are complete: two scans some time apart have seen the same stamp, or the
 * last change is long ago. Not thread-safe.
 */
final class StableFiles {

  /** The smallest time between two scans that count as different. */
  private static final long APART_NANOS = Duration.ofMillis(40).toNanos();

  private final Clock clock;
  private final InstantSource time;
  private final Map<String, Seen> seen = new HashMap<>();

  private record Seen(FileStamp stamp, long nanos) {}

  /**
   * Starts without known files.
   *
   * @param clock the clock of the times between scans
   * @param time the clock of the ages of files
   */
  StableFiles(Clock clock, InstantSource time) {
    this.clock = clock;
    this.time = time;
  }

  /** Whether a file is stable with its current stamp. */
  boolean isStable(String name, FileStamp stamp) {
    long now = clock.nanoTime();
    Seen before = seen.get(name);
    if (before == null || !before.stamp().equals(stamp)) {
      before = new Seen(stamp, now);
      seen.put(name, before);
    }
    return now - before.nanos() >= APART_NANOS
        || (stamp.problem().isEmpty() && stamp.isQuiet(time.instant()));
  }

  /** Forgets all other files. */
  void retain(Collection<String> names) {
    seen.keySet().retainAll(names);
  }
}
