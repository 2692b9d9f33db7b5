package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Double binary tree broadcast: each of two trees carries half of the vector in segments, and a
 * rank that sends in one of them only gets in the other, so all ranks send and get at once.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35(12), 2009. Cost for p ranks, n bytes, s segments of
 * each half and {@code d = ⌈log2(p)⌉}: at most {@code (2(s+d)-3)α + (8/5 + (d-1)/s)·nβ}. There,
 * ranks send in steps of a fixed order; here they send when they can, and where both trees bring a
 * rank a segment at once, one waits, which has no closed form: {@code nβ} is the least. So no cost
 * is declared; that of the plan counts.
 */
@CollAlgorithm(
    name = "double-binary-tree",
    summary = "Two trees with half of the vector each: few steps and full bandwidth at once",
    source = "Sanders, Speck, Träff: Two-tree algorithms, Parallel Computing 35(12), 2009",
    formula =
        "at most (2(s+d)-3)α + (8/5+(d-1)/s)·nβ for s segments of each half, d = ⌈log2(p)⌉; never"
            + " below nβ")
public final class DoubleTreeBroadcast extends NativeExecutorBase<BroadcastParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  /** The second tree has a stream of its own. */
  @Override
  protected int calcStreamNum(BroadcastParam param) {
    return trees(param) == 2 ? 1 : 0;
  }

  /** A rank alone needs no tree, and a single element one. */
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
    Stream main = mem.resources().mainStream();
    List<Stream> slaves = mem.resources().slaveStreams();
    boolean isRoot = param.comm().rank() == param.root();
    main.fork(slaves);
    List<Slice> halves = Slice.partition(mem.count(), 2, param.dataType().size());
    for (int tree = 0; tree < trees(param); tree++) {
      DeviceMem data = isRoot ? mem.input() : mem.output();
      Slice half = halves.get(tree);
      if (half.size() > 0) {
        TreeSeat seat = TreeSeat.of(param.comm(), param.root(), tree == 1);
        SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED, tree);
        new Relay(
                new Push(tree == 0 ? main : slaves.getFirst()),
                TreeSeat.links(comm, seat.parents()),
                TreeSeat.links(comm, seat.children()))
            .run(data.slice(half), mem.output().slice(half), segments(param, half));
      }
    }
    main.join(slaves);
    if (isRoot && !mem.inPlace()) {
      main.copy(mem.output(), mem.input());
    }
  }

  private static List<Slice> segments(BroadcastParam param, Slice half) {
    int hops = 1 + new DoubleTree(param.comm().rankSize(), false).depth();
    return Segments.of(param, param.messageBytes() / 2, hops)
        .of(half.size() / param.dataType().size(), param.dataType());
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
