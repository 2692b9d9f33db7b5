package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.RingReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Optional;

/**
 * Hierarchical all-reduce in three stages: a reduce-scatter over the mesh of each node, an
 * all-reduce around the ring of each lane, and an all-gather over the mesh of each node. A lane
 * consists of the ranks with the same number in all nodes ({@link Lanes}). Between nodes, a rank
 * sends only the bytes of its slice. The ranks of a node work on one segment of the vector while
 * the lanes work on another.
 *
 * <p>Source: HCCL's two-level all-reduce; the lanes are those of J. L. Träff, S. Hunold,
 * "Decomposing MPI collectives for exploiting multi-lane communication", IEEE Cluster, 2020. Cost
 * for k nodes of m ranks, direct links inside nodes, and one segment of n bytes: {@code (m +
 * 2(k-1))α + (2(m-1)/m + 2(k-1)/(km))·nβ + ((m-1)/m + (k-1)/(km))·nγ}. There is no closed form for
 * segments that overlap, or for nodes of different sizes, because their messages wait for each
 * other at ports.
 */
@CollAlgorithm(
    name = "hierarchical",
    summary = "Mesh inside nodes, rings between them, overlapped: few bytes between nodes",
    source = "HCCL two-level all-reduce; Träff, Hunold: Multi-lane communication, CLUSTER 2020",
    formula = "(m+2(k-1))α + (2(m-1)/m + 2(k-1)/(km))·nβ + ((m-1)/m + (k-1)/(km))·nγ")
public final class HierarchicalAllReduce extends LevelAllReduce {

  @Override
  void addLinksOfLane(OpCommTransport.Builder links, Lanes lanes, TransportMemType memType) {
    int nodes = lanes.topology().nodeCount();
    int node = lanes.topology().nodeOf(lanes.rank());
    links.subComm(
        Lanes.plane(),
        1,
        lanes.members(),
        memType,
        memType,
        (node + nodes - 1) % nodes,
        (node + 1) % nodes);
  }

  @Override
  void reduceInLane(
      AllReduceParam param, AlgResourceResponse resources, Stream stream, DeviceMem result) {
    int elementSize = param.dataType().size();
    List<Slice> slices =
        Slice.partition(
            result.size() / elementSize, param.comm().topology().nodeCount(), elementSize);
    TemplateParam work =
        new TemplateParam(stream, result, result, slices, param.dataType(), param.reduceOp());
    SubCommInfo lane = resources.subComm(Lanes.plane(), 1);
    new RingReduceScatter().run(lane, work);
    new RingAllGather().run(lane, work);
  }

  @Override
  Optional<LevelCost.OfLane> costOfLane(AllReduceParam param) {
    Topology topology = param.comm().topology();
    long others = topology.nodeCount() - 1L;
    int elementSize = param.dataType().size();
    return Optional.of(
        slice -> {
          long part = LevelCost.largestPart(slice, topology.nodeCount(), elementSize);
          return new Cost(2 * others, 2 * others * part, others * part);
        });
  }
}
