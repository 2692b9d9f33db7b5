package dev.tutti.host.cli;

import dev.tutti.host.Context;
import dev.tutti.host.plugin.Plugin;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.host.pool.rules.Rules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures all algorithms on this machine, and writes down how long they take. */
@Command(
    name = "tune",
    description = {
      "Measures all algorithms on this machine, and writes a file for --rules.",
      "",
      "All algorithms of a request take turns, in heats of five rounds on fresh memory; who is far"
          + " behind leaves after the first. With the file, what was measured decides; in between,"
          + " times are interpolated. Of those that cannot be told apart, the one is taken whose"
          + " plan is the fastest, with few changes from size to size. Rules of a file that is there are kept. The ratio"
          + " says how much longer than the fastest the algorithm takes that is chosen now; 'tutti"
          + " compare' says it better."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti tune",
      "  tutti tune allreduce broadcast --ranks 2,4,8 --budget 1m --output my-rules.json",
      "  tutti tune --rules tutti-rules.json --dry-run"
    })
final class TuneCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  @Mixin private final SweepOptions options = new SweepOptions();

  @Option(
      names = "--all",
      description =
          "Measures every algorithm, also those that would take more than four times as long as the"
              + " fastest by their plans.")
  private boolean isAll;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Where to write. Default: tutti-rules.json.")
  private @Nullable Path output;

  @Option(names = "--dry-run", description = "Writes nothing, and only shows what was measured.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Prints one JSON object per request and line.")
  private boolean isJson;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  TuneCommand(Terminal terminal, Hosts hosts, Path directory) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.directory = directory;
  }

  @Override
  public Integer call() {
    Path file = OutputFile.place(output, directory.resolve("tutti-rules.json"), isDryRun);
    // Before minutes of measuring: what could not be read or written afterwards.
    Rules kept = isDryRun ? Rules.none() : kept(file);
    try (HostUse host = hostOptions.open(hosts, terminal)) {
      List<Cell> cells = options.cells(Sweep.operations(host.context()));
      TuneReport report = new TuneReport(terminal, isJson);
      List<TuneResult> results =
          new Sweep(terminal, host, options)
              .run(
                  cells,
                  !isJson,
                  (cell, choice, share) -> measure(host, cell, choice, share),
                  report::row);
      report.end(results);
      if (!isDryRun) {
        write(host.context(), kept, results, file);
      }
    }
    return ExitCode.OK;
  }

  private static Rules kept(Path file) {
    OutputFile.requireWritableDirectory(file, "rules file");
    return Files.exists(file) ? Rules.read(file).withoutProfile() : Rules.none();
  }

  private Optional<TuneResult> measure(HostUse host, Cell cell, Choice choice, Duration share) {
    Race race = new Race(host, cell, TuneCandidates.of(choice, isAll));
    race.screen(share);
    return TuneResult.of(cell, race, choice.best());
  }

  private void write(Context context, Rules kept, List<TuneResult> results, Path file) {
    Map<String, String> versions = new TreeMap<>();
    for (Plugin plugin : context.plugins().plugins()) {
      versions.put(plugin.id(), plugin.version());
    }
    Provenance here = Provenance.here(context.workers(), versions);
    kept.withProfile(TuneProfile.of(results), here).write(file);
    if (!isJson) {
      terminal.out().printf(Locale.ROOT, "wrote %s; use it with --rules %s%n", file, file);
    }
  }
}
