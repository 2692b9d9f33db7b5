package dev.tutti.plugins.template;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * An all-reduce by the steps of a {@link CirculantSchedule} in scratch memory: in reverse as a
 * reduce-scatter, and then as an all-gather.
 */
public abstract class ScheduledAllReduce extends NativeExecutorBase<AllReduceParam> {

  /** For subclasses. */
  protected ScheduledAllReduce() {}

  /** The steps; equal on all ranks. */
  protected abstract CirculantSchedule schedule(AllReduceParam param);

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return CirculantLinks.of(schedule(param), param.comm());
  }

  @Override
  protected long calcScratchMemSize(AllReduceParam param) {
    boolean isAlone = param.comm().rankSize() == 1;
    return isAlone ? 0 : maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRankSize() > 1) {
      Circulant sums =
          new Circulant(
              schedule(param),
              comm,
              slices(param, mem.count()),
              mem.scratch().slice(0, mem.input().size()));
      Exchanges reducing = Exchanges.reducing(comm, stream, param.dataType(), param.reduceOp());
      Exchanges moving = Exchanges.moving(comm, stream);
      sums.pack(stream, mem.input());
      sums.reduceScatter(reducing);
      sums.allGather(moving);
      sums.unpack(stream, mem.output());
    } else if (!mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
  }

  private static List<Slice> slices(AllReduceParam param, long count) {
    return Slice.partition(count, param.comm().rankSize(), param.dataType().size());
  }

  /** With fewer elements than ranks, some messages are empty, and there is no closed form. */
  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    double ranks = param.comm().rankSize();
    if (param.count() < ranks) {
      return Optional.empty();
    }
    double steps = 2.0 * schedule(param).steps().size();
    double share = (ranks - 1) / ranks * param.inputBytes();
    return Optional.of(new Cost(steps * rounds(param), 2 * share, share));
  }

  /** Each element is reduced once, in an order that depends on its slice, and then copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
