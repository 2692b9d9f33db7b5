package dev.tutti.sdk;

import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;
import java.util.Optional;

/**
 * One algorithm for one operation. It declares the resources it needs and emits its actions.
 *
 * <p>Implementations are stateless and thread-safe, and every method is a pure function of its
 * arguments: no fields that change, no I/O, no clocks, no threads, no randomness. The host calls
 * them for any rank, in any order, as often as it likes, and expects equal answers for equal
 * arguments. An executor never sees data: memory is a handle, and the emitted actions run later,
 * any number of times.
 *
 * <p>The host finds subclasses with {@link java.util.ServiceLoader}; annotate them with {@link
 * CollAlgorithm}. The operation follows from {@code P}, which a subclass must fix to one record.
 *
 * @param <P> the parameter record of the operation, for example {@code AllReduceParam}
 */
public abstract class CollExecutorBase<P extends OpParam> {

  /** For subclasses. */
  protected CollExecutorBase() {}

  /**
   * Whether this algorithm accepts a request. It may look only at values that are the same on every
   * rank (operation, counts, type, reduction, topology, mode, protocol and options), never at the
   * rank.
   *
   * @param param the request, as any one of the ranks sees it
   * @return yes unless overridden
   */
  public Support supports(P param) {
    Arguments.require(param, "param");
    return Support.yes();
  }

  /**
   * The resources that this rank needs to run a request: streams, notifies, memory and links.
   *
   * @param param a supported request, as this rank sees it
   * @return the resources; exactly those that {@link #orchestrate} uses
   */
  public abstract AlgResourceRequest calcResRequest(P param);

  /**
   * Emits the actions of this rank, on the streams and links of {@code resources}.
   *
   * <p>When the last action of the main stream is done, this rank's output is complete and no peer
   * reads its input or writes its output any more.
   *
   * @param param a supported request, as this rank sees it
   * @param resources the resources that {@link #calcResRequest} requested
   */
  public abstract void orchestrate(P param, AlgResourceResponse resources);

  /**
   * The cost under the plain model. If counts differ between ranks, it is the cost that this rank's
   * own counts imply; {@link #groupCost} is the cost for all ranks.
   *
   * @param param a supported request
   * @return empty by default, which means that the cost is derived from the plan
   */
  public Optional<Cost> cost(P param) {
    Arguments.require(param, "param");
    return Optional.empty();
  }

  /**
   * The cost under the plain model of an operation whose counts differ between ranks. The ranks
   * wait for one another, so the cost depends on all their counts.
   *
   * @param params a supported request as each rank sees it, in rank order; never empty
   * @return the cost of the first rank by default
   */
  public Optional<Cost> groupCost(List<P> params) {
    Arguments.require(params, "params");
    return cost(params.getFirst());
  }

  /** The parameters of this algorithm; their values are in {@link OpParam#options()}. */
  public List<AlgParameter<?>> parameters() {
    return List.of();
  }

  /** This algorithm's promise about the bits of its results; SAME_RUNS by default. */
  public Determinism determinism() {
    return Determinism.SAME_RUNS;
  }
}
