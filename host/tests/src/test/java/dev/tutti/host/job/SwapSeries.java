package dev.tutti.host.job;

import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;

/** Changes of one plugin, one after another: to a new version, and between the last two. */
final class SwapSeries {

  /** One in this number of changes has a new version, which must be examined. */
  private static final int NEW_ONE_IN = 10;

  private final PluginManager manager;
  private String serving = "1.0.0";
  private String other = "";
  private int changes;

  SwapSeries(PluginManager manager) {
    this.manager = manager;
  }

  /** Has another version serve; returns which one. */
  String next() {
    if (changes % NEW_ONE_IN == 0) {
      int number = changes / NEW_ONE_IN;
      other = "2.0." + number;
      SwapJars.drop(
          manager.directory(),
          "swapped-" + number % 2 + ".jar",
          other,
          SwapSamples.Sum.class,
          SwapSamples.Send.class);
      manager.rescan();
    }
    String next = other;
    other = serving;
    serving = next;
    changes++;
    PluginStatus status = manager.pin(SwapJars.ID, next);
    if (!status.version().equals(next) || status.state() != PluginStatus.State.SERVING) {
      throw new AssertionError("not " + next + ": " + manager.why(SwapJars.ID));
    }
    return next;
  }

  /** The version after some changes. */
  static String last(int changes) {
    int number = (changes - 1) / NEW_ONE_IN;
    boolean isNewest = (changes - 1) % NEW_ONE_IN % 2 == 0;
    return isNewest ? "2.0." + number : number == 0 ? "1.0.0" : lastBefore(number);
  }

  private static String lastBefore(int number) {
    return last(number * NEW_ONE_IN);
  }
}
