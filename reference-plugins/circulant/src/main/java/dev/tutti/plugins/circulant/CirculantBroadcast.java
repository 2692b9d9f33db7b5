package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Circulant broadcast: the ranks pass the vector on in blocks, over a circulant graph. In every
 * round, every rank can send one block and receive another. The last rank has all blocks after the
 * fewest possible rounds.
 *
 * <p>Source: J. L. Träff, "Optimal broadcast schedules in logarithmic time with applications to
 * broadcast, all-broadcast, reduction and all-reduction", arXiv 2407.18004, 2024. Cost for p ranks,
 * n bytes and b blocks: {@code (b-1+⌈log2(p)⌉)(α + n/b·β)}.
 */
@CollAlgorithm(
    name = "circulant",
    summary =
        "In blocks over a circulant graph: the fewest rounds for any number of blocks and ranks",
    source = "Träff: Optimal broadcast schedules in logarithmic time, arXiv 2407.18004, 2024",
    formula = "(b-1+⌈log2(p)⌉)(α + n/b·β) for b blocks")
public final class CirculantBroadcast extends NativeExecutorBase<BroadcastParam> {

  static final AlgParameter<Long> BLOCKS =
      AlgParameter.integer(
          "blocks", "blocks of the vector; 0 chooses by size and ranks", 0, 0, 1 << 20);

  /** α/β, to an order of magnitude: the bytes that take as long as the latency of a message. */
  private static final double LATENCY_BYTES = 8 << 10;

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(BLOCKS);
  }

  /** Requests only the edges that blocks use: few blocks do not use all edges of the graph. */
  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    int[] peers =
        IntStream.concat(
                schedule(param, maxCountPerRound(param)).peers(),
                schedule(param, lastCount(param)).peers())
            .map(place -> rankAt(param, place))
            .toArray();
    TransportMemType output = outputMemType(param);
    return OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, peers);
  }

  /** The elements of the last round of OP_BASE mode. */
  private static long lastCount(BroadcastParam param) {
    return (param.count() - 1) % maxCountPerRound(param) + 1;
  }

  private static Schedule schedule(BroadcastParam param, long count) {
    int ranks = param.comm().rankSize();
    int place = Math.floorMod(param.comm().rank() - param.root(), ranks);
    return new Schedule(new CirculantGraph(ranks), place, blocks(param, count));
  }

  private static int rankAt(BroadcastParam param, int place) {
    return (place + param.root()) % param.comm().rankSize();
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Schedule schedule = schedule(param, mem.count());
    List<Slice> blocks =
        Slice.partition(mem.count(), blocks(param, mem.count()), param.dataType().size());
    boolean isRoot = comm.localRank() == param.root();
    Push push = new Push(mem.resources().mainStream());
    for (int round = 0; round < schedule.rounds(); round++) {
      int sent = schedule.sent(round);
      boolean gets = schedule.received(round) != Schedule.NONE;
      if (gets) {
        push.open(comm.link(rankAt(param, schedule.sender(round))));
      }
      if (sent != Schedule.NONE) {
        Link receiver = comm.link(rankAt(param, schedule.receiver(round)));
        DeviceMem block = mem.output().slice(blocks.get(sent));
        push.send(
            receiver, receiver.remote(block), isRoot ? mem.input().slice(blocks.get(sent)) : block);
      }
      if (gets) {
        push.receive(comm.link(rankAt(param, schedule.sender(round))));
      }
    }
    if (isRoot && !mem.inPlace()) {
      push.stream().copy(mem.output(), mem.input());
    }
  }

  /** The number of blocks that takes the least time: √((⌈log₂ p⌉ - 1)n·β/α). */
  private static int blocks(BroadcastParam param, long count) {
    long wanted = BLOCKS.in(param.options());
    if (wanted == 0) {
      int kinds = new CirculantGraph(param.comm().rankSize()).kinds();
      double bytes = (double) count * param.dataType().size();
      wanted = (long) Math.sqrt((kinds - 1) * bytes / LATENCY_BYTES);
    }
    return (int) Math.clamp(wanted, 1, count);
  }

  @Override
  public Optional<Cost> cost(BroadcastParam param) {
    int kinds = new CirculantGraph(param.comm().rankSize()).kinds();
    if (kinds == 0 || param.count() == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    long perRound = maxCountPerRound(param);
    long fullRounds = (param.count() - 1) / perRound;
    long rest = lastCount(param);
    double full = blocks(param, perRound);
    double last = blocks(param, rest);
    return Optional.of(
        new Cost(
            fullRounds * (full + kinds - 1) + last + kinds - 1,
            (fullRounds * perRound * (full + kinds - 1) / full + rest * (last + kinds - 1) / last)
                * param.dataType().size(),
            0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
