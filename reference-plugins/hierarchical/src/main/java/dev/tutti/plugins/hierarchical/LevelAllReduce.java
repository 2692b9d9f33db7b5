package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.plugins.template.MeshStages;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * All-reduce by levels: a reduce-scatter over the mesh of each node, an all-reduce of each lane,
 * and an all-gather over the mesh of each node. A lane consists of the ranks with the same number
 * in all nodes ({@link Lanes}). Between nodes, a rank sends only the bytes of its slice.
 *
 * <p>The vector is cut into segments. The main stream works inside the node and a slave stream
 * works between nodes. So a lane reduces one segment while the node scatters the next and gathers
 * the previous one.
 */
abstract class LevelAllReduce extends NativeExecutorBase<AllReduceParam> {

  private static final int MAX_NODE_SIZE = 512;

  /** READY of odd segments, because two segments may be in progress. */
  private static final int READY_TOO = Link.PAIRED_NOTIFIES;

  /** The notifies of {@code fork} and {@code join} come first. */
  private static final int SCATTERED = 2;

  private static final int REDUCED = 4;

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT);
  }

  @Override
  public Support supports(AllReduceParam param) {
    Topology topology = param.comm().topology();
    int largest = IntStream.range(0, topology.nodeCount()).map(topology::nodeSize).max().orElse(1);
    return Support.when(
        largest <= MAX_NODE_SIZE,
        "takes nodes of up to %d ranks, for a full mesh has p² links. Actual: %d"
            .formatted(MAX_NODE_SIZE, largest));
  }

  private static boolean isPulled(AllReduceParam param) {
    return param.comm().protocol(CommPlane.LEVEL0) == Protocol.DIRECT;
  }

  private static boolean hasSegments(AllReduceParam param) {
    return Segments.of(param, maxCountPerRound(param)).size() > 1;
  }

  @Override
  protected int calcStreamNum(AllReduceParam param) {
    return hasSegments(param) && Lanes.of(param.comm()).isInLane() ? 1 : 0;
  }

  /**
   * For fork and join, and for two signals between the streams with one notify each for even and
   * for odd segments.
   */
  @Override
  protected int calcNotifyNum(AllReduceParam param, int streamNum) {
    return 6 * streamNum;
  }

  @Override
  protected long calcScratchMemSize(AllReduceParam param) {
    Lanes lanes = Lanes.of(param.comm());
    long perRound = maxCountPerRound(param);
    long slice = Math.max(ownSlice(param, perRound), ownSlice(param, param.count() % perRound));
    return MeshStages.slotBytes(isPulled(param), lanes.nodeSize(), slice);
  }

  /** The bytes of this rank's slice of the largest segment of a round. */
  private static long ownSlice(AllReduceParam param, long count) {
    Lanes lanes = Lanes.of(param.comm());
    int elementSize = param.dataType().size();
    long segment = Segments.of(param, count).getFirst().size() / elementSize;
    return lanes.slices(segment, elementSize).get(lanes.local()).size();
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    Lanes lanes = Lanes.of(param.comm());
    TransportMemType output = outputMemType(param);
    int ready = hasSegments(param) && isPulled(param) ? 1 : 0;
    OpCommTransport.Builder links =
        OpCommTransport.builder(param.comm())
            .notifyNum(Link.PAIRED_NOTIFIES + ready)
            .pairs(
                CommPlane.LEVEL0,
                MeshStages.operandType(isPulled(param), inputMemType(param)),
                output,
                lanes.peersInNode())
            .notifyNum(Link.PAIRED_NOTIFIES);
    if (lanes.isInLane()) {
      addLinksOfLane(links, lanes, output);
    }
    return links.build();
  }

  /** Requests the links over which this rank's lane is all-reduced. */
  abstract void addLinksOfLane(
      OpCommTransport.Builder links, Lanes lanes, TransportMemType memType);

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    List<Slice> segments = Segments.of(param, mem.count());
    boolean isInLane = Lanes.of(param.comm()).isInLane();
    Stream main = mem.resources().mainStream();
    if (segments.size() == 1) {
      MeshStages stages = stages(param, mem, segments.getFirst());
      stages.reduceScatter(param.dataType(), param.reduceOp(), Link.READY);
      if (isInLane) {
        reduceInLane(param, mem, main, stages);
      }
      stages.allGather();
    } else if (isInLane) {
      main.fork(mem.resources().slaveStreams());
      runOverlapped(param, mem, segments);
      main.join(mem.resources().slaveStreams());
    } else {
      runOverlapped(param, mem, segments);
    }
  }

  private static MeshStages stages(AllReduceParam param, ExecMem mem, Slice segment) {
    int elementSize = param.dataType().size();
    return new MeshStages(
        new Mesh(mem.resources().subComm(CommPlane.LEVEL0), mem.resources().mainStream()),
        isPulled(param),
        mem.input().slice(segment),
        mem.output().slice(segment),
        Lanes.of(param.comm()).slices(segment.size() / elementSize, elementSize),
        mem.scratch());
  }

  /*
   * Why no signal is lost. Each of the two signals between the streams, "scattered" and "reduced",
   * has one notify for even and one for odd segments. The main stream posts "scattered" of segment
   * s + 2 after it has awaited "reduced" of s. The slave posted that after it had awaited
   * "scattered" of s. The slave posts "reduced" of s + 2 after it has awaited "scattered" of s + 2.
   * The main stream posted that after it had awaited "reduced" of s. READY over direct links
   * alternates in the same way, because the main stream gathers segment s before it scatters s + 2.
   */

  /** Scatters one segment ahead, so that the node has work while a lane reduces a segment. */
  private void runOverlapped(AllReduceParam param, ExecMem mem, List<Slice> segments) {
    for (int i = 0; i < segments.size(); i++) {
      MeshStages stages = stages(param, mem, segments.get(i));
      stages.reduceScatter(param.dataType(), param.reduceOp(), i % 2 == 0 ? Link.READY : READY_TOO);
      if (Lanes.of(param.comm()).isInLane()) {
        reduceOnSlave(param, mem, stages, i);
      }
      if (i > 0) {
        gather(param, mem, segments, i - 1);
      }
    }
    gather(param, mem, segments, segments.size() - 1);
  }

  private void reduceOnSlave(AllReduceParam param, ExecMem mem, MeshStages stages, int segment) {
    List<Notify> notifies = mem.resources().notifies();
    Stream slave = mem.resources().slaveStreams().getFirst();
    mem.resources().mainStream().post(notifies.get(SCATTERED + segment % 2));
    slave.await(notifies.get(SCATTERED + segment % 2));
    reduceInLane(param, mem, slave, stages);
    slave.post(notifies.get(REDUCED + segment % 2));
  }

  private static void gather(AllReduceParam param, ExecMem mem, List<Slice> segments, int segment) {
    if (Lanes.of(param.comm()).isInLane()) {
      mem.resources().mainStream().await(mem.resources().notifies().get(REDUCED + segment % 2));
    }
    stages(param, mem, segments.get(segment)).allGather();
  }

  private void reduceInLane(AllReduceParam param, ExecMem mem, Stream stream, MeshStages stages) {
    DeviceMem result = stages.result();
    if (result.size() > 0) {
      reduceInLane(param, mem.resources(), stream, result);
    }
  }

  /**
   * All-reduces this rank's slice of a segment with the other nodes.
   *
   * @param result the slice, one element or more, which has the operand of this node
   */
  abstract void reduceInLane(
      AllReduceParam param, AlgResourceResponse resources, Stream stream, DeviceMem result);

  @Override
  public final Optional<Cost> cost(AllReduceParam param) {
    long perRound = maxCountPerRound(param);
    if (hasSegments(param) || !Lanes.of(param.comm()).haveAllRanks()) {
      return Optional.empty();
    }
    return costOfLane(param)
        .map(lane -> new LevelCost(param, isPulled(param), lane).ofRounds(perRound));
  }

  /** The cost of the work between nodes; empty if it has no closed form. */
  abstract Optional<LevelCost.OfLane> costOfLane(AllReduceParam param);

  /** Each element is reduced once, in an order that depends on its place, and then copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
