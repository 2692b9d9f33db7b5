package dev.tutti.cli;

import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.RequestTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The values that the declarations of options do not list: names of algorithms and commands. */
final class CompletionValues {

  private final List<String> algorithms;
  private final List<String> commands;

  /**
   * Values for a command line.
   *
   * @param algorithms the names of the algorithms
   * @param root gives the commands
   */
  CompletionValues(List<String> algorithms, CommandLine root) {
    this.algorithms = algorithms;
    this.commands = names(root).distinct().toList();
  }

  private static Stream<String> names(CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(each -> Stream.concat(Stream.of(each.getKey()), names(each.getValue())));
  }

  /** Adds the values to a command and all commands below it. */
  void addTo(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    for (ArgSpec argument : List.copyOf(spec.args())) {
      Iterable<String> values = values(argument, spec.name());
      if (values != null) {
        spec.remove(argument);
        spec.add(with(argument, values));
      }
    }
    command.getSubcommands().values().forEach(this::addTo);
  }

  private @Nullable Iterable<String> values(ArgSpec argument, String command) {
    if (argument instanceof OptionSpec option && option.longestName().equals("--algorithm")) {
      return algorithms;
    }
    if (argument.completionCandidates() instanceof Labels.OfTargets) {
      return new Labels.OfTargets(algorithms);
    }
    if (argument.type() == RequestTarget.class) {
      List<String> values = new ArrayList<>(algorithms);
      argument.completionCandidates().forEach(values::add);
      return values;
    }
    return argument.isPositional() && command.equals("man") ? commands : null;
  }

  private static ArgSpec with(ArgSpec argument, Iterable<String> values) {
    return switch (argument) {
      case OptionSpec option -> OptionSpec.builder(option).completionCandidates(values).build();
      case PositionalParamSpec positional ->
          PositionalParamSpec.builder(positional).completionCandidates(values).build();
      default -> argument;
    };
  }
}
