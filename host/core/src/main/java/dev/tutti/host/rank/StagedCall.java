package dev.tutti.host.rank;

import dev.tutti.host.buffers.BufferCopy;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.sdk.Operation;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A rank's call with buffers that peers cannot reach, and their copies in memory that they can.
 * Used by the rank's thread.
 */
final class StagedCall implements CallCopies {

  private final RankStaging staging;
  private final RankCall call;
  private final boolean stagesInput;
  private final boolean stagesOutput;
  private RankStaging.@Nullable Block block;

  /** Whether the block is this call's, and no other one's. */
  private boolean hasBlock;

  /** The call with the copies; the same object as long as they are at the same place. */
  private RankCall reachable;

  private StagedCall(
      RankStaging staging, RankCall call, boolean stagesInput, boolean stagesOutput) {
    this.staging = staging;
    this.call = call;
    this.stagesInput = stagesInput;
    this.stagesOutput = stagesOutput;
    this.reachable = call;
  }

  /** A call with buffers of which some must be staged; null if all can be reached. */
  static @Nullable StagedCall of(RankCall call, RankStaging staging, Reach reach) {
    boolean stagesInput = isPrivate(call.input(), reach);
    boolean stagesOutput = isPrivate(call.output(), reach);
    return stagesInput || stagesOutput
        ? new StagedCall(staging, call, stagesInput, stagesOutput)
        : null;
  }

  private static boolean isPrivate(@Nullable MemorySegment buffer, Reach reach) {
    return buffer != null && reach.isPrivate(buffer);
  }

  /** The block that it has, or had last. */
  RankStaging.@Nullable Block block() {
    return block;
  }

  @Override
  public RankCall before() {
    staging.fill(this);
    hasBlock = true;
    return reachable;
  }

  @Override
  public void after() {
    hasBlock = false;
    staging.empty(this);
  }

  @Override
  public void giveUp() {
    if (hasBlock) {
      hasBlock = false;
      staging.giveUp(this);
    }
  }

  void fill(RankStaging.Block into) {
    block = into;
    MemorySegment in = call.input();
    MemorySegment out = call.output();
    MemorySegment reachableIn = in;
    if (in != null && stagesInput) {
      reachableIn = into.input(in.byteSize());
      BufferCopy.copy(in, reachableIn);
    }
    MemorySegment reachableOut = out;
    if (out != null && stagesOutput) {
      if (in != null && SegmentComparison.isSameMemory(in, out)) {
        reachableOut = reachableIn;
      } else {
        reachableOut = into.output(out.byteSize());
        if (keepsOutput()) {
          BufferCopy.copy(out, reachableOut);
        }
      }
    }
    if (!SegmentComparison.isSameView(reachableIn, reachable.input())
        || !SegmentComparison.isSameView(reachableOut, reachable.output())) {
      reachable = call.withBuffers(reachableIn, reachableOut);
    }
  }

  /** Rank 0's output, or gaps of it, are left as they are, and so must come back. */
  private boolean keepsOutput() {
    return call.call().operation() == Operation.EXCLUSIVE_SCAN
        || !call.options().outputLayout().isContiguous();
  }

  void bringBack() {
    MemorySegment to = call.output();
    MemorySegment from = reachable.output();
    if (to != null && from != null && stagesOutput) {
      BufferCopy.copy(from, to);
    }
  }
}
