package dev.tutti.host.capture;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The part of the rank of this process in a captured operation.
 *
 * @param order the operation's place in the order of its capture
 * @param planned the call with its plan
 * @param options its options
 * @param input the rank's input, or null
 * @param output the rank's output, or null
 */
record RankEntry(
    CaptureOrder order,
    SelectedPlan planned,
    CallOptions options,
    @Nullable MemorySegment input,
    @Nullable MemorySegment output) {

  CollectiveCall call() {
    return planned.key().call();
  }

  /** The input of the rank's plan; in place, its output if it has no input. */
  @Nullable MemorySegment read() {
    return input == null && planned.key().inPlace() ? output : input;
  }

  /** The output of the rank's plan; in place, its input if it has no output. */
  @Nullable MemorySegment written() {
    return output == null && planned.key().inPlace() ? input : output;
  }

  RankEntry withPlanned(SelectedPlan newPlanned) {
    return new RankEntry(order, newPlanned, options, input, output);
  }

  RankEntry withOrder(CaptureOrder newOrder) {
    return new RankEntry(newOrder, planned, options, input, output);
  }

  /** The same with a buffer, or a part of it, replaced by another one. */
  RankEntry rebound(MemorySegment old, MemorySegment replacement) {
    return new RankEntry(
        order,
        planned,
        options,
        replaced(input, old, replacement),
        replaced(output, old, replacement));
  }

  private static @Nullable MemorySegment replaced(
      @Nullable MemorySegment segment, MemorySegment old, MemorySegment replacement) {
    return segment != null && SegmentComparison.isPart(segment, old)
        ? replacement.asSlice(segment.address() - old.address(), segment.byteSize())
        : segment;
  }

  /**
   * Refuses buffers that the calling thread cannot use.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} or {@link
   *     ErrorCode#BUFFER_TOO_SMALL}
   */
  void check(RankNames names, int rank) {
    MemorySegment out = written();
    if (out != null && out.isReadOnly()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the output of %s is read-only; give a writable buffer",
          names.name(rank));
    }
    CallerBuffers.requireUsable("input", names.name(rank), input);
    CallerBuffers.requireUsable("output", names.name(rank), output);
  }
}
