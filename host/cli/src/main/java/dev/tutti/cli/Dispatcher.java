package dev.tutti.cli;

import dev.tutti.cli.control.ControlClient;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.host.HostSearch;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.RemoteOutput;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.store.StateInUseException;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Runs a command here or in the host that serves, depending on the options of the command. */
final class Dispatcher implements IExecutionStrategy {

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  /**
   * Makes a dispatcher.
   *
   * @param directory the directory that relative paths of a command start from
   */
  Dispatcher(Terminal terminal, Hosts hosts, Path directory) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.directory = directory;
  }

  @Override
  public int execute(ParseResult result) {
    Integer helped = CommandLine.executeHelpRequest(result);
    if (helped != null) {
      return helped;
    }
    // Long work of any command shows its progress, if the command shows no line of its own.
    try (ProgressLine _ = new ProgressLine(terminal, true)) {
      return carryOutOrRetry(result);
    }
  }

  private int carryOutOrRetry(ParseResult result) {
    try {
      return carryOut(result);
    } catch (ExecutionException e) {
      if (hosts.session() == null && e.getCause() instanceof StateInUseException) {
        // A host started after the search, and may accept the command now.
        return carryOut(result);
      }
      throw e;
    }
  }

  private int carryOut(ParseResult result) {
    CommandSpec command = command(result);
    try {
      LiveTarget target = target(command);
      LiveTarget.Where where = target == null ? LiveTarget.Where.HERE : target.where();
      if (hosts.session() != null) {
        requireTaken(command, where);
      } else if (target != null && where != LiveTarget.Where.HERE) {
        Integer exitCode = elsewhere(result, target, where);
        if (exitCode != null) {
          return exitCode;
        }
      }
    } catch (TuttiException e) {
      throw new ExecutionException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
    return new RunLast().execute(result);
  }

  private static CommandSpec command(ParseResult result) {
    ParseResult last = result;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last.commandSpec();
  }

  /** The command, or one of its options, that decides where the command runs. */
  private static @Nullable LiveTarget target(CommandSpec command) {
    if (command.userObject() instanceof LiveTarget target) {
      return target;
    }
    for (CommandSpec mixin : command.mixins().values()) {
      if (mixin.userObject() instanceof LiveTarget target) {
        return target;
      }
    }
    return null;
  }

  private static void requireTaken(CommandSpec command, LiveTarget.Where where) {
    if (where == LiveTarget.Where.HERE) {
      throw new TuttiException(
          ErrorCode.HOST_UNREACHABLE,
          "a host that serves does not accept '%s'; run it in its own process",
          command.qualifiedName());
    }
  }

  /** Runs the command in the host; null if no host serves and the command does not need one. */
  private @Nullable Integer elsewhere(
      ParseResult result, LiveTarget target, LiveTarget.Where where) {
    Path state = target.state(hosts);
    Optional<ControlClient> found = state == null ? Optional.empty() : find(target, state);
    if (found.isEmpty()) {
      if (where == LiveTarget.Where.SERVED) {
        throw nobody(state);
      }
      return null;
    }
    try (ControlClient client = found.get()) {
      int exitCode = client.call(request(result), remote(terminal.out()), remote(terminal.err()));
      if (exitCode == ExitCode.OK) {
        target.afterwards(client.pid());
      }
      return exitCode;
    }
  }

  private PrintWriter remote(PrintWriter target) {
    return new PrintWriter(new RemoteOutput(terminal, target));
  }

  private static Optional<ControlClient> find(LiveTarget target, Path state) {
    return target.needsState() ? new HostSearch().await(state) : ControlClient.find(state);
  }

  private ControlRequest request(ParseResult result) {
    return new ControlRequest(
        result.originalArgs(),
        directory.toAbsolutePath(),
        terminal.hasColours(),
        terminal.showsProgress());
  }

  private static TuttiException nobody(@Nullable Path state) {
    return state == null
        ? new TuttiException(
            ErrorCode.HOST_UNREACHABLE,
            "no host is known; name its state directory with --state, or its plugins directory with"
                + " --plugins")
        : new TuttiException(
            ErrorCode.HOST_UNREACHABLE,
            "no host serves %s; start one with 'tutti serve', or name another state directory with"
                + " --state",
            state);
  }
}
