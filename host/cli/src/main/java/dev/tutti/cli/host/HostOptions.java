package dev.tutti.cli.host;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.engine.EngineConfig;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Rte;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The places of the plugins, the limits of the engine, and whether the host that serves runs the
 * command.
 */
public final class HostOptions implements LiveTarget {

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description =
          "A directory of plugin jars, or one jar; may be given several times. Default:"
              + " Tutti's own.")
  private List<Path> plugins = new ArrayList<>();

  @Mixin private final EngineOptions engine = new EngineOptions();

  @Option(
      names = "--live",
      description =
          "Runs in the host that 'tutti serve' has started, with the plugins that it serves.")
  private boolean isLive;

  @Option(
      names = "--state",
      paramLabel = "<dir>",
      description =
          "The state directory of that host; implies --live. Default: the plugins"
              + " directory with .state after its name.")
  private @Nullable Path state;

  @Override
  public Where where() {
    if (!isLive && state == null) {
      return Where.HERE;
    }
    if (engine.areGiven()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the host that serves has its engine already; leave out --live, or --workers,"
              + " --ccl-buffer, --rules, --machine, --network and --planning-limit");
    }
    if (plugins.size() > 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a host serves one plugins directory; name one. Actual: %s",
          plugins);
    }
    return Where.SERVED;
  }

  @Override
  public @Nullable Path state(Hosts hosts) {
    return PluginPlaces.state(
        plugins.isEmpty() ? null : plugins.getFirst(), state, hosts.usualPlugins());
  }

  /** The configuration of an engine like that of the host, for uses without plugins. */
  public EngineConfig engine() {
    return engine.config();
  }

  /**
   * Loads the plugins and starts the engine; problems with plugins go to {@code terminal.err}. If
   * the host that serves has already reported them, they are shortened.
   */
  public HostUse open(Hosts hosts, Terminal terminal) {
    return open(hosts, Rte.embedded(), EnumSet.allOf(Operation.class), terminal);
  }

  /**
   * The same with only the algorithms of some operations, for a faster start; of a process that may
   * be one rank of a job. Then rank 0 reports problems.
   */
  public HostUse open(Hosts hosts, Rte rte, Set<Operation> operations, Terminal terminal) {
    Session session = hosts.session();
    HostUse use =
        session == null ? HostUse.own(ownContext(hosts, rte, operations)) : HostUse.of(session);
    if (!rte.isLocal(0)) {
      return use;
    }
    for (PluginProblem problem : use.context().plugins().problems()) {
      String text = problem.toString();
      terminal
          .err()
          .println("tutti: plugin problem: " + (session == null ? text : Sentence.firstLine(text)));
    }
    if (session == null) {
      use.context().ruleNotes().forEach(note -> terminal.err().println("tutti: rules: " + note));
    }
    use.context().plugins().notes().forEach(note -> terminal.err().println("tutti: note: " + note));
    return use;
  }

  /** A host of this process without plugins, with only the additions. */
  public HostUse openWithoutPlugins(Hosts hosts, Consumer<ContextBuilder> addition) {
    ContextBuilder builder = hosts.builders().get().rte(Rte.embedded());
    engine.applyTo(builder);
    addition.accept(builder);
    return HostUse.own(builder.open());
  }

  private Context ownContext(Hosts hosts, Rte rte, Set<Operation> operations) {
    ContextBuilder builder = Hosts.in(rte, hosts.builder(plugins)).operations(operations);
    engine.applyTo(builder);
    return builder.open();
  }
}
