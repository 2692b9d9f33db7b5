package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * Pairwise all-to-all: in step k, every rank sends its block for the k-th rank on its right, and
 * receives one from the k-th rank on its left. At any time each rank sends one block and receives
 * one.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for p ranks and
 * blocks of m bytes: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "pairwise",
    summary = "One block out and one in at a time: no rank is overloaded, for long blocks",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "(p-1)(α + mβ) for blocks of m bytes")
public final class PairwiseAllToAll extends NativeExecutorBase<AllToAllParam> {

  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    Blocks blocks = new Blocks(mem.resources().subComm(CommPlane.COMBINED), mem);
    blocks.copyOwn(stream);
    for (int distance = 1; distance < param.comm().rankSize(); distance++) {
      Exchange.of(blocks.toRight(distance), blocks.fromLeft(distance)).run(stream);
    }
  }

  @Override
  public Optional<Cost> cost(AllToAllParam param) {
    double others = param.comm().rankSize() - 1;
    double block = param.countPerRank() * param.dataType().size();
    return Optional.of(new Cost(others * rounds(param), others * block, 0));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
