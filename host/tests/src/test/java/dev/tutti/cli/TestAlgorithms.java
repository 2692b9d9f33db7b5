package dev.tutti.cli;

import dev.tutti.host.ContextBuilder;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/** The simplest algorithms, right and wrong ones. */
public final class TestAlgorithms {

  private TestAlgorithms() {}

  public static ContextBuilder addTo(ContextBuilder builder) {
    return builder
        .algorithm(new Gathering())
        .algorithm(new Forgetful())
        .algorithm(new Throwing())
        .algorithm(new Stuck())
        .algorithm(new StarBroadcast())
        .algorithm(new PlainSend())
        .algorithm(new PlainReceive());
  }

  /** Links to everybody. */
  private abstract static class Meshed<P extends OpParam> extends NativeExecutorBase<P> {

    @Override
    protected OpCommTransport calcCommInfo(P param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    static void barrier(SubCommInfo comm, Stream stream, int notify) {
      others(comm).forEach(peer -> comm.link(peer).post(stream, notify));
      others(comm).forEach(peer -> comm.link(peer).await(stream, notify));
    }

    static List<Integer> others(SubCommInfo comm) {
      return IntStream.range(0, comm.localRankSize())
          .filter(peer -> peer != comm.localRank())
          .boxed()
          .toList();
    }
  }

  /** Every rank reduces all inputs; right. */
  @CollAlgorithm(
      name = "gathering",
      summary = "Every rank reduces all inputs",
      source = "a test",
      formula = "α + (p-1)n(β + γ)")
  public static final class Gathering extends Meshed<AllReduceParam> {

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(AlgParameter.integer("pieces", "does nothing", 1, 1, 8));
    }

    @Override
    public Support supports(AllReduceParam param) {
      return Support.when(param.comm().protocol() == Protocol.DIRECT, "needs direct links");
    }

    @Override
    protected long calcScratchMemSize(AllReduceParam param) {
      return maxCountPerRound(param) * param.dataType().size();
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      Stream stream = mem.resources().mainStream();
      DeviceMem result = mem.scratch().slice(0, mem.output().size());
      List<DeviceMem> sources =
          IntStream.range(0, comm.localRankSize())
              .mapToObj(rank -> at(comm, rank, mem.input()))
              .toList();
      barrier(comm, stream, Link.READY);
      if (sources.size() == 1) {
        stream.copy(result, mem.input());
      } else {
        stream.reduceFrom(result, sources, param.dataType(), param.reduceOp());
      }
      barrier(comm, stream, Link.FIN);
      stream.copy(mem.output(), result);
    }

    private static DeviceMem at(SubCommInfo comm, int rank, DeviceMem mem) {
      return rank == comm.localRank()
          ? mem
          : comm.link(rank).remote(mem.type()).slice(mem.offset(), mem.size());
    }
  }

  /** Forgets the other ranks: wrong from two ranks on. */
  @CollAlgorithm(name = "forgetful", summary = "Copies the own input only")
  public static final class Forgetful extends NativeExecutorBase<AllReduceParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.none();
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      if (!mem.inPlace()) {
        mem.resources().mainStream().copy(mem.output(), mem.input());
      }
    }
  }

  /** Fails while it plans. */
  @CollAlgorithm(name = "throwing", summary = "Throws")
  static final class Throwing extends NativeExecutorBase<AllReduceParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.none();
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      throw new IllegalStateException("no idea how");
    }
  }

  /** Waits for a signal that no rank sends. */
  @CollAlgorithm(name = "stuck", summary = "Awaits what nobody posts")
  static final class Stuck extends Meshed<AllReduceParam> {

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      others(comm).forEach(peer -> comm.link(peer).await(mem.resources().mainStream(), Link.FIN));
    }
  }

  /** The root writes into all outputs. */
  @CollAlgorithm(name = "star", summary = "The root writes into all outputs")
  public static final class StarBroadcast extends Meshed<BroadcastParam> {

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      Stream stream = mem.resources().mainStream();
      barrier(comm, stream, Link.READY);
      if (comm.localRank() == param.root()) {
        for (int peer : others(comm)) {
          DeviceMem remote = comm.link(peer).remote(mem.output().type());
          comm.link(peer)
              .write(stream, remote.slice(mem.output().offset(), mem.output().size()), mem.input());
        }
        if (!mem.inPlace()) {
          stream.copy(mem.output(), mem.input());
        }
      }
      barrier(comm, stream, Link.FIN);
    }
  }

  /** One handshake. */
  @CollAlgorithm(name = "plain", summary = "Sends with one handshake")
  public static final class PlainSend extends NativeExecutorBase<SendParam> {

    @Override
    protected OpCommTransport calcCommInfo(SendParam param) {
      return OpCommTransport.pairs(
          param.comm(),
          CommPlane.COMBINED,
          inputMemType(param),
          outputMemType(param),
          param.dstRank());
    }

    @Override
    protected void kernelRun(SendParam param, ExecMem mem) {
      Link link = mem.resources().subComm(CommPlane.COMBINED).link(param.dstRank());
      Stream stream = mem.resources().mainStream();
      link.rxAck(stream);
      link.txAsync(stream, mem.output().type(), 0, mem.input());
      link.txWaitDone(stream);
    }
  }

  /** The other side of it. */
  @CollAlgorithm(name = "plain", summary = "Receives with one handshake")
  public static final class PlainReceive extends NativeExecutorBase<ReceiveParam> {

    @Override
    protected OpCommTransport calcCommInfo(ReceiveParam param) {
      return OpCommTransport.pairs(
          param.comm(),
          CommPlane.COMBINED,
          inputMemType(param),
          outputMemType(param),
          param.srcRank());
    }

    @Override
    protected void kernelRun(ReceiveParam param, ExecMem mem) {
      Link link = mem.resources().subComm(CommPlane.COMBINED).link(param.srcRank());
      Stream stream = mem.resources().mainStream();
      link.txAck(stream);
      link.rxAsync(stream, mem.input().type(), 0, mem.output());
      link.rxWaitDone(stream);
    }
  }
}
