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
 * An all-gather, of equal or different blocks, by a {@link CirculantSchedule}. Blocks are gathered
 * in scratch memory, and then copied to their places.
 *
 * @param <P> the parameter record, of all-gather or all-gather-v
 */
public abstract class ScheduledAllGather<P extends OpParam> extends NativeExecutorBase<P> {

  /** For subclasses. */
  protected ScheduledAllGather() {}

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
    Circulant blocks =
        new Circulant(
            schedule(param), comm, mem.outputSlices(), mem.scratch().slice(0, mem.output().size()));
    Exchanges exchanges = Exchanges.moving(comm, stream);
    stream.copy(blocks.ownBlock(), mem.input());
    blocks.allGather(exchanges);
    blocks.unpack(stream, mem.output());
  }

  /** A closed form for equal blocks. */
  @Override
  public Optional<Cost> cost(P param) {
    Blocks blocks = Blocks.of(param);
    if (!blocks.isUniform()) {
      return Optional.empty();
    }
    double steps = schedule(param).steps().size();
    double peers = blocks.size() - 1;
    return Optional.of(new Cost(steps * rounds(param), peers * blocks.maxBytes(), 0));
  }

  /** Data is only moved. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
