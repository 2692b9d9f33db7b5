package dev.tutti.cli;

import dev.tutti.cli.options.Labels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The script for fish, which picocli does not support: a line for each command, option and
 * argument.
 */
final class FishCompletion {

  /**
   * Functions that check whether the words before the cursor begin with, or are exactly, given
   * commands.
   */
  private static final String CONDITIONS =
      """
      function __tutti_in
          set -l words (commandline -opc)
          set -e words[1]
          set -l depth (count $argv)
          test (count $words) -ge $depth; or return 1
          test "$words[1..$depth]" = "$argv"
      end

      function __tutti_at
          test (count (commandline -opc)) -eq (math (count $argv) + 1); or return 1
          test (count $argv) -eq 0; or __tutti_in $argv
      end

      complete -c tutti -f
      """;

  private final StringBuilder script = new StringBuilder(CONDITIONS);

  private FishCompletion() {}

  /** The script for a command and all commands below it. */
  static String of(CommandLine root) {
    FishCompletion completion = new FishCompletion();
    completion.add(root, List.of());
    return completion.script.toString();
  }

  /**
   * Adds a command.
   *
   * @param path the commands that lead to it, including itself; empty for the first one
   */
  private void add(CommandLine command, List<String> path) {
    CommandSpec spec = command.getCommandSpec();
    String in = path.isEmpty() ? "__tutti_at" : "__tutti_in " + String.join(" ", path);
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        line(in, names(option) + value(option), HelpTexts.firstSentence(option.description()));
      }
    }
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      String values = value(argument);
      if (!argument.hidden() && !values.equals(" -x")) {
        line(in, values.replace(" -x", ""), "");
      }
    }
    String at = ("__tutti_at " + String.join(" ", path)).strip();
    command
        .getSubcommands()
        .forEach(
            (name, below) -> {
              line(at, " -a " + name, HelpTexts.summary(below) + ".");
              List<String> longer = new ArrayList<>(path);
              longer.add(name);
              add(below, longer);
            });
  }

  private void line(String condition, String what, String description) {
    script.append("complete -c tutti -n ").append(quoted(condition)).append(what);
    if (!description.isEmpty()) {
      script.append(" -d ").append(quoted(description));
    }
    script.append('\n');
  }

  private static String names(OptionSpec option) {
    return List.of(option.names()).stream()
        .map(
            name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
        .collect(Collectors.joining());
  }

  /** The flags for the value that follows: files or words; empty for a switch. */
  private static String value(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return "";
    }
    if (argument.type() == Path.class || argument.auxiliaryTypes()[0] == Path.class) {
      return " -r -F";
    }
    @Nullable Iterable<String> candidates = argument.completionCandidates();
    if (candidates == null) {
      return " -x";
    }
    String files = candidates instanceof Labels.OfTargets ? " -r -F" : " -x";
    return files
        + " -a "
        + quoted(
            StreamSupport.stream(candidates.spliterator(), false).collect(Collectors.joining(" ")));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
