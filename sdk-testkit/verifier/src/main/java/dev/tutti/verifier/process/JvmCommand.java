package dev.tutti.verifier.process;

import dev.tutti.verifier.process.ChildException.Reason;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM that sees the same classes as this one. */
final class JvmCommand {

  /** Options that select modules and set their access. */
  private static final List<String> MODULES =
      List.of(
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--patch-module",
          "--add-reads",
          "--add-exports",
          "--add-opens",
          "--enable-native-access");

  /** A module that no child needs. With it, the JVM's class data archive does not match. */
  private static final String VECTORS = "jdk.incubator.vector";

  /**
   * The system property for a main class, in the form that {@code -m} accepts. This main class
   * starts the class that its first argument names. So children have the main module of their
   * parent; with another one, the JVM's class data archive would not match.
   */
  private static final String LAUNCHER = "tutti.launcher";

  private JvmCommand() {}

  static List<String> of(Class<?> main, List<String> options) throws ChildException {
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(inherited());
    // Standard output carries only answers.
    command.add("-XX:+DisplayVMOutputToStderr");
    command.addAll(options);
    String path = System.getProperty("java.class.path", "");
    if (!path.isEmpty()) {
      command.add("-cp");
      command.add(path);
    }
    if (main.getModule().isNamed()) {
      String launcher = System.getProperty(LAUNCHER, "");
      command.add("-m");
      if (launcher.isEmpty()) {
        command.add(main.getModule().getName() + "/" + main.getName());
      } else {
        command.add(launcher);
        command.add(main.getName());
      }
    } else {
      command.add(main.getName());
    }
    return command;
  }

  private static Path java() throws ChildException {
    Path bin = Path.of(System.getProperty("java.home", ""), "bin");
    for (String name : List.of("java", "java.exe")) {
      if (Files.isExecutable(bin.resolve(name))) {
        return bin.resolve(name);
      }
    }
    throw new ChildException(
        Reason.NOT_STARTED,
        "a second JVM cannot be started (there is no java in %s)".formatted(bin));
  }

  private static List<String> inherited() {
    List<String> inherited = new ArrayList<>();
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (MODULES.stream().anyMatch(option -> argument.startsWith(option + "="))
          && !argument.endsWith("=" + VECTORS)) {
        inherited.add(argument);
      }
    }
    return inherited;
  }
}
