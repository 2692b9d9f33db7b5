package dev.tutti.plugins.template;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * A reduce-scatter, of equal or different blocks, by a {@link CirculantSchedule}. The input is
 * first copied to scratch memory, which then holds the sums.
 *
 * @param <P> the parameter record, of reduce-scatter or reduce-scatter-v
 */
public abstract class ScheduledReduceScatter<P extends OpParam> extends NativeExecutorBase<P> {

  /** For subclasses. */
  protected ScheduledReduceScatter() {}

  /** The steps; equal on all ranks. */
  protected abstract CirculantSchedule schedule(P param);

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    return CirculantLinks.of(schedule(param), param.comm());
  }

  @Override
  protected long calcScratchMemSize(P param) {
    boolean isAlone = param.comm().rankSize() == 1;
    return isAlone ? 0 : Blocks.of(param).totalBytes(maxCountPerRound(param));
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRankSize() == 1) {
      stream.copy(mem.output(), mem.input());
      return;
    }
    Blocks blocks = Blocks.of(param);
    Circulant sums =
        new Circulant(
            schedule(param), comm, mem.inputSlices(), mem.scratch().slice(0, mem.input().size()));
    Exchanges exchanges = Exchanges.reducing(comm, stream, blocks.dataType(), blocks.reduceOp());
    sums.pack(stream, mem.input());
    sums.reduceScatter(exchanges);
    stream.copy(mem.output(), sums.ownBlock());
  }

  /** A closed form for equal blocks. */
  @Override
  public Optional<Cost> cost(P param) {
    Blocks blocks = Blocks.of(param);
    if (!blocks.isUniform()) {
      return Optional.empty();
    }
    double steps = schedule(param).steps().size();
    double bytes = (blocks.size() - 1.0) * blocks.maxBytes();
    return Optional.of(new Cost(steps * rounds(param), bytes, bytes));
  }

  /** Each element is reduced once, in an order that depends on its block. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
