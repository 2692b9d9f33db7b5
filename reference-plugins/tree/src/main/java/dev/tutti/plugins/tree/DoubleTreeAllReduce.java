package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Double binary tree all-reduce: each of two trees reduces half of the vector to its top and
 * broadcasts the result down again, segment by segment, so that both directions of both trees are
 * busy at once.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35(12), 2009; NCCL since 2.4. Cost for p ranks, n bytes,
 * s segments of each half and {@code d = ⌈log2(p)⌉}: at most {@code (2s + 3d + 2)α + (9/2 +
 * 2(d-1)/s)·nβ + (1 + (d-1)/s)·nγ}. Ranks send when they can, and where several flows meet in a
 * rank, they wait for one another, which has no closed form: {@code 2nβ} is the least. So no cost
 * is declared; that of the plan counts.
 */
@CollAlgorithm(
    name = "double-binary-tree",
    summary = "Up and down two trees with half of the vector each: few steps for many ranks",
    source = "Sanders, Speck, Träff: Two-tree algorithms, Parallel Computing 35(12), 2009; NCCL",
    formula =
        "at most (2s+3d+2)α + (9/2+2(d-1)/s)·nβ + (1+(d-1)/s)·nγ for s segments of each half,"
            + " d = ⌈log2(p)⌉; never below 2nβ + nγ")
public final class DoubleTreeAllReduce extends NativeExecutorBase<AllReduceParam> {

  private static final int TOP = 0;

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  /** Each tree has a stream up and one down, but for the top, which turns segments round. */
  @Override
  protected int calcStreamNum(AllReduceParam param) {
    int streams = param.comm().rank() == TOP ? trees(param) : 2 * trees(param);
    return Math.max(0, streams - 1);
  }

  /** A rank alone needs no tree, and a single element one. */
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
    List<Stream> slaves = mem.resources().slaveStreams();
    if (trees(param) == 0 && !mem.inPlace()) {
      main.copy(mem.output(), mem.input());
    }
    main.fork(slaves);
    List<Slice> halves = Slice.partition(mem.count(), 2, param.dataType().size());
    for (int tree = 0; tree < trees(param); tree++) {
      if (halves.get(tree).size() > 0) {
        run(param, mem, tree, halves.get(tree));
      }
    }
    main.join(slaves);
  }

  private static void run(AllReduceParam param, ExecMem mem, int tree, Slice half) {
    TreeSeat seat = TreeSeat.of(param.comm(), TOP, tree == 1);
    SubCommInfo up = mem.resources().subComm(CommPlane.COMBINED, 2 * tree);
    SubCommInfo down = mem.resources().subComm(CommPlane.COMBINED, 2 * tree + 1);
    DeviceMem operand = (mem.inPlace() ? mem.output() : mem.input()).slice(half);
    DeviceMem result = mem.output().slice(half);
    List<Slice> segments = segments(param, half);
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

  private static List<Slice> segments(AllReduceParam param, Slice half) {
    int hops = 1 + 2 * new DoubleTree(param.comm().rankSize(), false).depth();
    return Segments.of(param, param.messageBytes() / 2, hops)
        .of(half.size() / param.dataType().size(), param.dataType());
  }

  /** The place of an element, and so its tree, depends on the count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
