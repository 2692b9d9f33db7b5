package dev.tutti.host.rank;

import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.RecentlyUsed;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last blocking calls of a rank, kept so that a repeated call with the same buffers is prepared
 * only once. The last few calls are found without allocation. Thread-safe.
 */
public final class RecentCalls {

  private static final int KEPT = 8;

  /** The largest size of the older calls, including the buffers that they keep alive. */
  private static final long MAX_BYTES = 64 << 20;

  private static final long BYTES_PER_CALL = 4096;

  private final AtomicReferenceArray<@Nullable Made> last = new AtomicReferenceArray<>(KEPT);

  /** The calls before the last few. Guarded by itself. */
  private final RecentlyUsed<Key, Made> older = new RecentlyUsed<>(KEPT, MAX_BYTES);

  private int next;

  /** Starts without calls. */
  RecentCalls() {}

  /**
   * An earlier call.
   *
   * @param operation null if its counts do not follow from its buffers
   * @param root the root, or the other end of a transfer; 0 where there is none
   * @param input the input as the caller gave it
   * @param output the output as the caller gave it
   */
  private record Made(
      CallOptions options,
      @Nullable Operation operation,
      int root,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output,
      RankOperation ready) {

    /** Whether the call is not running, and has these options and buffers. */
    boolean isFree(
        CallOptions wanted, @Nullable MemorySegment ownInput, @Nullable MemorySegment ownOutput) {
      return SegmentComparison.isSameView(input, ownInput)
          && SegmentComparison.isSameView(output, ownOutput)
          && options.equals(wanted)
          && !ready.isRunning();
    }

    Key key() {
      CollectiveCall call = ready.call();
      Object what =
          operation == null ? call : new Derived(operation, call.dataType(), call.reduceOp(), root);
      return new Key(options, what, input, output);
    }

    long bytes() {
      return BYTES_PER_CALL
          + (input == null ? 0 : input.byteSize())
          + (output == null ? 0 : output.byteSize());
    }
  }

  /** A call whose counts follow from its buffers. */
  private record Derived(
      Operation operation, DataType dataType, @Nullable ReduceOp reduceOp, int root) {}

  /**
   * The key of a call.
   *
   * @param what a {@link CollectiveCall}, or a {@link Derived}
   */
  private record Key(
      CallOptions options,
      Object what,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && SegmentComparison.isSameView(input, key.input)
          && SegmentComparison.isSameView(output, key.output)
          && what.equals(key.what)
          && options.equals(key.options);
    }

    @Override
    public int hashCode() {
      return 31 * hashCode(input) + hashCode(output);
    }

    private static int hashCode(@Nullable MemorySegment segment) {
      return segment == null ? 0 : segment.hashCode();
    }
  }

  /** The operation of an earlier call that is not running; null if there is none. */
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
    Derived what = new Derived(operation, dataType, reduceOp, root);
    return older(new Key(options, what, input, output));
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
    return older(new Key(options, call, input, output));
  }

  /** An older call, which becomes one of the last few. */
  private @Nullable RankOperation older(Key key) {
    Made found;
    synchronized (older) {
      found = older.find(key);
    }
    if (found == null || found.ready().isRunning()) {
      return null;
    }
    keep(found);
    return found.ready();
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
    keep(new Made(options, operation, root, input, output, ready));
    return ready;
  }

  private void keep(Made made) {
    Made displaced = last.getAndSet(next, made);
    next = (next + 1) % KEPT;
    if (displaced != null) {
      synchronized (older) {
        older.keep(displaced.key(), displaced, displaced.bytes(), () -> {});
      }
    }
  }
}
