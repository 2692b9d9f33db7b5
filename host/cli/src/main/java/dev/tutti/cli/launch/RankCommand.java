package dev.tutti.cli.launch;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Rte;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command that starts the process of a rank: this JVM with the same options, and the rank in
 * the environment.
 *
 * @param words the command
 */
record RankCommand(List<String> words) {

  private static final String MAIN = "dev.tutti.cli.Main";
  private static final String MODULE = "jdk.module.main";

  /**
   * The system property with the JVM options of ranks, one for each line, if they differ from those
   * of this process.
   */
  private static final String OPTIONS = "tutti.rank.options";

  private static final String COLLECTOR = "-XX:[+]Use\\w*GC";

  /** The options for a fast start of a short process. */
  private static final String FAST_START =
      "(?s)-XX:TieredStopAtLevel=.*|-XX:(AOTCache|SharedArchiveFile)=.*"
          + "|-Xlog:(aot|cds|cds[+]dynamic)=off|-D"
          + OPTIONS
          + "=.*";

  /** This program with arguments. */
  static RankCommand of(List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Many processes share the processors, so each collects garbage with one thread.
    words.add("-XX:+UseSerialGC");
    String module = System.getProperty(MODULE);
    if (module == null) {
      words.addAll(List.of("--add-modules", "jdk.incubator.vector"));
      words.add("--enable-native-access=ALL-UNNAMED");
      System.getProperties().stringPropertyNames().stream()
          .filter(name -> name.startsWith("tutti."))
          .forEach(name -> words.add("-D" + name + "=" + System.getProperty(name)));
      words.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    } else {
      words.addAll(
          ofModule(
              ManagementFactory.getRuntimeMXBean().getInputArguments(),
              System.getProperty(OPTIONS)));
      // Shared memory needs this option, even if this JVM does not have it.
      words.add("--enable-native-access=dev.tutti.engine");
      words.addAll(List.of("-m", module + "/" + MAIN));
    }
    words.addAll(arguments);
    return new RankCommand(words);
  }

  /**
   * The JVM options of a rank.
   *
   * @param own those of this process
   * @param ofRanks the options of ranks that replace those for the fast start of this process; null
   *     if there are none
   */
  static List<String> ofModule(List<String> own, @Nullable String ofRanks) {
    List<String> options = new ArrayList<>();
    for (String each : own) {
      if (!each.matches(COLLECTOR) && !(ofRanks != null && each.matches(FAST_START))) {
        options.add(each);
      }
    }
    if (ofRanks != null) {
      options.addAll(List.of(ofRanks.split("\n")));
    }
    return options;
  }

  /**
   * The builder of a rank's process.
   *
   * @param isWatched whether a user watches the progress of the first rank
   */
  ProcessBuilder builder(int rank, int ranks, Path directory, String token, boolean isWatched) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(Rte.environment(rank, ranks, directory, token));
    String launcher = String.valueOf(ProcessHandle.current().pid());
    builder.environment().put(Hosts.LAUNCHER, launcher);
    if (isWatched && rank == 0) {
      builder.environment().put(Terminal.WATCHED, "true");
    }
    return builder;
  }
}
