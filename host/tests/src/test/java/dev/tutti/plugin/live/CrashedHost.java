package dev.tutti.plugin.live;

import dev.tutti.host.Context;
import dev.tutti.host.SteppedContexts;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A host that changes its plugins endlessly and reports its changes, until a change reaches the
 * step at which it will be killed. It reports that, too, and stops there.
 */
final class CrashedHost implements Steps {

  /** The beginning of its last line. */
  static final String STOPPED = "stopped at ";

  /** The beginning of a line that names the version that a change leads to, before the change. */
  static final String CHANGES = "changes to ";

  /** The beginning of a line that names the version that a finished change has led to. */
  static final String SERVES = "serves ";

  /** Stands for the version when no plugin serves. */
  static final String NONE = "none";

  private final AtomicInteger stepsLeft;

  private CrashedHost(int steps) {
    stepsLeft = new AtomicInteger(steps);
  }

  @Override
  public void reached(Step step) {
    if (stepsLeft.getAndDecrement() == 0) {
      say(STOPPED + step);
      while (true) {
        LockSupport.park();
      }
    }
  }

  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    int start = Integer.parseInt(args[1]);
    Path jars = directory.resolve("jars");
    Context context =
        SteppedContexts.told(
                Context.builder()
                    .watchPlugins(directory.resolve("plugins"), directory.resolve("state")),
                new CrashedHost(Integer.parseInt(args[2])))
            .open();
    PluginManager manager = context.pluginManager();
    say("open");
    for (int i = start; ; i++) {
      Path jar = jars.resolve("pull.jar");
      String version = "1.0." + i;
      LiveJars.jar(jar, version, LiveSamples.Right.class);
      say(CHANGES + version);
      manager.install(jar);
      say(SERVES + version);
      boolean hasPrevious = i > start && i % 5 != 0;
      if (hasPrevious && i % 3 == 1) {
        say(CHANGES + "1.0." + (i - 1));
        say(SERVES + manager.rollback(LiveJars.ID).version());
      }
      if (i % 5 == 4) {
        say(CHANGES + NONE);
        manager.remove(LiveJars.ID);
        say(SERVES + NONE);
      }
    }
  }

  private static synchronized void say(String what) {
    System.out.println(what);
    System.out.flush();
  }
}
