package dev.tutti.cli.bench;

import dev.tutti.base.idle.Waiting;
import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.job.RankServer;
import dev.tutti.cli.launch.JobLauncher;
import dev.tutti.cli.launch.ProcessOptions;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestOptions;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.request.Together;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OnInterrupt;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs one operation, verifies it and shows its time. */
@Command(
    name = "run",
    description = "Runs an operation on all ranks, verifies every result and shows the times.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti run allreduce",
      "  tutti run allreduce --ranks 7 --count 1001 --type bfloat16 --op max --in-place",
      "  tutti run allreduce --algorithm ring --topology 8+4 --bytes 64K --mode op-base --json",
      "  tutti run allreduce --bytes 1M --trace run.json",
      "  tutti run allreduce --callers threads --trace run.json",
      "  tutti run send --src 1 --dst 3 --bytes 1M --protocol rdma",
      "  tutti run plan.json                       a plan of: tutti plan --format json",
      "  mpirun -n 2 tutti run allreduce --ranks-per-process 4"
    })
public final class RunCommand implements Callable<Integer> {

  private static final Duration TIMED = Duration.ofMillis(250);
  private static final Duration WARM_UP = Duration.ofMillis(200);

  /** Threads that wait for each other have more branches to compile, some of them rarely taken. */
  private static final Duration WARM_UP_OF_THREADS = Duration.ofSeconds(5);

  /** Each process compiles its own code, and all wait for the slowest. */
  private static final Duration WARM_UP_OF_PROCESSES = Duration.ofSeconds(5);

  private static final Duration TRACED = Duration.ofMillis(500);
  private static final Duration KERNEL_WARM_UP = Duration.ofSeconds(3);

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final RequestOptions requestOptions = new RequestOptions();
  @Mixin private final MeasurementOptions measurementOptions = new MeasurementOptions();

  @Option(
      names = {"-i", "--iterations"},
      paramLabel = "<n>",
      description =
          "Timed runs. Default: as many as fit in a quarter of a second. Fewer than "
              + Distribution.FEWEST
              + " only try the operation: nothing is compiled in advance.")
  private @Nullable Integer iterations;

  @Option(
      names = "--callers",
      paramLabel = "<who>",
      completionCandidates = Labels.OfCallers.class,
      description =
          "one (default): one thread runs the whole group; threads: each rank has a thread, which"
              + " makes the rank's blocking calls; virtual: the same with virtual threads.")
  private Callers callers = Callers.ONE;

  @Option(
      names = "--trace",
      paramLabel = "<file>",
      description =
          "Traces runs after the timed ones and writes a file for ui.perfetto.dev. It has a"
              + " timeline of each rank as measured, and one as the model expects it.")
  private @Nullable Path trace;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  @Mixin private final ProcessOptions processOptions = new ProcessOptions();

  @Spec private CommandSpec command = CommandSpec.create();

  public RunCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    checkIterations();
    if (trace != null) {
      OutputFile.requireReplaceable(trace, "trace file");
    }
    Path file = requestOptions.target().planFile();
    if (file != null) {
      run(SavedPlan.read(file));
      return ExitCode.OK;
    }
    if (processOptions.areWanted()) {
      return launch();
    }
    Rte rte = processOptions.rte(hosts);
    requireNoTrace(rte.ranks() > 0);
    ProcessOptions.checkEarly(rte, requestOptions::check);
    try (RankServer server = RankServer.open(rte, terminal);
        HostUse host =
            server.serving(
                hostOptions.open(hosts, rte, requestOptions.target().operations(), terminal))) {
      run(host);
    }
    return ExitCode.OK;
  }

  private void run(HostUse host) {
    Topology topology = requestOptions.topology(host.context().rte().ranks());
    try (Group group = host.createGroup(topology, requestOptions.isShaped());
        ProgressLine progress = progress(host.context().rte().isLocal(0));
        CheckedRequest measured =
            new CheckedRequest(host.context(), group, spec(host, group), measurementOptions);
        Together together = Together.of(host.context(), measured)) {
      RunReport report = report(host, measured);
      JobRank job = together.job();
      if (job == null) {
        measure(measured, report, progress);
      } else {
        measure(measured, report, progress, together, job);
      }
    }
  }

  /** Runs the plan of a file in a host without plugins. */
  private void run(SavedPlan saved) {
    saved.requireAlone(command, "--seed");
    if (processOptions.areWanted() || processOptions.rte(hosts).ranks() > 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a plan file runs in one process; leave out --processes, or add --embedded in a job");
    }
    OperationSpec said = saved.spec();
    OperationSpec spec =
        said.with(
            said.options().withAlgorithm(SavedPlan.NAME).withDeadline(requestOptions.deadline()));
    try (HostUse host =
            hostOptions.openWithoutPlugins(
                hosts,
                builder -> {
                  builder.cclBufferSize(saved.cclBufferSize());
                  for (Operation operation : saved.operations()) {
                    builder.algorithm(SavedPlan.NAME, saved.executor(operation));
                  }
                });
        Group group = host.createGroup(spec.topology());
        ProgressLine progress = progress(true);
        CheckedRequest measured =
            new CheckedRequest(host.context(), group, spec, measurementOptions)) {
      measured.reportAs(saved.algorithms().getFirst());
      measure(measured, report(host, measured), progress);
    }
  }

  private RunReport report(HostUse host, CheckedRequest measured) {
    String network = host.context().networkOrigin();
    return new RunReport(measured, measurementOptions, terminal, network);
  }

  private ProgressLine progress(boolean isAlone) {
    return new ProgressLine(terminal, isAlone);
  }

  private OperationSpec spec(HostUse host, Group group) {
    RequestName name = host.name(requestOptions.target(), terminal);
    return requestOptions.spec(name, host.context().rte().ranks()).at(group.topology());
  }

  private int launch() {
    processOptions.check(hostOptions, callers);
    requireNoTrace(true);
    requestOptions.check(0);
    int ranks = requestOptions.topology(0).rankSize();
    return new JobLauncher(terminal)
        .run(ranks, ProcessOptions.arguments(command, ranks, requestOptions.isShaped()));
  }

  private void requireNoTrace(boolean isJob) {
    if (isJob && trace != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--trace shows runs of one process, but this job has several; leave out --processes or"
              + " --trace");
    }
  }

  private void checkIterations() {
    if (iterations != null && iterations < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--iterations must be 1 or more. Actual: %d", iterations);
    }
  }

  /** Measures as one of the ranks, each of which is a process. */
  private void measure(
      CheckedRequest measured,
      RunReport report,
      ProgressLine progress,
      Together together,
      JobRank job) {
    JobTimer timer = new JobTimer(job, measured, Waiting.system());
    progress.show("verifying");
    together.verify(timer::runOnce, measurementOptions.seed());
    if (together.isReporter()) {
      report.printFirst();
    }
    warmKernel(measured, progress, JobTimer.perProcessor(measured.ranks()));
    Distribution micros;
    if (iterations == null) {
      timer.warmUp(WARM_UP_OF_PROCESSES);
      micros = timer.micros(TIMED, null);
    } else {
      Supplier<Optional<Distribution>> soFar =
          () -> together.isReporter() ? timer.soFar() : Optional.empty();
      try (OnInterrupt _ = report.onInterrupt(Callers.PROCESSES, soFar)) {
        micros = timer.micros(iterations);
      }
    }
    progress.show("verifying");
    together.verify(timer::runOnce, measurementOptions.seed() + 1);
    if (together.isReporter()) {
      report.printTimes(Callers.PROCESSES, micros);
      report.printEnd(null);
    }
  }

  /**
   * Measures, and verifies before and after on different data, so that the timed operation is known
   * to be correct.
   */
  private void measure(CheckedRequest measured, RunReport report, ProgressLine progress) {
    Waiting waiting = Waiting.system();
    Stopwatch stopwatch = new Stopwatch();
    OperationTimer timer =
        callers == Callers.ONE
            ? OperationTimer.ofRequest(measured.request(), stopwatch)
            : new RankTimer(measured.group(), measured.blockingCalls(), callers, waiting);
    progress.show("verifying");
    measured.verify(timer::runOnce, measurementOptions.seed());
    report.printFirst();
    warmKernel(measured, progress, 1);
    Distribution micros;
    if (iterations == null) {
      timer.warmUp(callers == Callers.ONE ? WARM_UP : WARM_UP_OF_THREADS);
      micros = timer.micros(TIMED, null);
    } else if (callers == Callers.ONE) {
      micros = micros(measured.request(), iterations, stopwatch, report, progress);
    } else {
      micros = timer.micros(iterations);
    }
    progress.show("verifying");
    RunTrace ran = trace == null ? null : LastTraces.median(measured, callers, TRACED, waiting);
    measured.verify(timer::runOnce, measurementOptions.seed() + 1);
    if (trace != null && ran != null) {
      RunTrace expected = measured.request().expectedTrace();
      OutputFile.replace("--trace", trace, file -> TraceFile.write(ran, expected, file));
    }
    report.printTimes(callers, micros);
    report.printEnd(trace);
  }

  /** Compiles the kernel, unless so few runs follow that their times mean little. */
  private void warmKernel(CheckedRequest measured, ProgressLine progress, int perProcessor) {
    progress.show("warming up");
    if (iterations == null || iterations >= Distribution.FEWEST || trace != null) {
      measured.warmKernel(KERNEL_WARM_UP.multipliedBy(perProcessor));
    }
  }

  private static Distribution micros(
      Request request, int runs, Stopwatch stopwatch, RunReport report, ProgressLine progress) {
    IntConsumer afterRun =
        done -> {
          if (progress.isDue()) {
            progress.show(done, runs, "timed runs");
          }
        };
    try (OnInterrupt _ = report.onInterrupt(Callers.ONE, stopwatch::soFar)) {
      return stopwatch.micros(request, runs, afterRun);
    }
  }
}
