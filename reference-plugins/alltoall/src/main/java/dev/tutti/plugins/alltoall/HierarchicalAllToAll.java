package dev.tutti.plugins.alltoall;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Hierarchical all-to-all: each rank forwards the blocks of its whole node to some ranks of the
 * other nodes. If all nodes have the same size, these are its counterparts, which have the same
 * number in their nodes ({@link Carriers}). First, the rank gathers the blocks for these ranks
 * inside its node. Then it sends each of them all its blocks in one message. These blocks are
 * adjacent in the output, so nothing is left to scatter.
 *
 * <p>Source: HCCL's staged all-to-all; J. L. Träff, A. Rougier, "MPI collectives and datatypes for
 * hierarchical all-to-all communication", EuroMPI, 2014. Cost for k nodes of m ranks and blocks of
 * b bytes: {@code (m-1)(α + kbβ) + (k-1)(α + mbβ)}; there is no closed form for nodes of different
 * sizes, whose messages wait for each other at ports. Scratch memory holds the gathered blocks and
 * the longest message.
 */
@CollAlgorithm(
    name = "hierarchical",
    summary = "Gathers in the node what goes to one rank: one message from each node to each rank",
    source = "HCCL staged all-to-all; Träff, Rougier: Hierarchical all-to-all, EuroMPI 2014",
    formula = "(m-1)(α + kbβ) + (k-1)(α + mbβ) for k nodes of m ranks and blocks of b bytes")
public final class HierarchicalAllToAll extends NativeExecutorBase<AllToAllParam> {

  @Override
  protected long calcScratchMemSize(AllToAllParam param) {
    Carriers carriers = new Carriers(param.comm().topology());
    int rank = param.comm().rank();
    long blocks = carriers.gathered(rank) + carriers.longest(rank);
    return blocks * maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    Topology topology = param.comm().topology();
    Carriers carriers = new Carriers(topology);
    int rank = param.comm().rank();
    int node = topology.nodeOf(rank);
    IntStream destinations = carriers.destinations(rank).stream().mapToInt(Integer::intValue);
    IntStream sources =
        IntStream.range(0, topology.nodeCount()).map(from -> carriers.carrier(from, rank));
    int[] outside =
        IntStream.concat(destinations, sources)
            .filter(peer -> topology.nodeOf(peer) != node)
            .toArray();
    return OpCommTransport.builder(param.comm())
        .mesh(CommPlane.LEVEL0, TransportMemType.SCRATCH, TransportMemType.SCRATCH)
        .subComm(
            CommPlane.LEVEL1,
            1,
            RankList.range(topology.rankSize()),
            TransportMemType.SCRATCH,
            outputMemType(param),
            outside)
        .build();
  }

  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    CarriedBlocks blocks =
        new CarriedBlocks(
            new Carriers(param.comm().topology()),
            param.comm().rank(),
            mem,
            mem.count() * param.dataType().size());
    blocks.gather();
    blocks.deliver();
  }

  /** A closed form for nodes of equal sizes; in others, messages share ports. */
  @Override
  public Optional<Cost> cost(AllToAllParam param) {
    Topology topology = param.comm().topology();
    if (!new Carriers(topology).isEven()) {
      return Optional.empty();
    }
    double others = topology.nodeSize(0) - 1;
    double otherNodes = topology.nodeCount() - 1;
    double blocks = others * topology.nodeCount() + otherNodes * topology.nodeSize(0);
    double block = param.countPerRank() * param.dataType().size();
    return Optional.of(new Cost((others + otherNodes) * rounds(param), blocks * block, 0));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
