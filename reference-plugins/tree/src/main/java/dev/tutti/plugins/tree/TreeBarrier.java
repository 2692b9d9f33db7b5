package dev.tutti.plugins.tree;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Tree barrier: every rank signals its parent when all ranks of its subtree have entered. When all
 * ranks have entered, the root sends a signal down the same tree. The children of rank r are ranks
 * k·r + 1 to k·r + k, for a fan-out of k.
 *
 * <p>Source: J. Mellor-Crummey, M. Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors", ACM Trans. Comput. Syst. 9(1), 1991. Cost for p ranks: {@code 2(p-1)} signals,
 * {@code 2⌈log_k(p)⌉} of them one after another; no messages.
 */
@CollAlgorithm(
    name = "tree",
    summary = "Up and down a tree: the fewest signals",
    source = "Mellor-Crummey, Scott: Algorithms for scalable synchronization, TOCS 9(1), 1991",
    formula = "2⌈log_k(p)⌉ signals in a row for a fan-out of k; no messages")
public final class TreeBarrier extends NativeExecutorBase<BarrierParam> {

  static final AlgParameter<Long> FAN_OUT =
      AlgParameter.integer("fan-out", "the most children of a rank", 4, 1, 1 << 16);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(FAN_OUT);
  }

  @Override
  protected OpCommTransport calcCommInfo(BarrierParam param) {
    int rank = param.comm().rank();
    int[] peers =
        IntStream.concat(
                rank == 0 ? IntStream.empty() : IntStream.of(parent(param)), children(param))
            .toArray();
    return OpCommTransport.pairs(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param), peers);
  }

  private static int parent(BarrierParam param) {
    return (int) ((param.comm().rank() - 1) / FAN_OUT.in(param.options()));
  }

  private static IntStream children(BarrierParam param) {
    long fanOut = FAN_OUT.in(param.options());
    long first = fanOut * param.comm().rank() + 1;
    long end = Math.min(first + fanOut, param.comm().rankSize());
    return IntStream.range((int) Math.min(first, end), (int) end);
  }

  /**
   * On each link, the two signals alternate: a rank enters the next barrier after it awaited FIN,
   * which its parent posted after it awaited READY.
   */
  @Override
  protected void kernelRun(BarrierParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    List<Link> children = children(param).mapToObj(comm::link).toList();
    children.forEach(child -> child.await(stream, Link.READY));
    if (comm.localRank() != 0) {
      comm.link(parent(param)).post(stream, Link.READY);
      comm.link(parent(param)).await(stream, Link.FIN);
    }
    children.forEach(child -> child.post(stream, Link.FIN));
  }

  @Override
  public Optional<Cost> cost(BarrierParam param) {
    return Optional.of(new Cost(0, 0, 0));
  }

  /** There is no data. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
