package dev.tutti.simulator;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.json.JsonWriter;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.simulator.flow.FlatPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The result of simulating a plan. Times are in picoseconds, from the moment when all ranks enter
 * the operation. Immutable and thread-safe.
 */
public final class Simulation {

  private static final int LISTED = 12;

  private final FlatPlan plan;
  private final Network network;
  private final @Nullable Workload workload;
  private final long[] rankFinish;
  private final int steps;
  private final Traffic traffic;

  Simulation(FlatPlan plan, Network network, @Nullable Workload workload, Engine engine) {
    this.plan = plan;
    this.network = network;
    this.workload = workload;
    this.rankFinish = engine.rankFinish();
    this.steps = engine.steps();
    this.traffic = Traffic.of(plan, network);
  }

  /** The plan. */
  public GroupPlan plan() {
    return plan.plan();
  }

  /** The model. */
  public NetworkModel model() {
    return network.model();
  }

  /** The operation, if it was given. */
  public Optional<Workload> workload() {
    return Optional.ofNullable(workload);
  }

  /** The time at which the last rank has finished. */
  public long time() {
    return Arrays.stream(rankFinish).max().orElse(0);
  }

  /** The time at which a rank has finished, including all its streams. */
  public long rankFinish(int rank) {
    return rankFinish[rank];
  }

  /**
   * The messages on the longest chain of dependent actions. An action that combines sources of
   * several ranks is one step.
   */
  public int steps() {
    return steps;
  }

  /** Bytes and messages per rank, pair and level. */
  public Traffic traffic() {
    return traffic;
  }

  /**
   * The actions that determine the time, from the first to the last. Each waited for the one
   * before: on its stream, through a notify, at a port or at a reducing unit. Simulates once more,
   * because a simulation does not keep single actions.
   */
  public List<PathStep> criticalPath() {
    CausalLog log = new CausalLog();
    Engine engine = replay(log);
    return log.pathTo(engine.lastRecord(), plan.streams());
  }

  /** Receives the actions of a simulation. */
  @FunctionalInterface
  public interface ActionVisitor {

    /**
     * An action that moves or combines data, or an await.
     *
     * @param ref the action; streams of nested plans are numbered after those of the plan
     * @param isAwait whether it waits for a signal
     * @param from when it begins, in picoseconds
     * @param to when it ends
     */
    void action(ActionRef ref, boolean isAwait, long from, long to);
  }

  /**
   * Visits the actions of the author with their start and end; those of one stream come in order.
   * Simulates once more, because a simulation does not keep single actions.
   */
  public void forEachAction(ActionVisitor visitor) {
    Arguments.require(visitor, "visitor");
    Engine _ = replay(new ActionLog(plan, visitor));
  }

  /** Runs once more and reports every event to a log. */
  Engine replay(EngineLog log) {
    Engine engine = new Engine(plan, network, log);
    engine.run();
    return engine;
  }

  Network network() {
    return network;
  }

  FlatPlan flatPlan() {
    return plan;
  }

  /**
   * The operation's bytes divided by the time, in bytes per second.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no operation was given
   */
  public double algorithmBandwidth() {
    long time = time();
    return time == 0 ? 0 : required().bytes() / (time * 1e-12);
  }

  /**
   * The bus bandwidth in bytes per second, as nccl-tests define it; an optimal algorithm reaches
   * the bandwidth of a port. It is the algorithm bandwidth times 2(p-1)/p for all-reduce, (p-1)/p
   * for all-gather, reduce-scatter, all-to-all, gather and scatter, and 1 for others.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no operation was given
   */
  public double busBandwidth() {
    return algorithmBandwidth() * required().busFactor();
  }

  /**
   * The least time for the operation in this model.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no operation was given
   */
  public long lowerBound() {
    return LowerBound.time(required(), network);
  }

  /**
   * The time divided by the lower bound, 1 or more; 1 if both are 0, infinite if only the bound is.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no operation was given
   */
  public double boundRatio() {
    long bound = lowerBound();
    long time = time();
    return bound == 0 ? (time == 0 ? 1 : Double.POSITIVE_INFINITY) : (double) time / bound;
  }

  private Workload required() {
    if (workload == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "bandwidths and bounds need the operation; simulate the plan together with its request");
    }
    return workload;
  }

  /**
   * The results of the plan and of each rank, without links and critical path, as one JSON object.
   */
  public String toJson() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.open('{').name("plan").value(plan().name()).name("ranks").value(rankFinish.length);
    json.name("timePs").value(time()).name("steps").value(steps);
    json.name("messages").value(traffic.messages()).name("bytes").value(traffic.bytes());
    if (workload != null) {
      json.name("operation").value(workload.operation().label());
      json.name("operationBytes").value(workload.bytes());
      json.name("algorithmBytesPerSecond").value(algorithmBandwidth());
      json.name("busBytesPerSecond").value(busBandwidth());
      json.name("lowerBoundPs").value(lowerBound());
      if (Double.isFinite(boundRatio())) {
        json.name("timesLowerBound").value(boundRatio());
      }
    }
    json.name("levels").open('{');
    for (CommPlane level : NetworkModel.LEVELS) {
      json.name(level.label()).value(traffic.bytes(level));
    }
    json.close('}').name("perRank").open('[');
    for (int rank = 0; rank < rankFinish.length; rank++) {
      json.open('{').name("finishPs").value(rankFinish[rank]);
      json.name("bytesIn").value(traffic.bytesIn(rank));
      json.name("bytesOut").value(traffic.bytesOut(rank));
      json.name("messagesIn").value(traffic.messagesIn(rank));
      json.name("messagesOut").value(traffic.messagesOut(rank)).close('}');
    }
    json.close(']').close('}').finish();
    return text.toString();
  }

  /**
   * A report as text: a summary, the first ranks, and the end of the critical path. Neighbouring
   * ranks with the same numbers share a row.
   */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    lines.add(plan().name() + " on " + network.topology() + " ranks");
    lines.add(row("time", TimeText.time(time())));
    if (workload != null) {
      String ratio = String.format(Locale.ROOT, "%.2f", boundRatio());
      lines.add(row("lower bound", TimeText.time(lowerBound()) + ", " + ratio + " times that"));
      lines.add(row("algorithm bandwidth", TimeText.bandwidth(algorithmBandwidth())));
      lines.add(row("bus bandwidth", TimeText.bandwidth(busBandwidth())));
    }
    lines.add(row("steps", Integer.toString(steps)));
    lines.add(row("messages", traffic.messages() + ", " + traffic.bytes() + " bytes"));
    for (CommPlane level : NetworkModel.LEVELS) {
      if (network.isUsed(NetworkModel.LEVELS.indexOf(level))) {
        lines.add(row("  across " + level.label(), traffic.bytes(level) + " bytes"));
      }
    }
    addRanks(lines);
    addPath(lines);
    return lines.toString();
  }

  private static String row(String name, String value) {
    return "  %-22s%s".formatted(name, value);
  }

  private void addRanks(StringJoiner lines) {
    lines.add(
        "  %6s %12s %14s %14s %10s %10s"
            .formatted("rank", "finish", "bytes in", "bytes out", "msgs in", "msgs out"));
    int rank = 0;
    for (int rows = 0; rows < LISTED && rank < rankFinish.length; rows++) {
      int end = rank + 1;
      while (end < rankFinish.length && areAlike(rank, end)) {
        end++;
      }
      lines.add(
          "  %6s %12s %14d %14d %10d %10d"
              .formatted(
                  end == rank + 1 ? rank : rank + "…" + (end - 1),
                  TimeText.time(rankFinish[rank]),
                  traffic.bytesIn(rank),
                  traffic.bytesOut(rank),
                  traffic.messagesIn(rank),
                  traffic.messagesOut(rank)));
      rank = end;
    }
    if (rank < rankFinish.length) {
      lines.add("  … " + (rankFinish.length - rank) + " ranks more");
    }
  }

  /** Whether the rows of two ranks have the same numbers. */
  private boolean areAlike(int rank, int other) {
    return TimeText.time(rankFinish[rank]).equals(TimeText.time(rankFinish[other]))
        && traffic.bytesIn(rank) == traffic.bytesIn(other)
        && traffic.bytesOut(rank) == traffic.bytesOut(other)
        && traffic.messagesIn(rank) == traffic.messagesIn(other)
        && traffic.messagesOut(rank) == traffic.messagesOut(other);
  }

  private void addPath(StringJoiner lines) {
    List<PathStep> path = new ArrayList<>(criticalPath());
    lines.add("  critical path, " + path.size() + " actions");
    int skipped = Math.max(0, path.size() - LISTED);
    if (skipped > 0) {
      lines.add("    … " + skipped + " before");
    }
    path.subList(skipped, path.size()).forEach(step -> lines.add("    " + step));
  }
}
