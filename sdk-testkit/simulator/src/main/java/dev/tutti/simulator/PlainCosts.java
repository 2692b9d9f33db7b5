package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;
import java.util.List;

/**
 * The three coefficients of a plan's time under the plain model, from one walk. Each stream has a
 * clock for each term, and a signal carries the clocks of its sender.
 *
 * <p>If only α counts, messages hold no port, so {@link #alphas} is correct for every plan. The
 * other two are correct if no action has several messages, and none finds a port or a reducing unit
 * busy with another stream; {@link #isAlone} reports this. Otherwise, a caller that needs them must
 * simulate.
 */
final class PlainCosts implements Walk.Visitor {

  private static final int NOBODY = -1;

  private static final int ALPHA = 0;
  private static final int BETA = 1;
  private static final int GAMMA = 2;
  private static final int TERMS = 3;

  private final List<FlatStream> streams;
  private final Moves.Cursor moves;

  /** For each stream its clock for each term. */
  private final long[] clocks;

  /** For each cell the clocks of the stream that posted it last. */
  private final long[] sent;

  /*
   * A resource that only one stream uses is never busy, because a stream runs one action at a time.
   * For other resources, the walk records until when each port and unit is busy, on the clock of
   * the term that uses it. If every use starts no earlier than the end of the use before it in the
   * walk, no two uses overlap. Then no action waits for a port, and the clocks are those of a real
   * run.
   */
  private boolean isShared;

  private final long[] senderFree;
  private final long[] receiverFree;
  private final long[] workerFree;

  /** The one stream that uses a rank's outgoing port, its incoming port, and its unit. */
  private final int[] sender;

  private final int[] receiver;
  private final int[] worker;
  private final long[] bytesOut;
  private final long[] bytesIn;
  private boolean isAlone = true;

  /** The costs before a walk; the object must see one walk of the plan. */
  PlainCosts(FlatPlan plan, Moves moves) {
    this.streams = plan.streams();
    this.moves = moves.cursor();
    int ranks = plan.plan().rankSize();
    this.clocks = new long[Math.multiplyExact(streams.size(), TERMS)];
    this.sent = new long[Math.multiplyExact(plan.cellCount(), TERMS)];
    this.sender = nobody(ranks);
    this.receiver = nobody(ranks);
    this.worker = nobody(ranks);
    this.senderFree = new long[ranks];
    this.receiverFree = new long[ranks];
    this.workerFree = new long[ranks];
    this.bytesOut = new long[ranks];
    this.bytesIn = new long[ranks];
    PortUse ports = new PortUse();
    for (int rank = 0; rank < ranks; rank++) {
      plan.forEachAccess(rank, ports);
    }
  }

  private static int[] nobody(int ranks) {
    int[] users = new int[ranks];
    Arrays.fill(users, NOBODY);
    return users;
  }

  /** Finds the streams that use the ports and the units of the ranks, in any order. */
  private final class PortUse implements FlatPlan.AccessVisitor {

    /** The ranks of the sources of the current action. */
    private int[] sources = new int[4];

    private int count;

    @Override
    public void access(
        int stream, int event, int memory, long offset, long bytes, boolean isWrite) {
      int rank = FlatPlan.memoryRank(memory);
      if (!isWrite) {
        if (count == sources.length) {
          sources = Arrays.copyOf(sources, 2 * count);
        }
        sources[count++] = rank;
        return;
      }
      int messages = 0;
      for (int i = 0; i < count; i++) {
        int source = sources[i];
        if (source != rank) {
          messages++;
          bytesOut[source] += bytes;
          bytesIn[rank] += bytes;
          use(sender, source, stream);
          use(receiver, rank, stream);
        }
      }
      isAlone &= messages <= 1;
      FlatStream code = streams.get(stream);
      if (Demand.combines(code.plan(event).kind(code.action(event)), count)) {
        use(worker, rank, stream);
      }
      count = 0;
    }
  }

  @Override
  public void data(int stream, int event) {
    FlatStream code = streams.get(stream);
    RankPlan plan = code.plan(event);
    int action = code.action(event);
    long bytes = plan.bytes(action);
    long move = moves.next(stream);
    if (move == Moves.NONE) {
      addAny(stream, plan, action, bytes);
      return;
    }
    if (Moves.crosses(move)) {
      cross(stream, plan, action, 0, bytes);
    }
    if (Moves.reduces(move)) {
      combine(stream, plan, action, bytes);
    }
  }

  private void cross(int stream, RankPlan plan, int action, int source, long bytes) {
    clocks[stream * TERMS + ALPHA]++;
    long start = clocks[stream * TERMS + BETA];
    long end = start + bytes;
    if (isShared) {
      int from = plan.srcRank(action, source);
      int to = plan.dstRank(action);
      isAlone &= start >= Math.max(senderFree[from], receiverFree[to]);
      senderFree[from] = end;
      receiverFree[to] = end;
    }
    clocks[stream * TERMS + BETA] = end;
  }

  private void combine(int stream, RankPlan plan, int action, long bytes) {
    long start = clocks[stream * TERMS + GAMMA];
    long end = start + bytes;
    if (isShared) {
      int rank = plan.dstRank(action);
      isAlone &= start >= workerFree[rank];
      workerFree[rank] = end;
    }
    clocks[stream * TERMS + GAMMA] = end;
  }

  private void addAny(int stream, RankPlan plan, int action, long bytes) {
    int sources = plan.sourceCount(action);
    int remote = 0;
    while (remote < sources && plan.srcRank(action, remote) == plan.dstRank(action)) {
      remote++;
    }
    if (remote < sources) {
      cross(stream, plan, action, remote, bytes);
    }
    if (Demand.combines(plan.kind(action), sources)) {
      combine(stream, plan, action, Math.max(1, sources - 1) * bytes);
    }
  }

  private void use(int[] users, int rank, int stream) {
    isShared |= users[rank] != NOBODY && users[rank] != stream;
    users[rank] = stream;
  }

  @Override
  public void post(int stream, int event, int cell, int pending) {
    isAlone &= pending == 0;
    int from = stream * TERMS;
    int to = cell * TERMS;
    sent[to + ALPHA] = clocks[from + ALPHA];
    sent[to + BETA] = clocks[from + BETA];
    sent[to + GAMMA] = clocks[from + GAMMA];
  }

  @Override
  public void await(int stream, int event, int cell, int postStream, int postEvent) {
    int from = cell * TERMS;
    int to = stream * TERMS;
    clocks[to + ALPHA] = Math.max(clocks[to + ALPHA], sent[from + ALPHA]);
    clocks[to + BETA] = Math.max(clocks[to + BETA], sent[from + BETA]);
    clocks[to + GAMMA] = Math.max(clocks[to + GAMMA], sent[from + GAMMA]);
  }

  /** Notes that the walk has not finished, so a caller that needs the costs must simulate. */
  void distrust() {
    isAlone = false;
  }

  /**
   * Whether no stream waits for a shared resource, so that {@link #betaBytes} and {@link
   * #gammaBytes} are right.
   */
  boolean isAlone() {
    return isAlone;
  }

  /** Messages on the longest chain. */
  long alphas() {
    return max(clocks, ALPHA, TERMS);
  }

  /** Bytes that cross ports, on the chain with the most. */
  long betaBytes() {
    return max(clocks, BETA, TERMS);
  }

  /** Bytes that are combined, on the chain with the most. */
  long gammaBytes() {
    return max(clocks, GAMMA, TERMS);
  }

  /** The bytes that leave or reach the rank with the most of them. */
  long busiestBytes() {
    return Math.max(max(bytesOut, 0, 1), max(bytesIn, 0, 1));
  }

  /** The greatest of every {@code step}-th value. */
  private static long max(long[] values, int first, int step) {
    long max = 0;
    for (int at = first; at < values.length; at += step) {
      max = Math.max(max, values[at]);
    }
    return max;
  }
}
