package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllReduceParam;
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
 * Double binary tree all-reduce: each of two trees reduces half of the vector to its top and
 * broadcasts the result down again, segment by segment.
 *
 * <p>Over RDMA links, all segments go up before any comes down. The edges of the trees have two
 * colours, and the colours take turns ({@link TwoTreeSchedule}), so that no rank ever sends or
 * receives two segments at once. Over direct links, both directions run at once, and ranks send as
 * soon as they can. A rank combines a segment in one pass and sends it down while it is in the
 * cache, because caches matter more than ports there.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35(12), 2009; NCCL since 2.4. Cost for p ranks, n bytes,
 * s segments of each half, and {@code f < 2⌈log2(p)⌉} steps before the last rank gets its first
 * segment: {@code (2s + f - 1)(2α + n/(2s)·(2β + γ))} over RDMA links, or a little less if ranks
 * are idle in the first and in the last steps. Over direct links, messages that meet wait for each
 * other; it takes at most {@code (2s + 3d + 2)α + (9/2 + 2(d-1)/s)·nβ + (1 + (d-1)/s)·nγ}, d =
 * ⌈log2(p)⌉.
 */
@CollAlgorithm(
    name = "double-binary-tree",
    summary = "Up and down two trees with half of the vector each: few steps for many ranks",
    source = "Sanders, Speck, Träff: Two-tree algorithms, Parallel Computing 35(12), 2009; NCCL",
    formula =
        "(2s+f-1)(2α + n/(2s)·(2β+γ)) over RDMA links, for s segments of each half and f < 2d steps"
            + " until all have one; at most (2s+3d+2)α + (9/2+2(d-1)/s)·nβ + (1+(d-1)/s)·nγ over"
            + " direct links, d = ⌈log2(p)⌉")
public final class DoubleTreeAllReduce extends NativeExecutorBase<AllReduceParam> {

  private static final int TOP = 0;

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  private static boolean isFree(AllReduceParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /**
   * If flows run freely, each tree has one stream up and one down. At the top, it has only one,
   * which sends segments back down.
   */
  @Override
  protected int calcStreamNum(AllReduceParam param) {
    if (!isFree(param)) {
      return 0;
    }
    int streams = param.comm().rank() == TOP ? trees(param) : 2 * trees(param);
    return Math.max(0, streams - 1);
  }

  /** The number of trees: none for a single rank, and one for a single element. */
  private static int trees(AllReduceParam param) {
    return param.comm().rankSize() == 1 ? 0 : (int) Math.min(2, maxCountPerRound(param));
  }

  /** Flow 2t goes up tree t, flow 2t + 1 down. */
  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    TransportMemType input = inputMemType(param);
    TransportMemType output = outputMemType(param);
    for (int tree = 0; tree < trees(param); tree++) {
      TreeSeat seat = TreeSeat.of(param.comm(), TOP, tree == 1);
      seat.requestLinks(links, param.comm(), 2 * tree, input, output);
      seat.requestLinks(links, param.comm(), 2 * tree + 1, output, output);
    }
    return links.build();
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream main = mem.resources().mainStream();
    if (trees(param) == 0) {
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      return;
    }
    List<List<Slice>> segments = segments(param).of(mem.count());
    if (!isFree(param)) {
      runInSteps(param, mem, segments);
      return;
    }
    List<Stream> slaves = mem.resources().slaveStreams();
    main.fork(slaves);
    for (int tree = 0; tree < trees(param); tree++) {
      if (!segments.get(tree).isEmpty()) {
        run(param, mem, tree, segments.get(tree));
      }
    }
    main.join(slaves);
  }

  private static void runInSteps(AllReduceParam param, ExecMem mem, List<List<Slice>> segments) {
    Stream main = mem.resources().mainStream();
    TwoTreeSeat seat = TwoTreeSeat.of(param.comm(), TOP);
    ReduceFlow flow = new ReduceFlow(main, param.dataType(), param.reduceOp());
    new TwoTreeAscent(seat, links(param, mem, 0), flow, operand(mem), mem.output()).run(segments);
    new TwoTreeDescent(seat, links(param, mem, 1), new Push(main), mem.output(), mem.output())
        .run(segments);
  }

  /** The links of each tree in one direction: 0 is up, 1 is down. */
  private static List<SubCommInfo> links(AllReduceParam param, ExecMem mem, int direction) {
    return IntStream.range(0, trees(param))
        .mapToObj(tree -> mem.resources().subComm(CommPlane.COMBINED, 2 * tree + direction))
        .toList();
  }

  private static DeviceMem operand(ExecMem mem) {
    return mem.inPlace() ? mem.output() : mem.input();
  }

  private static void run(AllReduceParam param, ExecMem mem, int tree, List<Slice> segments) {
    TreeSeat seat = TreeSeat.of(param.comm(), TOP, tree == 1);
    SubCommInfo up = mem.resources().subComm(CommPlane.COMBINED, 2 * tree);
    SubCommInfo down = mem.resources().subComm(CommPlane.COMBINED, 2 * tree + 1);
    DeviceMem operand = operand(mem);
    DeviceMem result = mem.output();
    Stream streamUp = stream(mem, seat.isTop() ? tree : 2 * tree);
    Stream streamDown = stream(mem, seat.isTop() ? tree : 2 * tree + 1);
    Relay relay =
        new Relay(
            new Push(streamDown),
            TreeSeat.links(down, seat.parents()),
            TreeSeat.links(down, seat.children()));
    Confluence confluence =
        new Confluence(
            new ReduceFlow(streamUp, param.dataType(), param.reduceOp()),
            TreeSeat.links(up, seat.children()),
            seat.children().stream().map(child -> offeredType(param, seat.at(child))).toList());
    if (seat.isTop()) {
      confluence.run(operand, result, segments, sum -> relay.send(sum, sum));
    } else {
      confluence.run(
          operand,
          seat.isLeaf() ? operand : result,
          segments,
          up.link(seat.parents().getFirst()),
          outputMemType(param));
      relay.run(result, result, segments);
    }
  }

  /** Leaves offer their operand, others a partial result. */
  private static TransportMemType offeredType(AllReduceParam param, TreeSeat seat) {
    return seat.isLeaf() && !isKernelInPlace(param) ? inputMemType(param) : outputMemType(param);
  }

  /** The main stream, or a slave. */
  private static Stream stream(ExecMem mem, int number) {
    return number == 0
        ? mem.resources().mainStream()
        : mem.resources().slaveStreams().get(number - 1);
  }

  private static TwoTreeSegments segments(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    int hops =
        isFree(param)
            ? 1 + 2 * new DoubleTree(ranks, false).depth()
            : new TwoTreeSchedule(ranks).hops();
    return TwoTreeSegments.of(param, hops, param.dataType());
  }

  /** The place of an element, and so its tree, depends on the count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
