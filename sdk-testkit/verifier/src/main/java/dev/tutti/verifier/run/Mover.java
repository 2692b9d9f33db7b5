package dev.tutti.verifier.run;

import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.verifier.element.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Moves the data of actions between the memories of a group. Confined to one thread. */
final class Mover {

  private final GroupMemory memory;

  /** Created at the first reduction, because copies need none. */
  private @Nullable Blocks blocks;

  private static final class Blocks {
    final Block accumulator = new Block();
    final Block operand = new Block();
  }

  Mover(GroupMemory memory) {
    this.memory = memory;
  }

  /** Executes one data action. */
  void move(RankPlan code, int action) {
    MemorySegment dst = memory.mem(code.dstRank(action), code.dstType(action));
    long dstOffset = code.dstOffset(action);
    long bytes = code.bytes(action);
    switch (code.kind(action)) {
      case COPY ->
          MemorySegment.copy(
              source(code, action, 0), code.srcOffset(action, 0), dst, dstOffset, bytes);
      case REDUCE -> reduce(code, action, dst, dstOffset, bytes, true);
      case REDUCE_FROM -> reduce(code, action, dst, dstOffset, bytes, false);
      default -> throw new IllegalStateException(code.kind(action) + " does not move data");
    }
  }

  private MemorySegment source(RankPlan code, int action, int source) {
    return memory.mem(code.srcRank(action, source), code.srcType(action, source));
  }

  private Blocks blocks() {
    Blocks made = blocks;
    if (made == null) {
      made = new Blocks();
      blocks = made;
    }
    return made;
  }

  /** Combines all sources. If the destination is an operand, it comes first. */
  private void reduce(
      RankPlan code, int action, MemorySegment dst, long dstOffset, long bytes, boolean withDst) {
    DataType type = code.dataType(action);
    ReduceOp op = code.reduceOp(action);
    Blocks own = blocks();
    Block accumulator = own.accumulator;
    Block operand = own.operand;
    long count = bytes / type.size();
    for (long done = 0; done < count; done += Block.SIZE) {
      int n = (int) Math.min(Block.SIZE, count - done);
      long shift = done * type.size();
      int source = 0;
      if (withDst) {
        accumulator.load(type, dst, dstOffset + shift, n);
      } else {
        accumulator.load(type, source(code, action, 0), code.srcOffset(action, 0) + shift, n);
        source = 1;
      }
      for (; source < code.sourceCount(action); source++) {
        operand.load(type, source(code, action, source), code.srcOffset(action, source) + shift, n);
        accumulator.combine(type, op, operand, n);
      }
      accumulator.store(type, dst, dstOffset + shift, n);
    }
  }
}
