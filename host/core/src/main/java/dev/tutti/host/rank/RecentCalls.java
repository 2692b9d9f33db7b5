package dev.tutti.host.rank;

import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
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
   * What a rank calls.
   *
   * @param root the root, the source or the destination; 0 where there is none
   */
  public record Key(
      CallOptions options,
      Operation operation,
      DataType dataType,
      @Nullable ReduceOp reduceOp,
      int root,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {}

  private record Made(Key key, RankOperation operation) {}

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
      Key key = made.key();
      if (key.operation() == operation
          && key.dataType() == dataType
          && key.reduceOp() == reduceOp
          && key.root() == root
          && isSame(key.input(), input)
          && isSame(key.output(), output)
          && key.options().equals(options)
          && !made.operation().isRunning()) {
        return made.operation();
      }
    }
    return null;
  }

  private static boolean isSame(@Nullable MemorySegment a, @Nullable MemorySegment b) {
    return SegmentComparison.isSameView(a, b);
  }

  /** Keeps a call in place of the oldest one. */
  public RankOperation keep(Key key, RankOperation operation) {
    last.setRelease(next, new Made(key, operation));
    next = (next + 1) % KEPT;
    return operation;
  }
}
