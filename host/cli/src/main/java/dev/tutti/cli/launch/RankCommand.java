package dev.tutti.cli.launch;

import dev.tutti.host.Rte;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the process of a rank is started: this JVM again, with the same options, and a word in the
 * environment about which rank it is.
 *
 * @param words the command
 */
record RankCommand(List<String> words) {

  private static final String MAIN = "dev.tutti.cli.Main";
  private static final String MODULE = "jdk.module.main";

  /** This program with arguments. */
  static RankCommand of(List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Each of many processes has other things to do than to collect garbage with several threads.
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
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(option -> !option.matches("-XX:[+]Use\\w*GC"))
          .forEach(words::add);
      // Shared memory needs it, whatever this JVM was started with.
      words.add("--enable-native-access=dev.tutti.engine");
      words.addAll(List.of("-m", module + "/" + MAIN));
    }
    words.addAll(arguments);
    return new RankCommand(words);
  }

  /** A process of a rank, not started. */
  ProcessBuilder builder(int rank, int ranks, Path directory, String token) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(Rte.environment(rank, ranks, directory, token));
    return builder;
  }
}
