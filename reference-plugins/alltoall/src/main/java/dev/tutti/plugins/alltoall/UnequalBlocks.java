package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.StagedCost;
import dev.tutti.plugins.template.Staging;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The blocks of one rank in an all-to-all with blocks of different sizes, which pass through slots.
 *
 * @param param the request
 */
record UnequalBlocks(AllToAllVParam param) {

  private int rank() {
    return param.comm().rank();
  }

  private int ranks() {
    return param.comm().rankSize();
  }

  private int elementSize() {
    return param.dataType().size();
  }

  /** The bytes of the largest block between any two ranks. */
  long maxBytes() {
    return param.maxCount() * elementSize();
  }

  /** The slots, and links to the other ranks to or from which there is data. */
  AlgResourceRequest request(Staging staging) {
    int[] peers =
        IntStream.range(0, ranks())
            .filter(peer -> peer != rank())
            .filter(peer -> param.sendCounts().get(peer) + param.recvCounts().get(peer) > 0)
            .toArray();
    return AlgResourceRequest.of(staging.links(peers))
        .withScratchMemSize(
            staging.scratchMemSize(bytes(param.sendCounts()), bytes(param.recvCounts())));
  }

  private List<Long> bytes(List<Long> counts) {
    return counts.stream().map(count -> count * elementSize()).toList();
  }

  /** The blocks to all ranks. */
  List<DeviceMem> sent(DeviceMem input) {
    return blocks(input, param.sendCounts());
  }

  /** The blocks from all ranks. */
  List<DeviceMem> received(DeviceMem output) {
    return blocks(output, param.recvCounts());
  }

  private List<DeviceMem> blocks(DeviceMem mem, List<Long> counts) {
    List<DeviceMem> blocks = new ArrayList<>();
    long offset = 0;
    for (long size : bytes(counts)) {
      blocks.add(mem.slice(offset, size));
      offset += size;
    }
    return blocks;
  }

  /** How messages through slots are added up. */
  @FunctionalInterface
  interface Addition {
    Optional<Cost> of(StagedCost cost, StagedCost.Messages messages);
  }

  /** What the blocks cost that this rank knows: its own ones. */
  static Optional<Cost> cost(AllToAllVParam param, Staging staging, Addition addition) {
    UnequalBlocks blocks = new UnequalBlocks(param);
    return blocks.costIfEqual(staging).or(() -> addition.of(staging.cost(), blocks.ownMessages()));
  }

  /** What the blocks of all ranks cost. */
  static Optional<Cost> groupCost(List<AllToAllVParam> params, Staging staging, Addition addition) {
    return new UnequalBlocks(params.getFirst())
        .costIfEqual(staging)
        .or(() -> addition.of(staging.cost(), allMessages(params)));
  }

  /** A closed form if all blocks of all ranks are equal; others wait for one another. */
  private Optional<Cost> costIfEqual(Staging staging) {
    if (param.totalCount() / ranks() / ranks() < param.maxCount()) {
      return Optional.empty();
    }
    double others = ranks() - 1;
    double chunks = maxBytes() == 0 ? 0 : Math.ceilDiv(maxBytes(), staging.chunkBytes());
    return Optional.of(new Cost(others * chunks, others * maxBytes(), 0));
  }

  private StagedCost.Messages ownMessages() {
    return (from, to) -> {
      if (from == rank()) {
        return List.of(param.sendCounts().get(to) * elementSize());
      }
      return to == rank() ? List.of(param.recvCounts().get(from) * elementSize()) : List.of();
    };
  }

  private static StagedCost.Messages allMessages(List<AllToAllVParam> params) {
    return (from, to) ->
        List.of(params.get(from).sendCounts().get(to) * params.get(from).dataType().size());
  }
}
