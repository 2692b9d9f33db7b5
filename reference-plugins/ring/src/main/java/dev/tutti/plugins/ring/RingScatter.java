package dev.tutti.plugins.ring;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.RingLinks;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * The common implementation of both forms of the ring reduce-scatter. The partial sum of block k
 * starts as the input of rank k + 1 and travels to the right; each rank adds its own input on the
 * way. The input is only read: partial sums are in two slots of scratch memory, which the steps use
 * alternately.
 */
abstract class RingScatter<P extends OpParam> extends NativeExecutorBase<P> {

  /*
   * Why two slots are enough under every schedule, in addition to the proof in RingLinks. Over
   * direct links, the slot that a rank writes in step s is the one that its right neighbour read in
   * step s - 1. The rank writes it only after READY of step s, with which the neighbour signals the
   * end of its step s - 1. Over RDMA links, the left neighbour writes a slot in step s only after
   * this rank's READY of step s. By then, this rank has sent the old content of the slot, one step
   * earlier.
   */

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    return OpCommTransport.ring(
        param.comm(), CommPlane.COMBINED, inputMemType(param), TransportMemType.SCRATCH);
  }

  /** Over direct links the last partial sum is combined where it is, and needs no slot here. */
  @Override
  protected long calcScratchMemSize(P param) {
    int steps = param.comm().rankSize() - 1;
    boolean pulls = param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
    return Math.clamp(pulls ? steps - 1 : steps, 0, 2) * slotBytes(param);
  }

  private static long slotBytes(OpParam param) {
    return maxCountPerRound(param) * Blocks.of(param).dataType().size();
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    int steps = comm.localRankSize() - 1;
    if (steps == 0) {
      stream.copy(mem.output(), mem.input());
      return;
    }
    Blocks blocks = Blocks.of(param);
    Slots slots = new Slots(mem.scratch(), slotBytes(param));
    RingLinks links = RingLinks.of(comm);
    DeviceMem sum = input(mem, comm.localRank() - 1);
    for (int step = 0; step < steps; step++) {
      DeviceMem own = input(mem, comm.localRank() - 2 - step);
      links.open(stream);
      links.right().txAsync(stream, TransportMemType.SCRATCH, slots.offset(step), sum);
      links.left().await(stream, Link.FIN);
      DeviceMem received = received(links.left(), slots, step, own);
      sum = step == steps - 1 ? mem.output() : slots.at(step, own);
      stream.reduceFrom(sum, List.of(received, own), blocks.dataType(), blocks.reduceOp());
    }
    links.close(stream);
  }

  /**
   * The left neighbour's partial sum: in the neighbour's memory over direct links, in this rank's
   * over RDMA links.
   */
  private static DeviceMem received(Link left, Slots slots, int step, DeviceMem own) {
    if (left.protocol() == Protocol.RDMA) {
      return slots.at(step, own);
    }
    return left.remote(step == 0 ? own : slots.at(step - 1, own));
  }

  private static DeviceMem input(ExecMem mem, int block) {
    return mem.inputBlock(Math.floorMod(block, mem.inputSlices().size()));
  }

  /** The largest block takes longest: it makes all hops, one after another. */
  @Override
  public Optional<Cost> cost(P param) {
    double hops = param.comm().rankSize() - 1;
    double bytes = hops * Blocks.of(param).maxBytes();
    return Optional.of(new Cost(hops * rounds(param), bytes, bytes));
  }

  /** Every element of a block is combined in ring order, from the rank after its owner on. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }

  /** Two slots of scratch memory, of {@code bytes} each, for partial sums. */
  private record Slots(DeviceMem scratch, long bytes) {

    long offset(int step) {
      return step % 2 * bytes;
    }

    DeviceMem at(int step, DeviceMem block) {
      return scratch.slice(offset(step), block.size());
    }
  }
}
