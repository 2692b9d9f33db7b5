package dev.tutti.sdk;

import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;
import java.util.Optional;

/**
 * One algorithm for one operation: it says what it needs and emits what it does.
 *
 * <p>Implementations are stateless and thread-safe, and every method is a pure function of its
 * arguments: no fields that change, no I/O, no clocks, no threads, no randomness. The host calls
 * them for any rank, in any order, as often as it likes, and expects equal answers for equal
 * arguments. An executor never sees data: memory is a handle, and the emitted actions run later,
 * any number of times.
 *
 * <p>Subclasses are found with {@link java.util.ServiceLoader}; annotate them with {@link
 * CollAlgorithm}. The operation follows from {@code P}, which a subclass must fix to one record.
 *
 * @param <P> the parameter record of the operation, for example {@code AllReduceParam}
 */
public abstract class CollExecutorBase<P extends OpParam> {

  /** For subclasses. */
  protected CollExecutorBase() {}

  /**
   * Whether this algorithm takes a request. It may look only at what is the same on every rank:
   * operation, counts, type, reduction, topology, mode, protocol and options; never at the rank.
   *
   * @param param the request, as any one of the ranks sees it
   * @return yes unless overridden
   */
  public Support supports(P param) {
    Arguments.require(param, "param");
    return Support.yes();
  }

  /**
   * What this rank needs to run a request: streams, notifies, memory and links.
   *
   * @param param a supported request, as this rank sees it
   * @return the resources; exactly those that {@link #orchestrate} uses
   */
  public abstract AlgResourceRequest calcResRequest(P param);

  /**
   * Emits what this rank does, on the streams and links of {@code resources}.
   *
   * <p>When the last action of the main stream is done, this rank's output is complete and no peer
   * reads its input or writes its output any more.
   *
   * @param param a supported request, as this rank sees it
   * @param resources what {@link #calcResRequest} asked for
   */
  public abstract void orchestrate(P param, AlgResourceResponse resources);

  /**
   * The cost under the plain model. Of an operation whose counts only the ranks themselves know, it
   * is what this rank's own counts imply; {@link #groupCost} is that of all ranks.
   *
   * @param param a supported request
   * @return empty unless overridden: then it is derived from the plan
   */
  public Optional<Cost> cost(P param) {
    Arguments.require(param, "param");
    return Optional.empty();
  }

  /**
   * The cost under the plain model, of an operation whose counts differ between ranks: they wait
   * for one another, so no rank alone can tell.
   *
   * @param params a supported request as each rank sees it, in rank order; never empty
   * @return that of the first rank unless overridden
   */
  public Optional<Cost> groupCost(List<P> params) {
    Arguments.require(params, "params");
    return cost(params.getFirst());
  }

  /** The parameters of this algorithm; their values come in {@link OpParam#options()}. */
  public List<AlgParameter<?>> parameters() {
    return List.of();
  }

  /** What this algorithm promises about the bits of its results. */
  public Determinism determinism() {
    return Determinism.SAME_RUNS;
  }
}
