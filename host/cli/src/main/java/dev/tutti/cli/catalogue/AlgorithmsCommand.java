package dev.tutti.cli.catalogue;

import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.AlgParameter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists every algorithm. */
@Command(
    name = "algorithms",
    description = "Lists the algorithms of all plugins, and the problems of plugins.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti algorithms", "  tutti algorithms allreduce --plugins my-plugins --json"})
public final class AlgorithmsCommand implements Callable<Integer> {

  private static final String INDENT = "    ";

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(
      paramLabel = "<name>",
      arity = "0..1",
      completionCandidates = Labels.OfOperations.class,
      description = "Lists only the algorithms of one operation, or those of one name: ring.")
  private @Nullable RequestTarget target;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  @Option(names = "--json", description = "Prints one JSON object per algorithm and line.")
  private boolean isJson;

  public AlgorithmsCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    try (HostUse host = hostOptions.open(hosts, terminal)) {
      PluginSet plugins = host.context().plugins();
      List<Algorithm> algorithms = wanted(plugins.algorithms());
      if (isJson) {
        algorithms.forEach(algorithm -> terminal.out().println(json(algorithm)));
      } else if (algorithms.isEmpty()) {
        terminal.out().println("no algorithms");
      } else {
        print(algorithms);
      }
    }
    return ExitCode.OK;
  }

  private List<Algorithm> wanted(List<Algorithm> all) {
    if (target == null) {
      return all;
    }
    RequestName known = target.known();
    if (known == null || known.algorithm() != null) {
      return AlgorithmNames.select(all, List.of(target.text()), null);
    }
    OperationName operation = known.operation();
    return all.stream()
        .filter(
            each ->
                each.operation().label().equals(operation.label())
                    || each.operation() == operation.operation())
        .toList();
  }

  private void print(List<Algorithm> algorithms) {
    Table table = new Table("operation", "algorithm", "plugin", "version", "same bits");
    for (Algorithm algorithm : algorithms) {
      table.row(
          algorithm.operation().label(),
          algorithm.name(),
          algorithm.plugin(),
          algorithm.version(),
          algorithm.determinism().label());
    }
    table.print(terminal);
    for (Algorithm algorithm : algorithms) {
      terminal.out().println();
      describe(algorithm);
    }
  }

  private void describe(Algorithm algorithm) {
    terminal.out().println(terminal.bold(algorithm.operation().label() + " " + algorithm.name()));
    detail("", algorithm.summary());
    detail("source: ", algorithm.source());
    detail("cost: ", algorithm.formula());
    for (AlgParameter<?> parameter : algorithm.parameters()) {
      detail("--param ", parameter.toString());
    }
  }

  private void detail(String label, String text) {
    if (!text.isEmpty()) {
      terminal.out().println(INDENT + label + text);
    }
  }

  private static String json(Algorithm algorithm) {
    return new JsonLine()
        .put("operation", algorithm.operation().label())
        .put("algorithm", algorithm.name())
        .put("plugin", algorithm.plugin())
        .put("version", algorithm.version())
        .put("summary", algorithm.summary())
        .put("determinism", algorithm.determinism().label())
        .put("source", algorithm.source())
        .put("formula", algorithm.formula())
        .putObjects(
            "parameters",
            new String[] {"name", "default", "range", "summary"},
            algorithm.parameters().stream().map(AlgorithmsCommand::texts).toList())
        .toString();
  }

  private static String[] texts(AlgParameter<?> parameter) {
    return new String[] {
      parameter.name(), parameter.defaultValue().toString(), parameter.range(), parameter.summary()
    };
  }
}
