package dev.tutti.plugin.live;

import dev.tutti.host.Context;
import dev.tutti.plugin.PluginManager;
import java.nio.file.Path;

/** A host that changes its plugins without end, until it is killed. Says what it has done. */
final class CrashedHost {

  private CrashedHost() {}

  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    int start = Integer.parseInt(args[1]);
    Path jars = directory.resolve("jars");
    Context context =
        Context.builder()
            .watchPlugins(directory.resolve("plugins"), directory.resolve("state"))
            .open();
    PluginManager manager = context.pluginManager();
    say("open");
    for (int i = start; ; i++) {
      Path jar = jars.resolve("pull.jar");
      String version = "1.0." + i;
      LiveJars.jar(jar, version, LiveSamples.Right.class);
      manager.install(jar);
      say("serves " + version);
      boolean hasPrevious = i > start && i % 5 != 0;
      if (hasPrevious && i % 3 == 1) {
        say("serves " + manager.rollback(LiveJars.ID).version());
      }
      if (i % 5 == 4) {
        manager.remove(LiveJars.ID);
        say("none");
      }
    }
  }

  private static void say(String what) {
    System.out.println(what);
    System.out.flush();
  }
}
