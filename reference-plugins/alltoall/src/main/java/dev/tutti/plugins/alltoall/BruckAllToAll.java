package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.plugins.template.Runs;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Bruck's all-to-all: a block moves in several steps, one for each digit of the distance to its
 * destination. A rank sends all blocks with the same digit in one message. That takes few messages,
 * but moves a block once for each of its digits.
 *
 * <p>The algorithm rotates nothing: it packs each message from the places where its blocks are, in
 * the input or in earlier messages. From its last message, a block goes directly to its place in
 * the output.
 *
 * <p>Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for
 * all-to-all communications in multiport message-passing systems", IEEE Trans. Parallel Distrib.
 * Syst. 8(11), 1997. Cost for p = r^k ranks, radix r and blocks of m bytes: {@code (r-1)k(α +
 * p/r·mβ)}. Scratch memory holds all messages that a rank receives, and the longest that it sends.
 */
@CollAlgorithm(
    name = "bruck",
    summary = "Blocks move digit by digit of their distance: few messages, for short blocks",
    source = "Bruck, Ho, Kipnis, Upfal, Weathersby: All-to-all communications, TPDS 8(11), 1997",
    formula = "(r-1)·log_r(p)·(α + p/r·mβ) for radix r and blocks of m bytes")
public final class BruckAllToAll extends NativeExecutorBase<AllToAllParam> {

  static final AlgParameter<Long> RADIX =
      AlgParameter.integer(
          "radix",
          "base of the digits; a larger one takes more messages and moves fewer bytes",
          2,
          2,
          1 << 24);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(RADIX);
  }

  private static BruckSchedule schedule(AllToAllParam param) {
    return BruckSchedule.of(param.comm().rankSize(), Math.toIntExact(RADIX.in(param.options())));
  }

  @Override
  protected long calcScratchMemSize(AllToAllParam param) {
    BruckSchedule schedule = schedule(param);
    long blocks = schedule.blocksOfLongest() + schedule.blocksInAll();
    return blocks * maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    int[] peers =
        IntStream.of(schedule(param).distances())
            .flatMap(d -> IntStream.of((rank + d) % ranks, (rank + ranks - d) % ranks))
            .toArray();
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        TransportMemType.SCRATCH,
        TransportMemType.SCRATCH,
        peers);
  }

  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    List<DeviceMem> blocks = new ArrayList<>();
    for (int distance = 0; distance < ranks; distance++) {
      blocks.add(mem.inputBlock((rank + distance) % ranks));
    }
    travel(schedule(param), mem, blocks);
    for (int distance = 0; distance < ranks; distance++) {
      stream.copy(mem.outputBlock((rank + ranks - distance) % ranks), blocks.get(distance));
    }
  }

  /**
   * Emits all messages.
   *
   * @param blocks the memory of this rank's blocks, by distance; in the end, the blocks that it
   *     keeps
   */
  private static void travel(BruckSchedule schedule, ExecMem mem, List<DeviceMem> blocks) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    long blockSize = blocks.getFirst().size();
    long start = schedule.blocksOfLongest() * blockSize;
    for (BruckSchedule.Step step : schedule.steps()) {
      long size = step.blocks().size() * blockSize;
      DeviceMem sent = mem.scratch().slice(0, size);
      DeviceMem received = mem.scratch().slice(start, size);
      Runs.copy(stream, sent, step.blocks().stream().map(blocks::get).toList());
      exchange(stream, comm, step.distance(), sent, received);
      for (int i = 0; i < step.blocks().size(); i++) {
        blocks.set(step.blocks().get(i), received.slice(i * blockSize, blockSize));
      }
      start += size;
    }
  }

  private static void exchange(
      Stream stream, SubCommInfo comm, int distance, DeviceMem sent, DeviceMem received) {
    int ranks = comm.localRankSize();
    int right = (comm.localRank() + distance) % ranks;
    int left = (comm.localRank() + ranks - distance) % ranks;
    Exchange.of(
            new Outgoing(comm.link(right), sent, received),
            new Incoming(comm.link(left), received, sent))
        .run(stream);
  }

  @Override
  public Optional<Cost> cost(AllToAllParam param) {
    BruckSchedule schedule = schedule(param);
    double block = param.countPerRank() * param.dataType().size();
    return Optional.of(
        new Cost(
            schedule.steps().size() * (double) rounds(param), schedule.blocksInAll() * block, 0));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
