package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.RingReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Optional;

/**
 * All-reduce in five stages over three levels: a reduce-scatter over the mesh of each node, a
 * reduce-scatter around the ring of each lane in a pod, an all-reduce around the ring of the ranks
 * with the same place in all pods, and the two all-gathers back. A lane consists of the ranks with
 * the same number in all nodes ({@link Lanes}). Between pods, a rank sends only the bytes of a
 * slice of its lane's slice, and all its pod's ranks do so at the same time. The ranks of a node
 * work on one segment of the vector while the lanes work on another.
 *
 * <p>In pods with more nodes than the smallest one, the nodes behind its size own no slice: they
 * give their operands to the owners in their pod, and get the result from them.
 *
 * <p>Source: HCCL's executors for three levels (mesh, ring, ring). Cost for p pods of k nodes of m
 * ranks, direct links inside nodes, and one segment of n bytes: {@code (m + 2(k-1) + 2(p-1))α +
 * (2(m-1)/m + 2(k-1)/(km) + 2(p-1)/(pkm))·nβ}, and half as much γ as β between ranks. There is no
 * closed form for segments that overlap, or for nodes or pods of different sizes.
 */
@CollAlgorithm(
    name = "three-level",
    summary = "Mesh inside nodes, rings inside pods and between them: few bytes between pods",
    source = "HCCL three-level all-reduce",
    formula =
        "(m+2(k-1)+2(p-1))α + (2(m-1)/m + 2(k-1)/(km) + 2(p-1)/(pkm))·nβ + ((m-1)/m +"
            + " (k-1)/(km) + (p-1)/(pkm))·nγ",
    shapes = {"2+2|2+2", "1+1|1+1|1+1", "2+1|2", "3+2+2|2+2", "1|1|1"})
public final class ThreeLevelAllReduce extends LevelAllReduce {

  @Override
  public Support supports(AllReduceParam param) {
    return param.comm().topology().podCount() < 2
        ? Support.no("needs two pods or more, as 'hierarchical' does the same in one")
        : super.supports(param);
  }

  @Override
  void addLinksOfLane(OpCommTransport.Builder links, Lanes lanes, TransportMemType memType) {
    links.ring(CommPlane.LEVEL1, memType, memType);
    if (lanes.nodeInPod() < lanes.nodesOfSmallestPod()) {
      links.ring(CommPlane.LEVEL2, memType, memType);
    }
  }

  @Override
  void reduceInLane(
      AllReduceParam param, AlgResourceResponse resources, Stream stream, DeviceMem result) {
    Lanes lanes = Lanes.of(param.comm());
    int elementSize = param.dataType().size();
    List<Slice> slices = lanes.slicesInPod(result.size() / elementSize, elementSize);
    TemplateParam inPod =
        new TemplateParam(stream, result, result, slices, param.dataType(), param.reduceOp());
    SubCommInfo lane = resources.subComm(CommPlane.LEVEL1);
    new RingReduceScatter().run(lane, inPod);
    DeviceMem own = result.slice(slices.get(lanes.nodeInPod()));
    if (own.size() > 0) {
      int pods = lanes.topology().podCount();
      List<Slice> parts = Slice.partition(own.size() / elementSize, pods, elementSize);
      TemplateParam betweenPods =
          new TemplateParam(stream, own, own, parts, param.dataType(), param.reduceOp());
      SubCommInfo across = resources.subComm(CommPlane.LEVEL2);
      new RingReduceScatter().run(across, betweenPods);
      new RingAllGather().run(across, betweenPods);
    }
    new RingAllGather().run(lane, inPod);
  }

  @Override
  Optional<LevelCost.OfLane> costOfLane(AllReduceParam param) {
    Topology topology = param.comm().topology();
    if (!topology.isUniform()) {
      return Optional.empty();
    }
    long otherNodes = topology.podSize(0) - 1L;
    long otherPods = topology.podCount() - 1L;
    int elementSize = param.dataType().size();
    return Optional.of(
        slice -> {
          long inPod = LevelCost.largestPart(slice, topology.podSize(0), elementSize);
          long between = LevelCost.largestPart(inPod, topology.podCount(), elementSize);
          return new Cost(
              2 * otherNodes + 2 * otherPods,
              2 * otherNodes * inPod + 2 * otherPods * between,
              otherNodes * inPod + otherPods * between);
        });
  }
}
