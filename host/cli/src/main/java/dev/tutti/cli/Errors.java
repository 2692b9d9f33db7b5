package dev.tutti.cli;

import dev.tutti.cli.options.OptionRefusals;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns errors into one line on the terminal and an exit code. */
final class Errors {

  private final Terminal terminal;
  private final boolean isTraceWanted;

  Errors(Terminal terminal, boolean isTraceWanted) {
    this.terminal = terminal;
    this.isTraceWanted = isTraceWanted;
  }

  /** The old names of commands, and the commands that replace them. */
  private static final Map<String, String> RENAMED = Map.of("calibrate", "tune --model");

  /** The longest message about arguments, in characters; such a message repeats the arguments. */
  private static final int MOST_OF_USAGE = 1024;

  /** Reports arguments that cannot be parsed. */
  int handleUsage(ParameterException e, String[] args) {
    int code = report(usageError(e, args));
    terminal
        .err()
        .println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
    return code;
  }

  private static TuttiException usageError(ParameterException e, String[] args) {
    String unknown =
        e.getArgSpec() instanceof PositionalParamSpec
            ? unknownOption(e.getCommandLine().getCommandSpec(), args)
            : null;
    if (unknown != null) {
      // The parser took the word after the unknown option for an operation.
      return unknownOption(e.getCommandLine(), unknown);
    }
    if (e.getCause() instanceof TuttiException cause) {
      return cause;
    }
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    if (e.getArgSpec() == null && e.getValue() != null) {
      // Only the help of an unknown command has a value without its argument.
      return unknownCommand(e.getCommandLine(), e.getValue());
    }
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT, e, "%s", Names.shown(UsageText.of(e), MOST_OF_USAGE));
  }

  private static TuttiException unknown(UnmatchedArgumentException e) {
    CommandLine command = e.getCommandLine();
    String asked = e.getUnmatched().getFirst();
    if (asked.startsWith("-")) {
      return unknownOption(command, asked);
    }
    return command.getSubcommands().isEmpty()
        ? new TuttiException(
            ErrorCode.INVALID_ARGUMENT, e, "'%s' is one argument too many; leave it out", asked)
        : unknownCommand(command, asked);
  }

  private static TuttiException unknownOption(CommandLine command, String asked) {
    if (command.getCommandSpec().userObject() instanceof OptionRefusals refusals) {
      Optional<TuttiException> refusal = refusals.refusal(asked);
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    List<String> options =
        command.getCommandSpec().optionsMap().keySet().stream()
            .filter(name -> name.startsWith("--"))
            .sorted()
            .toList();
    String name = asked.startsWith("--") ? asked.split("=", 2)[0] : asked.replaceAll("[0-9]+$", "");
    return OptionSynonyms.find(name, options)
        .map(
            here ->
                new TuttiException(
                    ErrorCode.UNKNOWN_NAME,
                    "unknown option '%s'; it is called %s here",
                    name,
                    here))
        .orElseGet(() -> Names.unknown("option", asked, options));
  }

  /** The first argument that looks like an option but is none; null if there is none. */
  private static @Nullable String unknownOption(CommandSpec command, String[] args) {
    for (String arg : args) {
      String name = arg.startsWith("--") ? arg.split("=", 2)[0] : arg;
      boolean isOption =
          name.length() > 1 && name.charAt(0) == '-' && !Character.isDigit(name.charAt(1));
      if (isOption && !isKnown(command, name)) {
        return name;
      }
    }
    return null;
  }

  /** Whether a command has the option; a short option may have its value attached. */
  private static boolean isKnown(CommandSpec command, String name) {
    return command.optionsMap().containsKey(name)
        || command.negatedOptionsMap().containsKey(name)
        || (name.charAt(1) != '-' && command.optionsMap().containsKey(name.substring(0, 2)));
  }

  private static TuttiException unknownCommand(CommandLine parent, String asked) {
    String present = RENAMED.get(asked);
    return present == null
        ? Names.unknown("command", asked, List.copyOf(parent.getSubcommands().keySet()))
        : new TuttiException(
            ErrorCode.UNKNOWN_NAME, "'tutti %s' is now 'tutti %s'", asked, present);
  }

  /** Reports an exception of a command. */
  int report(Throwable e) {
    if (e instanceof TuttiException known) {
      return print(known, known);
    }
    if (e instanceof OutOfMemoryError) {
      return print(
          new TuttiException(
              ErrorCode.OUT_OF_MEMORY,
              "not enough memory: %s; use fewer ranks or a smaller size",
              e.getMessage()),
          e);
    }
    if (e instanceof IOException) {
      terminal.err().println("tutti: " + e);
      trace(e);
      return ExitCode.ENVIRONMENT;
    }
    terminal.err().println("tutti: internal error, please report it: " + e);
    trace(e);
    return ExitCode.FAILED;
  }

  private int print(TuttiException error, Throwable origin) {
    terminal.err().println("tutti: " + error.getLocalizedMessage());
    trace(origin);
    return ExitCode.of(error.code());
  }

  private void trace(Throwable e) {
    if (isTraceWanted) {
      e.printStackTrace(terminal.err());
    }
  }
}
