package dev.tutti.host.rank;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.Reach;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for one rank's copies of arrays and of memory that only its thread may use. Each
 * operation in flight has a block; as many blocks are kept as were ever in use at once. The rank's
 * thread copies, so ranks copy in parallel. Large buffers may be left uncopied until an agreement
 * finds that copies are needed. Any thread may close it.
 */
final class RankStaging implements AutoCloseable {

  private final Reach reach;
  private final List<Block> free = new ArrayList<>();
  private final List<Block> taken = new ArrayList<>();
  private int mostTaken;
  private boolean isClosed;

  /** The last call for which no plan left the buffers to their rank. */
  private @Nullable RankCall neededCopies;

  RankStaging(Reach reach) {
    this.reach = reach;
  }

  /** Copies of the input and the output of one operation. */
  static final class Block {
    private final Room input;
    private final Room output;

    private Block(Reach reach) {
      this.input = new Room(reach);
      this.output = new Room(reach);
    }

    /** Memory for an input; the same segment again for the same size. */
    MemorySegment input(long bytes) {
      return input.of(bytes);
    }

    /** Memory for an output; the same segment again for the same size. */
    MemorySegment output(long bytes) {
      return output.of(bytes);
    }

    private void close() {
      input.close();
      output.close();
    }
  }

  /** Memory that grows, and the part that is in use. */
  private static final class Room {
    private final Reach reach;
    private @Nullable NativeMemory memory;
    private MemorySegment part = MemorySegment.NULL;

    Room(Reach reach) {
      this.reach = reach;
    }

    MemorySegment of(long bytes) {
      NativeMemory present = memory;
      if (present == null || present.segment().byteSize() < bytes) {
        present = reach.allocate(Math.max(bytes, 1));
        close();
        memory = present;
      }
      if (part.byteSize() != bytes) {
        part = present.segment().asSlice(0, bytes);
      }
      return part;
    }

    void close() {
      if (memory != null) {
        reach.free(memory);
        memory = null;
        part = MemorySegment.NULL;
      }
    }
  }

  /**
   * Whether a call may begin without copies. It may not if it equals the last call that needed
   * copies.
   */
  synchronized boolean mayLeaveOut(RankCall call) {
    RankCall needed = neededCopies;
    return needed == null
        || !needed.call().equals(call.call())
        || !needed.options().equals(call.options());
  }

  /** Fills a block for a call that began without copies; false if the call has ended. */
  synchronized boolean fillAfterAll(StagedCall call) {
    if (!call.areLeftOut()) {
      return false;
    }
    call.leaveOutNoMore();
    neededCopies = call.call();
    fill(call);
    return true;
  }

  /** Takes a block for a call and fills it, so that no thread can close the block in between. */
  synchronized void fill(StagedCall call) {
    requireOpen();
    Block last = call.block();
    Block block =
        last != null && free.remove(last)
            ? last
            : free.isEmpty() ? new Block(reach) : free.removeLast();
    try {
      call.fill(block);
    } catch (Throwable t) {
      free.add(block);
      throw t;
    }
    taken.add(block);
    mostTaken = Math.max(mostTaken, taken.size());
  }

  /** Copies the result of a call back, and releases its block for later calls. */
  synchronized void empty(StagedCall call) {
    requireOpen();
    try {
      call.bringBack();
    } finally {
      giveUp(call);
    }
  }

  /** Releases the block of a call without a result for later calls. */
  synchronized void giveUp(StagedCall call) {
    boolean isCopied = call.isCopied();
    call.over();
    Block block = call.block();
    if (isCopied && block != null && taken.remove(block)) {
      free.add(block);
      while (free.size() + taken.size() > mostTaken) {
        free.removeFirst().close();
      }
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the group is closed; create another one");
    }
  }

  /** Frees all blocks. Must be called only when no run is under way and none can begin. */
  @Override
  public synchronized void close() {
    isClosed = true;
    free.forEach(Block::close);
    taken.forEach(Block::close);
    free.clear();
    taken.clear();
  }
}
