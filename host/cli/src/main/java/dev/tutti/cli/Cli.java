package dev.tutti.cli;

import dev.tutti.cli.bench.BenchCommand;
import dev.tutti.cli.bench.PerfCommand;
import dev.tutti.cli.bench.RunCommand;
import dev.tutti.cli.catalogue.AlgorithmsCommand;
import dev.tutti.cli.chart.ChartKind;
import dev.tutti.cli.chart.ChartSource;
import dev.tutti.cli.dev.DevCommand;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.MemoryKind;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.Placement;
import dev.tutti.cli.options.Reduction;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestOptions;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.plugins.PluginsCommand;
import dev.tutti.cli.project.NewCommand;
import dev.tutti.cli.project.ProjectStyle;
import dev.tutti.cli.serve.ServeCommand;
import dev.tutti.cli.serve.StatusCommand;
import dev.tutti.cli.show.ChartCommand;
import dev.tutti.cli.show.ExplainCommand;
import dev.tutti.cli.show.LintCommand;
import dev.tutti.cli.show.PlanCommand;
import dev.tutti.cli.show.PlanFormat;
import dev.tutti.cli.show.TopoCommand;
import dev.tutti.cli.simulate.SimulateCommand;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.cli.tune.CompareCommand;
import dev.tutti.cli.tune.TuneCommand;
import dev.tutti.cli.verify.VerifyCommand;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Rule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command line as a function from arguments to output and an exit code. */
public final class Cli {

  private static final int HELP_WIDTH = 100;

  private static final String STACKTRACE = "--stacktrace";

  /** The commands that read the options of all others. */
  private static final Set<String> NEED_ALL = Set.of("completion", "man", "help");

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  /** The command line of a process. */
  public Cli(Terminal terminal, Hosts hosts) {
    this(terminal, hosts, Path.of(""));
  }

  /** The command line of a user in another directory. */
  public Cli(Terminal terminal, Hosts hosts, Path directory) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.directory = directory;
  }

  public int run(String... args) {
    boolean isTraceWanted = Arrays.asList(args).contains(STACKTRACE);
    Errors errors = new Errors(terminal, isTraceWanted);
    try {
      return commandLine(errors, args.length == 0 ? "" : args[0]).execute(args);
    } catch (Error e) {
      // The framework did not handle it; most likely the process is out of memory.
      return errors.report(e);
    } finally {
      terminal.help().flush();
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  /** The whole command line. */
  CommandLine commandLine(Errors errors) {
    return commandLine(errors, "");
  }

  /**
   * The command line for arguments that begin with a word. If the word names a command that needs
   * no other command, only that one is loaded: reading the options of all commands takes a quarter
   * of the start-up time.
   */
  private CommandLine commandLine(Errors errors, String first) {
    CommandLine root = new CommandLine(new TuttiCommand(terminal));
    List<Object> commands =
        List.of(
            new RunCommand(terminal, hosts),
            new BenchCommand(terminal, hosts),
            new PerfCommand(terminal, hosts),
            new TuneCommand(terminal, hosts, directory),
            new CompareCommand(terminal, hosts),
            new LintCommand(terminal, hosts),
            new PlanCommand(terminal, hosts),
            new ChartCommand(terminal),
            new AlgorithmsCommand(terminal, hosts),
            new ExplainCommand(terminal, hosts),
            new VerifyCommand(terminal, hosts),
            new SimulateCommand(terminal, hosts),
            new TopoCommand(terminal),
            new ServeCommand(terminal, hosts, host -> new LiveCommands(hosts, host)),
            new PluginsCommand(terminal),
            new StatusCommand(terminal, hosts, directory),
            new NewCommand(terminal, directory),
            new DevCommand(
                terminal,
                directory,
                (own, words) -> new Cli(own, hosts, directory).run(words.toArray(String[]::new))),
            new CompletionCommand(terminal, hosts),
            new ManCommand(terminal),
            new HelpCommand());
    List<Object> named =
        commands.stream().filter(command -> nameOf(command).equals(first)).toList();
    (named.isEmpty() || NEED_ALL.contains(first) ? commands : named)
        .forEach(command -> root.addSubcommand(withCommands(command)));
    complete(root);
    root.getCommandSpec().addOption(version()).version(TuttiVersion.line());
    registerConverters(root);
    return root.setOut(terminal.help())
        .setErr(terminal.err())
        .setUsageHelpWidth(HELP_WIDTH)
        .setColorScheme(Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
        .setExecutionStrategy(new Dispatcher(terminal, hosts, directory))
        .setParameterExceptionHandler(errors::handleUsage)
        .setExecutionExceptionHandler((e, command, result) -> errors.report(e));
  }

  private static String nameOf(Object command) {
    return command.getClass().getAnnotation(Command.class).name();
  }

  private Object withCommands(Object command) {
    if (!(command instanceof PluginsCommand)) {
      return command;
    }
    CommandLine plugins = new CommandLine(command);
    PluginsCommand.commands(terminal, hosts).forEach(plugins::addSubcommand);
    return plugins;
  }

  private void registerConverters(CommandLine root) {
    RequestOptions.register(root)
        .registerConverter(RequestTarget.class, text -> RequestTarget.of(text).in(directory))
        .registerConverter(Path.class, directory::resolve)
        .registerConverter(OperationName.class, OperationName::of)
        .registerConverter(RequestName.class, RequestName::of)
        .registerConverter(ReduceOp.class, Reduction::ofAlgorithm)
        .registerConverter(Protocol.class, Protocol::fromLabel)
        .registerConverter(CompletionCommand.Shell.class, CompletionCommand.Shell::of)
        .registerConverter(Callers.class, Callers::fromLabel)
        .registerConverter(MemoryKind.class, MemoryKind::fromLabel)
        .registerConverter(PlanFormat.class, PlanFormat::fromLabel)
        .registerConverter(ProjectStyle.class, ProjectStyle::fromLabel)
        .registerConverter(ChartKind.class, ChartKind::fromLabel)
        .registerConverter(ChartSource.class, text -> ChartSource.of(text, directory))
        .registerConverter(Placement.class, Placement::fromLabel)
        .registerConverter(Rule.class, Rule::of)
        .registerConverter(CollectiveCase.class, CollectiveCase::parse);
  }

  /** Adds the common parts of the help texts and the options of all commands. */
  private static void complete(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.usageMessage()
        .sortOptions(false)
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.meanings());
    if (spec.helpCommand()) {
      spec.usageMessage().header("Shows the help of a command.");
    } else {
      spec.addOption(help()).addOption(stacktrace());
    }
    command.getSubcommands().values().forEach(Cli::complete);
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Shows this help.")
        .build();
  }

  private static OptionSpec stacktrace() {
    return OptionSpec.builder(STACKTRACE).description("Shows where an error comes from.").build();
  }

  private static OptionSpec version() {
    return OptionSpec.builder(TuttiVersion.OPTIONS.toArray(String[]::new))
        .versionHelp(true)
        .description("Shows the versions of Tutti and of the JDK.")
        .build();
  }
}
