package dev.tutti.host;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in a call.
 *
 * @param rank the rank
 * @param call the operation as this rank understood it
 * @param options how it is to be run
 * @param input this rank's input, or null
 * @param output this rank's output, or null
 */
record RankCall(
    int rank,
    CollectiveCall call,
    CallOptions options,
    @Nullable MemorySegment input,
    @Nullable MemorySegment output) {

  /** The same with other buffers. */
  RankCall withBuffers(@Nullable MemorySegment newInput, @Nullable MemorySegment newOutput) {
    return new RankCall(rank, call, options, newInput, newOutput);
  }
}
