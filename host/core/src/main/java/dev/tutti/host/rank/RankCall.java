package dev.tutti.host.rank;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in a call.
 *
 * @param rank the rank
 * @param call the operation as this rank requested it; a barrier as a placeholder if this is no
 *     operation
 * @param options the options of the call
 * @param input this rank's input, or null
 * @param output this rank's output, or null
 * @param split its part in splitting the group, or null if it does not split
 * @param capture the step of a capture that it makes instead of an operation, in words, or null
 * @param refusal why this call cannot be made, or null if it can
 */
public record RankCall(
    int rank,
    CollectiveCall call,
    CallOptions options,
    @Nullable MemorySegment input,
    @Nullable MemorySegment output,
    @Nullable SplitPart split,
    @Nullable String capture,
    @Nullable Refusal refusal) {

  /**
   * Represents a call that has no {@link CollectiveCall}, because an argument was wrong.
   *
   * @param operation the name of the operation
   * @param error the error that the rank gets
   */
  record Refusal(String operation, TuttiException error) {}

  public static RankCall of(
      int rank,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    return new RankCall(rank, call, options, input, output, null, null, null);
  }

  public static RankCall ofSplit(int rank, CallOptions options, SplitPart split) {
    return new RankCall(rank, CollectiveCall.barrier(), options, null, null, split, null, null);
  }

  /** A step of a capture that a rank makes. */
  static RankCall ofCapture(int rank, String words) {
    return new RankCall(
        rank, CollectiveCall.barrier(), CallOptions.defaults(), null, null, null, words, null);
  }

  /** A call that is refused when it is started. */
  static RankCall ofRefused(int rank, CallOptions options, String operation, TuttiException error) {
    Refusal refusal = new Refusal(operation, error);
    return new RankCall(rank, CollectiveCall.barrier(), options, null, null, null, null, refusal);
  }

  /** The same with other buffers. */
  RankCall withBuffers(@Nullable MemorySegment newInput, @Nullable MemorySegment newOutput) {
    return new RankCall(rank, call, options, newInput, newOutput, split, capture, refusal);
  }

  /**
   * Checks a call that is about to be made, and its buffers.
   *
   * @param names the names of the ranks in messages
   * @param fitTogether whether the call and its buffers are known to fit together
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE}, {@link
   *     ErrorCode#BUFFER_OVERLAP} or {@link ErrorCode#BUFFER_TOO_SMALL}; with its own error if it
   *     was refused before
   */
  void check(RankNames names, boolean fitTogether) {
    if (refusal != null) {
      throw refusal.error();
    }
    MemorySegment in = input;
    MemorySegment out = output;
    if (!fitTogether && out != null && out.isReadOnly()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the output of %s is read-only; give a writable buffer",
          names.name(rank));
    }
    checkUsable("input", names, in);
    checkUsable("output", names, out);
    if (!fitTogether
        && in != null
        && out != null
        && !SegmentComparison.isSameMemory(in, out)
        && in.asOverlappingSlice(out).isPresent()) {
      throw new TuttiException(
          ErrorCode.BUFFER_OVERLAP,
          "input and output of %s overlap partly; make them either the same memory or separate",
          names.name(rank));
    }
  }

  private void checkUsable(String what, RankNames names, @Nullable MemorySegment segment) {
    if (segment == null) {
      return;
    }
    if (!segment.scope().isAlive() || !segment.isAccessibleBy(Thread.currentThread())) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "the memory of the %s of %s %s",
          what,
          names.name(rank),
          segment.scope().isAlive()
              ? "is in a confined arena of another thread; use a shared arena"
              : "was freed; keep its arena open during the call");
    }
  }

  /**
   * Refuses an output that only the thread of its arena can fill.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE}
   */
  void checkAnyThreadCanFill(RankNames names) {
    if (output != null && !CallerBuffers.isShared(output)) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "the output of %s is in a confined arena, which only its own thread can fill; await the"
              + " request in that thread, or use a shared arena",
          names.name(rank));
    }
  }

  boolean areBuffersAlive() {
    return (input == null || input.scope().isAlive())
        && (output == null || output.scope().isAlive());
  }

  /** The scopes of the buffers. */
  MemorySegment.Scope[] scopes() {
    return Stream.of(Optional.ofNullable(input), Optional.ofNullable(output))
        .flatMap(Optional::stream)
        .map(MemorySegment::scope)
        .toArray(MemorySegment.Scope[]::new);
  }

  /** The operation's name. */
  String operation() {
    if (refusal != null) {
      return refusal.operation();
    }
    if (capture != null) {
      return capture;
    }
    return split == null ? call.operation().label() : "split";
  }

  /** The call in words. */
  String words() {
    return isOperation() ? call.toString() : operation();
  }

  /** Whether it is an operation that {@link #call} describes. */
  boolean isOperation() {
    return split == null && capture == null && refusal == null;
  }
}
