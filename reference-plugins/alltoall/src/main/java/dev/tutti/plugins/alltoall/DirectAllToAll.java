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
import java.util.stream.IntStream;

/**
 * Direct all-to-all: all ranks signal that they are ready, then each moves its blocks as fast as it
 * can, and all signal that they are done. Over direct links, a rank loads its blocks from the
 * inputs of the others. Over RDMA links, it writes its blocks into their outputs.
 *
 * <p>Source: HCCL's full-mesh all-to-all. Cost for p ranks and blocks of m bytes: {@code (p-1)(α +
 * mβ)}, as {@link PairwiseAllToAll}, but no step waits for the slowest rank of the step before.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Every rank fetches its blocks between two barriers: no waiting in between",
    source = "HCCL full-mesh all-to-all",
    formula = "(p-1)(α + mβ) for blocks of m bytes")
public final class DirectAllToAll extends NativeExecutorBase<AllToAllParam> {

  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    Blocks blocks = new Blocks(mem.resources().subComm(CommPlane.COMBINED), mem);
    int ranks = param.comm().rankSize();
    Exchange exchange =
        new Exchange(
            IntStream.range(1, ranks).mapToObj(blocks::toRight).toList(),
            IntStream.range(1, ranks).mapToObj(blocks::fromLeft).toList());
    blocks.copyOwn(stream);
    exchange.run(stream);
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
