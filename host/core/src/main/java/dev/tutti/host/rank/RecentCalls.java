package dev.tutti.host.rank;

import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last blocking calls of a rank, so that a call that comes again, with the same buffers, is
 * made ready once and allocates nothing. Thread-safe.
 */
public final class RecentCalls {

  private static final int KEPT = 8;

  private final AtomicReferenceArray<@Nullable Made> last = new AtomicReferenceArray<>(KEPT);
  private int next;

  /** No call yet. */
  RecentCalls() {}

  /**
   * A call that was made.
   *
   * @param operation null if its counts do not follow from its buffers
   * @param root the root, or the other end of a transfer; 0 where there is none
   * @param input as the caller gave it
   * @param output as the caller gave it
   */
  private record Made(
      CallOptions options,
      @Nullable Operation operation,
      int root,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output,
      RankOperation ready) {

    /** Whether it is not under way, and was made with such buffers in such a way. */
    boolean isFree(
        CallOptions wanted, @Nullable MemorySegment ownInput, @Nullable MemorySegment ownOutput) {
      return SegmentComparison.isSameView(input, ownInput)
          && SegmentComparison.isSameView(output, ownOutput)
          && options.equals(wanted)
          && !ready.isRunning();
    }
  }

  /** The operation of a call that was made before and is not under way; null if there is none. */
  public @Nullable RankOperation find(
      CallOptions options,
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int root,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    for (int i = 0; i < KEPT; i++) {
      Made made = last.getAcquire(i);
      if (made == null) {
        return null;
      }
      CollectiveCall call = made.ready().call();
      if (made.operation() == operation
          && call.dataType() == dataType
          && call.reduceOp() == reduceOp
          && made.root() == root
          && made.isFree(options, input, output)) {
        return made.ready();
      }
    }
    return null;
  }

  /** The same for a call with explicit counts. */
  public @Nullable RankOperation find(
      CallOptions options,
      CollectiveCall call,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    for (int i = 0; i < KEPT; i++) {
      Made made = last.getAcquire(i);
      if (made == null) {
        return null;
      }
      if (made.ready().call().equals(call) && made.isFree(options, input, output)) {
        return made.ready();
      }
    }
    return null;
  }

  /**
   * Keeps a call in place of the oldest one.
   *
   * @param operation null if its counts do not follow from its buffers
   */
  public RankOperation keep(
      CallOptions options,
      @Nullable Operation operation,
      int root,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output,
      RankOperation ready) {
    last.setRelease(next, new Made(options, operation, root, input, output, ready));
    next = (next + 1) % KEPT;
    return ready;
  }
}
