package dev.tutti.plugin.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The options of JVMs that the host starts. */
public final class ChildOptions {

  private static final String MAIN_MODULE = "dev.tutti.plugin";

  private ChildOptions() {}

  /**
   * Options for a quick start: a collector without extra threads, and the class cache of the
   * distribution. If the cache does not fit, the JVM starts without it.
   */
  public static List<String> quickStart() {
    List<String> options = new ArrayList<>();
    options.add("-XX:+UseSerialGC");
    options.add("-XX:TieredStopAtLevel=1");
    String home = System.getProperty("tutti.home", "");
    Path cache = Path.of(home, "tutti.aot");
    if (!home.isEmpty() && isUsable(cache)) {
      options.add("-XX:AOTCache=" + cache);
      options.add("-Xlog:aot=off");
      options.add("-Xlog:cds=off");
    }
    return options;
  }

  private static boolean isUsable(Path cache) {
    return MAIN_MODULE.equals(ChildOptions.class.getModule().getName())
        && Files.isRegularFile(cache)
        && cache.toFile().length() > 0;
  }
}
