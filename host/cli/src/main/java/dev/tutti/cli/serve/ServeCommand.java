package dev.tutti.cli.serve;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.ControlHandler;
import dev.tutti.cli.control.ControlServer;
import dev.tutti.cli.host.EngineOptions;
import dev.tutti.cli.host.HostNews;
import dev.tutti.cli.host.HostSearch;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveContext;
import dev.tutti.cli.host.LiveHost;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.host.PluginPlaceOptions;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.job.RankServer;
import dev.tutti.cli.launch.JobLauncher;
import dev.tutti.cli.launch.ProcessOptions;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestShape;
import dev.tutti.cli.terminal.EndOfProcess;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.LinePrinter;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a host that keeps working while its plugins change. */
@Command(
    name = "serve",
    description = {
      "Runs a host that keeps working while plugins are added, replaced and removed.",
      "",
      "When a jar appears in the plugins directory, the host checks, admits and serves it. When a"
          + " jar is replaced or removed, the host drains and unloads it. The host prints each"
          + " change. 'tutti plugins', 'tutti status' and other commands with --live use this"
          + " host."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti serve",
      "  tutti serve --plugins my-plugins --load allreduce --ranks 4 --bytes 64K",
      "  tutti serve --require-signed --trust trusted-keys",
      "  tutti serve --load allreduce --metrics 9464",
      "  tutti serve --processes --ranks 4 --load allreduce --rate 100",
      "  tutti serve --stop"
    })
public final class ServeCommand implements Callable<Integer>, LiveTarget {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final long POLL_NANOS = 20_000_000;
  private static final int DEFAULT_FLIGHT = 64;

  private final Terminal terminal;
  private final Hosts hosts;
  private final Function<LiveHost, ControlHandler> commands;

  @Mixin private final PluginPlaceOptions placeOptions = new PluginPlaceOptions();

  @Option(
      names = "--require-signed",
      description = "Serves only plugins that are signed with a key of the --trust file.")
  private boolean isSignedRequired;

  @Option(names = "--trust", paramLabel = "<file>", description = "The file of trusted keys.")
  private @Nullable Path trust;

  @Mixin private final EngineOptions engine = new EngineOptions();

  @Option(
      names = "--flight",
      paramLabel = "<n>",
      description =
          "How many of the last operations of each group and rank the host keeps for 'tutti status"
              + " --flight'; 0 keeps none. Default: the environment variable TUTTI_FLIGHT, or 64.")
  private @Nullable Integer flight;

  @Option(
      names = "--metrics",
      paramLabel = "<[host:]port>",
      converter = MetricsAddress.Converter.class,
      description =
          "Serves metrics at http://127.0.0.1:<port>/metrics in the OpenMetrics format. To serve"
              + " other machines, name an address too: 0.0.0.0:9464. Port 0 selects a free port."
              + " Default: no metrics.")
  private @Nullable MetricsAddress metrics;

  @Option(
      names = "--stop",
      description = "Waits for the running commands, ends the host, and returns when it has ended.")
  private boolean isStop;

  @Option(
      names = "--load",
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      description =
          "Runs an operation again and again, and verifies it every second. The options below"
              + " belong to it.")
  private @Nullable RequestName load;

  @Option(
      names = "--rate",
      paramLabel = "<n>",
      description =
          "The maximum number of runs of the load per second, not counting verified runs. Default:"
              + " no limit.")
  private @Nullable Integer rate;

  @Mixin private final RequestShape shape = new RequestShape();

  @Mixin private final ProcessOptions processOptions = new ProcessOptions();

  @Spec private CommandSpec command = CommandSpec.create();

  /**
   * Makes the command.
   *
   * @param commands the command line within a host that serves
   */
  public ServeCommand(Terminal terminal, Hosts hosts, Function<LiveHost, ControlHandler> commands) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.commands = commands;
  }

  @Override
  public Where where() {
    return isStop ? Where.SERVED : Where.HERE;
  }

  @Override
  public @Nullable Path state(Hosts hosts) {
    return placeOptions.state(hosts);
  }

  @Override
  public Integer call() {
    Session session = hosts.session();
    if (session != null) {
      session.host().stop();
      terminal.out().println("stopping");
      return ExitCode.OK;
    }
    checkTrust();
    checkRate();
    if (processOptions.areWanted()) {
      return launch();
    }
    Rte rte = processOptions.rte(hosts);
    OperationSpec spec = load == null ? null : shape.spec(load, rte.ranks());
    PluginPlaces places = placeOptions.places(hosts);
    CountDownLatch stop = new CountDownLatch(1);
    // Only ranks other than 0 are interrupted: rank 0 ends its own wait, and the processes that it
    // has started.
    AtomicReference<@Nullable Thread> joining =
        new AtomicReference<>(isFirst(rte) ? null : Thread.currentThread());
    Runnable stopper =
        () -> {
          stop.countDown();
          Thread waiting = joining.get();
          if (waiting != null) {
            waiting.interrupt();
          }
        };
    try (LinePrinter printer = new LinePrinter(terminal.out());
        EndOfProcess end = new EndOfProcess(stopper)) {
      serve(rte, places, spec, stop, joining, printer);
      if (isFirst(rte)) {
        printer.println("stopped");
      }
      if (!printer.finish()) {
        // A normal exit would wait for the reader.
        end.now(ExitCode.ENVIRONMENT);
      }
      end.succeeded();
    }
    return ExitCode.OK;
  }

  /** Starts a process for each rank, and ends all of them when this process has to end. */
  private int launch() {
    int ranks = shape.ranks();
    if (load != null) {
      OperationSpec _ = shape.spec(load);
    }
    JobLauncher launcher = JobLauncher.ofHosts(terminal);
    try (EndOfProcess end = new EndOfProcess(launcher::stop)) {
      int exitCode =
          launcher.run(ranks, ProcessOptions.arguments(command, ranks, shape.isShaped()));
      if (exitCode == ExitCode.OK) {
        end.succeeded();
      }
      return exitCode;
    }
  }

  private static boolean isFirst(Rte rte) {
    return rte.isLocal(0);
  }

  private ContextBuilder builder() {
    ContextBuilder builder = hosts.builders().get();
    engine.applyTo(builder);
    builder.defaultFlight(DEFAULT_FLIGHT);
    if (flight != null) {
      builder.flight(flight);
    }
    return builder;
  }

  /** Serves until it has to stop. The first rank accepts the commands for all ranks. */
  private void serve(
      Rte rte,
      PluginPlaces places,
      @Nullable OperationSpec spec,
      CountDownLatch stop,
      AtomicReference<@Nullable Thread> joining,
      LinePrinter printer) {
    HostNews news = new HostNews(printer, InstantSource.system());
    try (RankServer rank = RankServer.open(rte, terminal, stop::countDown);
        LiveContext live = open(rte, places, news);
        LiveHost host = new LiveHost(live, places, news, stop);
        MetricsServer measuring =
            metrics != null && isFirst(rte)
                ? MetricsServer.open(metrics.socket(), () -> HostMetrics.of(host))
                : null;
        ControlServer server =
            isFirst(rte)
                ? ControlServer.open(places.state(), commands.apply(host), host.refused())
                : null) {
      joining.set(null);
      rank.serving(live.context());
      live.context().onJobEnd(stop::countDown);
      work(host, spec);
      if (measuring != null) {
        printer.println("metrics at " + measuring.url());
      }
      if (server != null) {
        printer.println(ready(host, server));
      }
      host.awaitStop();
      live.context().endJob();
    }
  }

  private LiveContext open(Rte rte, PluginPlaces places, HostNews news) {
    ContextBuilder builder = Hosts.in(rte, builder());
    return isFirst(rte)
        ? new HostSearch()
            .untilFree(places.state(), () -> hosts.opener().open(builder, places, trust, news))
        : hosts.opener().open(builder, places, trust, news);
  }

  private void work(LiveHost host, @Nullable OperationSpec spec) {
    host.context().ruleNotes().forEach(note -> host.tell("rules: " + note));
    if (spec != null) {
      host.startLoad(spec, rate == null ? 0 : rate);
    }
  }

  private static String ready(LiveHost host, ControlServer server) {
    PluginPlaces places = host.places();
    return Sentence.of(
        "serving %s from %s (pid %d); stop it with Ctrl-C, or with 'tutti serve --stop --state %s'",
        Text.count(host.context().planPool().algorithms().size(), "algorithm"),
        places.plugins(),
        server.pid(),
        places.state());
  }

  private void checkTrust() {
    if (isSignedRequired != (trust != null)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--require-signed and --trust go together; %s",
          isSignedRequired ? "name the file of trusted keys" : "add --require-signed");
    }
  }

  private void checkRate() {
    if (rate == null) {
      return;
    }
    if (load == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--rate says how often the load runs, but there is no load; add --load");
    }
    if (rate < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--rate must be at least 1, actual: %d", rate);
    }
  }

  /** Waits until the host, which is already stopping, has ended. */
  @Override
  public void afterwards(long pid) {
    if (pid == ProcessHandle.current().pid()) {
      return;
    }
    boolean hasEnded =
        Clock.system()
            .awaitUntil(
                () -> ProcessHandle.of(pid).filter(ServeCommand::isRunning).isEmpty(),
                STOP_LIMIT.toNanos(),
                POLL_NANOS);
    if (!hasEnded) {
      throw new TuttiException(
          ErrorCode.DEADLINE_EXCEEDED,
          "process %d was asked to stop, but still runs after %d s",
          pid,
          STOP_LIMIT.toSeconds());
    }
    terminal.out().println("stopped");
  }

  /**
   * Whether a process is running. A zombie, whose parent has not reaped it yet, counts as alive for
   * the system, but has no command.
   */
  private static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}
