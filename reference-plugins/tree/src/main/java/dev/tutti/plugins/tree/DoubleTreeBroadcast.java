package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Double binary tree broadcast: each of two trees carries half of the vector in segments. A rank
 * that sends in one tree only receives in the other, so all ranks send and receive at the same
 * time.
 *
 * <p>Over RDMA links, the edges of the trees have two colours, and the colours take turns ({@link
 * TwoTreeSchedule}), so that no rank ever sends or receives two segments at once. Over direct
 * links, ranks send as soon as they can. A segment goes to both children while it is in the cache,
 * because caches matter more than ports there.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35(12), 2009. Cost for p ranks, n bytes, s segments of
 * each half, and {@code f < 2⌈log2(p)⌉} steps before the last rank gets its first segment: {@code
 * (2s + f - 1)(α + n/(2s)·β)} over RDMA links, or a little less if ranks are idle in the first and
 * in the last steps. Over direct links, messages that meet wait for each other; it takes at most
 * {@code (2(s+d) - 3)α + (8/5 + (d-1)/s)·nβ}, d = ⌈log2(p)⌉. The plan shows the exact cost.
 */
@CollAlgorithm(
    name = "double-binary-tree",
    summary = "Two trees with half of the vector each: few steps and full bandwidth at once",
    source = "Sanders, Speck, Träff: Two-tree algorithms, Parallel Computing 35(12), 2009",
    formula =
        "(2s+f-1)(α + n/(2s)·β) over RDMA links, for s segments of each half and f < 2d steps until"
            + " all have one; at most (2(s+d)-3)α + (8/5+(d-1)/s)·nβ over direct links, d ="
            + " ⌈log2(p)⌉")
public final class DoubleTreeBroadcast extends NativeExecutorBase<BroadcastParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  /** If flows run freely, the second tree has its own stream. */
  @Override
  protected int calcStreamNum(BroadcastParam param) {
    return isFree(param) && trees(param) == 2 ? 1 : 0;
  }

  private static boolean isFree(BroadcastParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /** The number of trees: none for a single rank, and one for a single element. */
  private static int trees(BroadcastParam param) {
    return param.comm().rankSize() == 1 ? 0 : (int) Math.min(2, maxCountPerRound(param));
  }

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    TransportMemType output = outputMemType(param);
    for (int tree = 0; tree < trees(param); tree++) {
      TreeSeat.of(param.comm(), param.root(), tree == 1)
          .requestLinks(links, param.comm(), tree, output, output);
    }
    return links.build();
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    boolean isRoot = param.comm().rank() == param.root();
    DeviceMem data = isRoot ? mem.input() : mem.output();
    List<List<Slice>> segments = segments(param).of(mem.count());
    if (isFree(param)) {
      runFreely(param, mem, data, segments);
    } else {
      List<SubCommInfo> links = links(mem.resources(), trees(param));
      Push push = new Push(mem.resources().mainStream());
      TwoTreeSeat seat = TwoTreeSeat.of(param.comm(), param.root());
      new TwoTreeDescent(seat, links, push, data, mem.output()).run(segments);
    }
    if (isRoot && !mem.inPlace()) {
      mem.resources().mainStream().copy(mem.output(), mem.input());
    }
  }

  private static List<SubCommInfo> links(AlgResourceResponse resources, int trees) {
    return IntStream.range(0, trees)
        .mapToObj(tree -> resources.subComm(CommPlane.COMBINED, tree))
        .toList();
  }

  private static void runFreely(
      BroadcastParam param, ExecMem mem, DeviceMem data, List<List<Slice>> segments) {
    Stream main = mem.resources().mainStream();
    List<Stream> slaves = mem.resources().slaveStreams();
    main.fork(slaves);
    for (int tree = 0; tree < trees(param); tree++) {
      TreeSeat seat = TreeSeat.of(param.comm(), param.root(), tree == 1);
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED, tree);
      new Relay(
              new Push(tree == 0 ? main : slaves.getFirst()),
              TreeSeat.links(comm, seat.parents()),
              TreeSeat.links(comm, seat.children()))
          .run(data, mem.output(), segments.get(tree));
    }
    main.join(slaves);
  }

  private static TwoTreeSegments segments(BroadcastParam param) {
    int ranks = param.comm().rankSize();
    int hops =
        isFree(param)
            ? 1 + new DoubleTree(ranks, false).depth()
            : new TwoTreeSchedule(ranks).hops();
    return TwoTreeSegments.of(param, hops, param.dataType());
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
