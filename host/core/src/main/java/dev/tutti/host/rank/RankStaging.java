package dev.tutti.host.rank;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.BufferCopy;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One rank's copies of arrays and of memory that only its thread may use. The rank's own thread
 * copies, so the ranks copy at the same time. Equal sizes get the same segments again, so that the
 * request behind need not be bound anew. The rank's thread copies, any thread closes.
 */
final class RankStaging implements AutoCloseable {

  private final RankNames names;
  private @Nullable NativeMemory inputMemory;
  private @Nullable NativeMemory outputMemory;
  private MemorySegment input = MemorySegment.NULL;
  private MemorySegment output = MemorySegment.NULL;
  private boolean isClosed;

  RankStaging(RankNames names) {
    this.names = names;
  }

  /** Checks the buffers of a call that copies nothing. */
  synchronized RankCall check(RankCall call) {
    requireOpen();
    check(names.name(call.rank()), call.input(), call.output());
    return call;
  }

  /** The same call with buffers that every thread can reach, filled. */
  synchronized RankCall before(RankCall call) {
    MemorySegment in = check(call).input();
    MemorySegment out = call.output();
    boolean stagesInput = in != null && CallerBuffers.needsStaging(in);
    boolean stagesOutput = out != null && CallerBuffers.needsStaging(out);
    if (!stagesInput && !stagesOutput) {
      return call;
    }
    MemorySegment reachableIn = in;
    if (in != null && stagesInput) {
      reachableIn = inputOf(in.byteSize());
      BufferCopy.copy(in, reachableIn);
    }
    MemorySegment reachableOut = out;
    if (out != null && stagesOutput) {
      if (in != null && SegmentComparison.isSameMemory(in, out)) {
        reachableOut = reachableIn;
      } else {
        reachableOut = outputOf(out.byteSize());
        if (call.call().operation() == Operation.EXCLUSIVE_SCAN
            || !call.options().outputLayout().isContiguous()) {
          // Rank 0's output, or gaps of it, are left as they are, and so must come back.
          BufferCopy.copy(out, reachableOut);
        }
      }
    }
    return call.withBuffers(reachableIn, reachableOut);
  }

  /** Brings the result back. */
  synchronized void after(RankCall call, RankCall reachable) {
    requireOpen();
    MemorySegment to = call.output();
    MemorySegment from = reachable.output();
    if (to != null && from != null && !SegmentComparison.isSameView(to, from)) {
      BufferCopy.copy(from, to);
    }
  }

  private static void check(String rank, @Nullable MemorySegment in, @Nullable MemorySegment out) {
    if (out != null && out.isReadOnly()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the output of %s is read-only; give a buffer that can be written",
          rank);
    }
    checkUsable("input", rank, in);
    checkUsable("output", rank, out);
    if (in != null
        && out != null
        && !SegmentComparison.isSameMemory(in, out)
        && in.asOverlappingSlice(out).isPresent()) {
      throw new TuttiException(
          ErrorCode.BUFFER_OVERLAP,
          "input and output of %s overlap in part; make them one memory or two",
          rank);
    }
  }

  private static void checkUsable(String what, String rank, @Nullable MemorySegment segment) {
    if (segment == null) {
      return;
    }
    if (!segment.scope().isAlive() || !segment.isAccessibleBy(Thread.currentThread())) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "the memory of the %s of %s %s",
          what,
          rank,
          segment.scope().isAlive()
              ? "is in a confined arena of another thread; use a shared arena"
              : "was freed; keep its arena open during the call");
    }
  }

  private MemorySegment inputOf(long bytes) {
    if (input.byteSize() != bytes || inputMemory == null) {
      inputMemory = grown(inputMemory, bytes);
      input = inputMemory.segment().asSlice(0, bytes);
    }
    return input;
  }

  private MemorySegment outputOf(long bytes) {
    if (output.byteSize() != bytes || outputMemory == null) {
      outputMemory = grown(outputMemory, bytes);
      output = outputMemory.segment().asSlice(0, bytes);
    }
    return output;
  }

  private static NativeMemory grown(@Nullable NativeMemory memory, long bytes) {
    if (memory != null && memory.segment().byteSize() >= bytes) {
      return memory;
    }
    NativeMemory larger = NativeMemory.allocate(Math.max(bytes, 1));
    if (memory != null) {
      memory.close();
    }
    return larger;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the group is closed; create another one");
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (inputMemory != null) {
      inputMemory.close();
      inputMemory = null;
    }
    if (outputMemory != null) {
      outputMemory.close();
      outputMemory = null;
    }
  }
}
