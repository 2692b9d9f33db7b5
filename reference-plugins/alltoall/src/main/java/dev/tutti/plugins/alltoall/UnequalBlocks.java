package dev.tutti.plugins.alltoall;

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

  /** Requests the slots, and links to the ranks with which this rank exchanges data. */
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

  /** A closed form if all blocks are equal; with others, ranks wait for one another. */
  Optional<Cost> cost(Staging staging) {
    if (param.totalCount() / ranks() / ranks() < param.maxCount()) {
      return Optional.empty();
    }
    double others = ranks() - 1;
    double chunks = maxBytes() == 0 ? 0 : Math.ceilDiv(maxBytes(), staging.chunkBytes());
    return Optional.of(new Cost(others * chunks, others * maxBytes(), 0));
  }
}
