package dev.tutti.cli.tune.network;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.tune.network.LinkProbe.Pair;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkFile;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Sharing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures the links between the ranks of a job over MPI, and writes the network model that chooses
 * algorithms and that simulations use. It measures three things: a link inside a machine, a link
 * between two machines, and the bandwidth of all ranks of a machine together through its network
 * card. Reductions and copies have the costs of the built-in model of a cluster. The model has the
 * topology of the job.
 */
public final class NetworkTuning {

  private static final String LEVEL0 = CommPlane.LEVEL0.label();
  private static final String LEVEL1 = CommPlane.LEVEL1.label();
  private static final String UPLINK = "nodeUplink";

  private static final long[] SIZES = {8, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20};

  /** The bytes of a message that is long enough to saturate a network card. */
  private static final long[] LONG_SIZE = {4 << 20};

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;

  public NetworkTuning(Terminal terminal, boolean isJson, CsvFile csv) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
  }

  /** Links of one kind: the pairs that use them at the same time, and their messages. */
  private record Link(String name, List<Pair> pairs, long[] sizes) {}

  /**
   * Measures for a time, and fits. All processes of the job call this together; the one with rank 0
   * reports.
   *
   * @param file the file for the model; null if it is only shown
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if the job is on one machine
   */
  public void run(HostUse host, Duration budget, @Nullable Path file) {
    Context context = host.context();
    Topology topology =
        context
            .jobTopology()
            .orElseThrow(
                () ->
                    new TuttiException(
                        ErrorCode.INVALID_STATE,
                        "this job has no network to measure: all its %d ranks are on one machine,"
                            + " or the ranks of a machine do not follow each other; start it on"
                            + " several machines, or without a launcher to measure this machine",
                        context.rte().ranks()));
    try (Group group = context.createGroup(topology);
        JobRank job = new JobRank(context, group, 0, null)) {
      List<MeasuredLink> measured = measure(group, job, linksOf(topology), budget);
      if (job.isReporter()) {
        new NetworkReport(terminal, isJson, csv).print(measured);
        csv.write();
        if (file != null) {
          write(model(measured, topology), file);
        }
      }
    }
  }

  private static List<Link> linksOf(Topology topology) {
    int inFirst = topology.nodeSize(0);
    List<Link> links = new ArrayList<>();
    if (inFirst > 1) {
      links.add(new Link(LEVEL0, List.of(new Pair(0, 1)), SIZES));
    }
    // The ranks of the second machine follow those of the first one.
    links.add(new Link(LEVEL1, List.of(new Pair(0, inFirst)), SIZES));
    int pairs = Math.min(inFirst, topology.nodeSize(1));
    if (pairs > 1) {
      List<Pair> all = new ArrayList<>();
      for (int rank = 0; rank < pairs; rank++) {
        all.add(new Pair(rank, inFirst + rank));
      }
      links.add(new Link(UPLINK, all, LONG_SIZE));
    }
    return links;
  }

  private List<MeasuredLink> measure(Group group, JobRank job, List<Link> links, Duration budget) {
    int steps = links.stream().mapToInt(each -> 1 + each.sizes().length).sum();
    Duration share = budget.dividedBy(steps);
    LinkProbe probe = new LinkProbe(group, job, Clock.system());
    List<MeasuredLink> measured = new ArrayList<>();
    int done = 0;
    try (ProgressLine progress = new ProgressLine(terminal, job.isReporter())) {
      for (Link link : links) {
        List<LinkSample> samples = new ArrayList<>();
        progress.show(done++, steps, "warming up " + link.name());
        LinkSample ignored = probe.time(link.pairs(), link.sizes()[0], share);
        for (long bytes : link.sizes()) {
          progress.show(done++, steps, "measuring " + link.name());
          samples.add(probe.time(link.pairs(), bytes, share));
        }
        if (job.isReporter()) {
          measured.add(MeasuredLink.of(link.name(), link.pairs().size(), samples));
        }
      }
    }
    return measured;
  }

  private static NetworkModel model(List<MeasuredLink> measured, Topology topology) {
    NetworkModel usual = NetworkModel.cluster();
    MeasuredLink between = of(LEVEL1, measured).orElseThrow();
    return NetworkModel.builder()
        .topology(topology)
        .sharing(Sharing.MAX_MIN)
        .level(
            CommPlane.LEVEL0,
            of(LEVEL0, measured)
                .map(each -> each.fit().terms())
                .orElse(usual.level(CommPlane.LEVEL0)))
        .level(CommPlane.LEVEL1, between.fit().terms().withOwnPort(true))
        .nodeUplink(of(UPLINK, measured).orElse(between).perByte())
        .reduction(usual.reduction())
        .copy(usual.copy())
        .build();
  }

  private static Optional<MeasuredLink> of(String name, List<MeasuredLink> measured) {
    return measured.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private void write(NetworkModel model, Path file) {
    OutputFile.replace("--output", file, target -> target.print(NetworkFile.text(model)));
    if (!isJson) {
      terminal.out().println("wrote " + file + "; use it with --network " + file);
    }
  }
}
