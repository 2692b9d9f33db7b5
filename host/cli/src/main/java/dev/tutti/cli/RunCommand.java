package dev.tutti.cli;

import dev.tutti.host.Group;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one operation, verifies it and shows how long it took. */
@Command(
    name = "run",
    description = "Runs an operation on all ranks, verifies every result and shows the times.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti run allreduce",
      "  tutti run allreduce --ranks 7 --count 1001 --type bfloat16 --op max --in-place",
      "  tutti run allreduce --algorithm ring --topology 8+4 --bytes 64K --mode op-base --json",
      "  tutti run send --src 1 --dst 3 --bytes 1M --protocol rdma"
    })
final class RunCommand implements Callable<Integer> {

  private static final Duration TIMED = Duration.ofMillis(250);
  private static final Duration WARM_UP = Duration.ofMillis(200);
  private static final Duration KERNEL_WARM_UP = Duration.ofSeconds(3);

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final RequestOptions requestOptions = new RequestOptions();
  @Mixin private final MeasurementOptions trialOptions = new MeasurementOptions();

  @Option(
      names = {"-i", "--iterations"},
      paramLabel = "<n>",
      description = "Timed runs. Default: as many as fit in a quarter of a second.")
  private @Nullable Integer iterations;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  RunCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    checkIterations();
    OperationSpec spec = requestOptions.spec();
    try (HostUse host = hostOptions.open(hosts, terminal);
        Group group = host.createGroup(spec.topology());
        MeasuredRequest measured = new MeasuredRequest(host.context(), group, spec, trialOptions)) {
      Measurement measurement = measure(measured);
      if (trialOptions.isJson()) {
        terminal.out().println(measurement.toJson());
      } else {
        RunReport.print(measurement, trialOptions, terminal);
      }
    }
    return ExitCode.OK;
  }

  private void checkIterations() {
    if (iterations != null && iterations < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--iterations must be 1 or more. Actual: %d", iterations);
    }
  }

  /** Verified before and after, on different data, so that what was timed is what is right. */
  private Measurement measure(MeasuredRequest measured) {
    Stopwatch stopwatch = new Stopwatch();
    measured.verify(trialOptions.seed());
    measured.warmKernel(KERNEL_WARM_UP);
    Times times;
    if (iterations == null) {
      stopwatch.warmUp(measured.request(), WARM_UP);
      times = stopwatch.time(measured.request(), TIMED, null);
    } else {
      times = stopwatch.time(measured.request(), iterations, null);
    }
    measured.verify(trialOptions.seed() + 1);
    return measured.measurement(times, Double.NaN, HopRange.UNKNOWN);
  }
}
