package dev.tutti.testkit.simulate;

import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
import dev.tutti.testkit.flow.Walk;
import java.util.Arrays;
import java.util.List;

/**
 * The coefficients of a plan's time under the plain model, all three in one walk: each stream has a
 * clock for each term, and a signal carries the clocks of its sender.
 *
 * <p>Messages take no port while only α counts, so {@link #alphas} is right for every plan. The
 * other two are right if no two streams share a port or a reducing unit, and no action has several
 * messages: {@link #isAlone} says so. If not, whoever wants them must simulate.
 */
final class PlainCosts implements Walk.Visitor {

  private static final int NOBODY = -1;

  private final List<FlatStream> streams;
  private final long[] alpha;
  private final long[] beta;
  private final long[] gamma;
  private final long[] sentAlpha;
  private final long[] sentBeta;
  private final long[] sentGamma;

  /** The one stream that uses a rank's outgoing port, its incoming port, and its unit. */
  private final int[] sender;

  private final int[] receiver;
  private final int[] worker;
  private final long[] bytesOut;
  private final long[] bytesIn;
  private boolean isAlone = true;

  private PlainCosts(FlatPlan plan) {
    this.streams = plan.streams();
    int ranks = plan.plan().rankSize();
    this.alpha = new long[streams.size()];
    this.beta = new long[streams.size()];
    this.gamma = new long[streams.size()];
    this.sentAlpha = new long[plan.cellCount()];
    this.sentBeta = new long[plan.cellCount()];
    this.sentGamma = new long[plan.cellCount()];
    this.sender = nobody(ranks);
    this.receiver = nobody(ranks);
    this.worker = nobody(ranks);
    this.bytesOut = new long[ranks];
    this.bytesIn = new long[ranks];
  }

  private static int[] nobody(int ranks) {
    int[] users = new int[ranks];
    Arrays.fill(users, NOBODY);
    return users;
  }

  /** The costs of a plan that runs to its end. */
  static PlainCosts of(FlatPlan plan) {
    PlainCosts costs = new PlainCosts(plan);
    boolean isComplete = new Walk(plan, costs).run();
    costs.isAlone &= isComplete;
    return costs;
  }

  @Override
  public void data(int stream, int event) {
    FlatStream code = streams.get(stream);
    RankPlan plan = code.plan(event);
    int action = code.action(event);
    int dst = plan.dstRank(action);
    int sources = plan.sourceCount(action);
    long bytes = plan.bytes(action);
    int messages = 0;
    for (int i = 0; i < sources; i++) {
      int src = plan.srcRank(action, i);
      if (src != dst) {
        messages++;
        bytesOut[src] += bytes;
        bytesIn[dst] += bytes;
        use(sender, src, stream);
        use(receiver, dst, stream);
      }
    }
    if (messages > 0) {
      alpha[stream]++;
      beta[stream] += bytes;
      isAlone &= messages == 1;
    }
    if (Demand.combines(plan.kind(action), sources)) {
      gamma[stream] += Math.max(1, sources - 1) * bytes;
      use(worker, dst, stream);
    }
  }

  private void use(int[] users, int rank, int stream) {
    isAlone &= users[rank] == NOBODY || users[rank] == stream;
    users[rank] = stream;
  }

  @Override
  public void post(int stream, int event, int cell, int pending) {
    isAlone &= pending == 0;
    sentAlpha[cell] = alpha[stream];
    sentBeta[cell] = beta[stream];
    sentGamma[cell] = gamma[stream];
  }

  @Override
  public void await(int stream, int event, int cell, int postStream, int postEvent) {
    alpha[stream] = Math.max(alpha[stream], sentAlpha[cell]);
    beta[stream] = Math.max(beta[stream], sentBeta[cell]);
    gamma[stream] = Math.max(gamma[stream], sentGamma[cell]);
  }

  /** Whether nothing is shared, so that {@link #betaBytes} and {@link #gammaBytes} are right. */
  boolean isAlone() {
    return isAlone;
  }

  /** Messages on the longest chain. */
  long alphas() {
    return max(alpha);
  }

  /** Bytes that cross ports, on the chain where they are most. */
  long betaBytes() {
    return max(beta);
  }

  /** Bytes that are combined, on the chain where they are most. */
  long gammaBytes() {
    return max(gamma);
  }

  /** The bytes that leave or reach the rank with the most of them. */
  long busiestBytes() {
    return Math.max(max(bytesOut), max(bytesIn));
  }

  private static long max(long[] values) {
    long max = 0;
    for (long value : values) {
      max = Math.max(max, value);
    }
    return max;
  }
}
