package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.util.List;

/**
 * An operation with a size, and lower bounds for all its algorithms.
 *
 * <p>The bounds hold for one message at a time through each port and for data that is moved and
 * combined, not compressed: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective
 * communication: theory, practice, and experience", Concurrency and Computation 19(13), 2007. The
 * bound of all-reduce in bytes follows from the 2(p-1) one-way messages that gossip among p needs
 * (F. Harary, A. Schwenk, "The communication problem on graphs and digraphs", 1974): see also P.
 * Patarasuk, X. Yuan, JPDC 69(2), 2009. Elements are not cut, so parts of them are rounded up.
 *
 * @param operation the operation
 * @param rankSize the number of ranks
 * @param bytes its size in bytes, from which bandwidths are computed: {@link OpParam#messageBytes}
 * @param busFactor the factor from the algorithm bandwidth to the bus bandwidth, as nccl-tests
 *     define it
 * @param minSteps the least messages on the longest chain, if a rank sends one at a time
 * @param minBytes the least bytes that some rank must send or receive
 * @param minReducedBytes the least bytes that some rank must combine
 */
public record Workload(
    Operation operation,
    int rankSize,
    long bytes,
    double busFactor,
    int minSteps,
    long minBytes,
    long minReducedBytes) {

  /** The workload of a request whose counts are the same on all ranks. */
  public static Workload of(OpParam param) {
    return of(List.of(param));
  }

  /**
   * The workload of an operation.
   *
   * @param params the request as each rank sees it, or as one rank does; if each rank knows only
   *     its own counts, one view gives a weaker bound
   */
  public static Workload of(List<? extends OpParam> params) {
    if (params.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a workload needs the request of at least one rank");
    }
    OpParam first = params.getFirst();
    long minBytes = params.stream().mapToLong(LowerBound::bytes).max().orElse(0);
    boolean isEmpty = minBytes == 0;
    return new Workload(
        first.operation(),
        first.comm().rankSize(),
        params.stream().mapToLong(OpParam::messageBytes).max().orElse(0),
        LowerBound.busFactor(first),
        isEmpty ? 0 : LowerBound.steps(first),
        minBytes,
        LowerBound.reducedBytes(first));
  }

  /**
   * Whether the operation moves data but has none to move. The cost of such an operation is
   * irrelevant.
   */
  public boolean isEmpty() {
    return bytes == 0 && operation != Operation.BARRIER;
  }

  /** The least time in a model, in picoseconds: no plan takes less there. */
  public long minTime(NetworkModel model) {
    return LowerBound.time(this, new Network(model, rankSize));
  }
}
