package dev.tutti.plugins.tree;

import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of all ranks in one round of OP_BASE mode, if they differ in size. An inner rank of a
 * tree also has to know the blocks of its subtree.
 *
 * @param counts elements of each block of the whole operation
 * @param done elements of each block in earlier rounds
 * @param most the largest number of elements of a block in this round
 * @param elementSize bytes of one element
 */
record RoundBlocks(List<Long> counts, long done, long most, int elementSize) {

  /** The places of the blocks in staging memory: packed, in rank order. */
  List<Slice> staged() {
    List<Slice> slices = new ArrayList<>();
    long start = 0;
    for (int rank = 0; rank < counts.size(); rank++) {
      slices.add(new Slice(start, bytes(rank)));
      start += bytes(rank);
    }
    return slices;
  }

  /** The bytes of one block. */
  long bytes(int rank) {
    return Math.clamp(counts.get(rank) - done, 0, most) * elementSize;
  }

  /** This round's part of a rank's block, in memory that has only that block. */
  DeviceMem own(DeviceMem block, int rank) {
    return bytes(rank) == 0 ? block.slice(0, 0) : block.slice(done * elementSize, bytes(rank));
  }

  /** Copies all blocks from the caller's input to staging memory. */
  void stage(AlgResourceResponse resources) {
    DeviceMem input = resources.paramInputMem();
    List<Slice> staged = staged();
    for (int rank = 0; rank < counts.size(); rank++) {
      DeviceMem to = resources.cclInputMem().slice(staged.get(rank));
      resources.mainStream().copy(to, own(blockOf(input, rank), rank));
    }
  }

  /** Copies all blocks from staging memory to the caller's output. */
  void unstage(AlgResourceResponse resources) {
    DeviceMem output = resources.paramOutputMem();
    List<Slice> staged = staged();
    for (int rank = 0; rank < counts.size(); rank++) {
      DeviceMem from = resources.cclOutputMem().slice(staged.get(rank));
      resources.mainStream().copy(own(blockOf(output, rank), rank), from);
    }
  }

  private DeviceMem blockOf(DeviceMem all, int rank) {
    long before = counts.subList(0, rank).stream().mapToLong(Long::longValue).sum();
    return all.slice(before * elementSize, counts.get(rank) * elementSize);
  }
}
