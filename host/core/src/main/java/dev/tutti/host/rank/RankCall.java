package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in a call.
 *
 * @param rank the rank
 * @param call the operation as this rank understood it; a barrier if it splits the group
 * @param options how it is to be run
 * @param input this rank's input, or null
 * @param output this rank's output, or null
 * @param split its part in splitting the group, or null if this is an operation
 */
public record RankCall(
    int rank,
    CollectiveCall call,
    CallOptions options,
    @Nullable MemorySegment input,
    @Nullable MemorySegment output,
    @Nullable SplitPart split) {

  public static RankCall of(
      int rank,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    return new RankCall(rank, call, options, input, output, null);
  }

  public static RankCall ofSplit(int rank, CallOptions options, SplitPart split) {
    return new RankCall(rank, CollectiveCall.barrier(), options, null, null, split);
  }

  /** The same with other buffers. */
  RankCall withBuffers(@Nullable MemorySegment newInput, @Nullable MemorySegment newOutput) {
    return new RankCall(rank, call, options, newInput, newOutput, split);
  }

  /** The operation's name. */
  String operation() {
    return split == null ? call.operation().label() : "split";
  }

  /** The call in words. */
  String words() {
    return split == null ? call.toString() : "split";
  }
}
