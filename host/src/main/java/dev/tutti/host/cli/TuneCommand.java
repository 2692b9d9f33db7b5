package dev.tutti.host.cli;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.kernel.Kernels;
import dev.tutti.host.plugin.Plugin;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
      "All algorithms of a request are measured in turns, in one process; a time is the median of up"
          + " to 15 batches, each until every rank has its result. With the file, what was measured"
          + " decides; in between, times are interpolated. Rules of a file that is there are kept."
          + " The ratio says how much longer than the fastest the algorithm takes that is chosen"
          + " now; with --rules of a former run and --dry-run it shows how good that was."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti tune",
      "  tutti tune allreduce broadcast --ranks 2,4,8 --budget 1m --output my-rules.json",
      "  tutti tune --rules tutti-rules.json --dry-run"
    })
final class TuneCommand implements Callable<Integer> {

  private static final Duration KERNEL_WARM_UP = Duration.ofSeconds(10);
  private static final int WARM_UP_PART = 50;
  private static final int WARM_UP_CELLS = 3;

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  @Mixin private final TuneOptions options = new TuneOptions();

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
    Path file = output == null ? directory.resolve("tutti-rules.json") : output;
    if (isDryRun && output != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--dry-run writes nothing; leave out it or --output");
    }
    // Before minutes of measuring: what could not be read or written afterwards.
    Rules kept = isDryRun ? Rules.none() : kept(file);
    try (HostUse host = hostOptions.open(hosts, terminal)) {
      List<TuneCell> cells = options.cells(operations(host.context()));
      TuneReport report = new TuneReport(terminal, isJson);
      List<TuneResult> results = measure(host, cells, report);
      report.end(results);
      if (results.size() < cells.size()) {
        terminal.err().println(unfinished(results.size(), cells.size()));
      }
      if (!isDryRun) {
        write(host.context(), kept, results, file);
      }
    }
    return ExitCode.OK;
  }

  private static Rules kept(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          "cannot write the rules file %s: %s is no directory that can be written",
          file,
          parent);
    }
    return Files.exists(file) ? Rules.read(file).withoutProfile() : Rules.none();
  }

  private static List<Operation> operations(Context context) {
    return context.planPool().algorithms().stream()
        .map(each -> each.operation())
        .distinct()
        .toList();
  }

  private List<TuneResult> measure(HostUse host, List<TuneCell> cells, TuneReport report) {
    List<TuneResult> results = new ArrayList<>();
    long end = System.nanoTime() + options.budget().toNanos();
    try (Progress progress = new Progress(terminal, !isJson)) {
      progress.show("warming up");
      warmUp(host, cells);
      for (int i = 0; i < cells.size(); i++) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          break;
        }
        progress.show("%d of %d: %s".formatted(i + 1, cells.size(), cells.get(i)));
        Duration share = Duration.ofNanos(left / (cells.size() - i));
        measure(host, cells.get(i), share)
            .ifPresent(
                result -> {
                  results.add(result);
                  report.row(result);
                });
      }
    }
    return results;
  }

  /** Until code is compiled, times are those of the compiler; so the first ones do not count. */
  private void warmUp(HostUse host, List<TuneCell> cells) {
    Kernels.warm(TuneOptions.TYPE, ReduceOp.SUM, KERNEL_WARM_UP);
    long end = System.nanoTime() + options.budget().toNanos() / WARM_UP_PART;
    do {
      for (TuneCell cell : cells.subList(0, Math.min(WARM_UP_CELLS, cells.size()))) {
        measure(host, cell, Duration.ZERO);
      }
    } while (System.nanoTime() - end < 0);
  }

  /** Nothing if no algorithm takes the request. */
  private Optional<TuneResult> measure(HostUse host, TuneCell cell, Duration share) {
    Asked asked = cell.asked();
    try (Group group = host.createGroup(cell.topology())) {
      Choice choice = asked.request(group).explain();
      if (!choice.isPossible()) {
        return Optional.empty();
      }
      try (TuneTrial trial =
          new TuneTrial(host.context(), group, asked, TuneCandidates.of(choice, options.isAll()))) {
        List<TuneResult.Time> times = trial.measure(share);
        return times.isEmpty()
            ? Optional.empty()
            : Optional.of(new TuneResult(cell, trial.bytes(), times, choice.best()));
      }
    }
  }

  private String unfinished(int measured, int asked) {
    return "tutti: %d of %d requests were measured; the others have no algorithm, or --budget %d s was"
            .formatted(measured, asked, options.budget().toSeconds())
        + " too short for them";
  }

  private void write(Context context, Rules kept, List<TuneResult> results, Path file) {
    Map<String, String> versions = new TreeMap<>();
    for (Plugin plugin : context.plugins().plugins()) {
      versions.put(plugin.id(), plugin.version());
    }
    Provenance here = Provenance.here(context.workers(), versions);
    kept.withProfile(TuneProfile.of(results), here).write(file);
    if (!isJson) {
      terminal.out().printf("wrote %s; use it with --rules %s%n", file, file);
    }
  }
}
