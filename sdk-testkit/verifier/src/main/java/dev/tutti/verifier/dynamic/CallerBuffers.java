package dev.tutti.verifier.dynamic;

import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.run.Caller;
import dev.tutti.verifier.run.GroupMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller that uses its buffers whenever it owns them: it writes the input at the last moment,
 * copies both buffers when the call returns, and overwrites them at once. Consecutive runs share
 * the memory for all copies. Within a run, several threads may call methods for different ranks at
 * the same time.
 */
final class CallerBuffers implements Caller {

  /** How a rank's call ended. */
  private enum End {
    NONE,
    RETURNED,
    FAILED
  }

  private final GroupMemory memory;
  private final boolean inPlace;
  private final MemorySegment[] inputsAfter;
  private final MemorySegment[] outputsAfter;
  private final End[] ends;
  private List<MemorySegment> inputs = List.of();
  private long seed;

  /**
   * Uses a memory for all runs.
   *
   * @param inPlace whether each rank's input and output are one memory
   */
  CallerBuffers(GroupMemory memory, boolean inPlace) {
    this.memory = memory;
    this.inPlace = inPlace;
    this.ends = new End[memory.inputs().size()];
    this.inputsAfter = new MemorySegment[ends.length];
    this.outputsAfter = new MemorySegment[ends.length];
    for (int rank = 0; rank < ends.length; rank++) {
      inputsAfter[rank] = MemorySegment.NULL;
      outputsAfter[rank] = MemorySegment.NULL;
    }
  }

  /**
   * Begins a run: overwrites all memory, and forgets how the previous run ended.
   *
   * @param inputs the data that each rank writes into its input when it enters
   * @param seed chooses the patterns
   */
  void begin(List<MemorySegment> inputs, long seed) {
    this.inputs = inputs;
    this.seed = TestData.mix(seed);
    Arrays.fill(ends, End.NONE);
    memory.poison(seed);
  }

  /** The byte that fills a rank's output before its call. It differs between neighboring ranks. */
  private byte before(int rank) {
    return (byte) (seed + 3L * rank);
  }

  /**
   * The byte that fills a rank's buffers after its call. It differs between neighboring ranks, so
   * that their data shows.
   */
  private byte after(int rank) {
    return (byte) (before(rank) ^ 0x55);
  }

  @Override
  public void enters(int rank) {
    memory.output(rank).fill(before(rank));
    memory.input(rank).copyFrom(inputs.get(rank));
  }

  @Override
  public void returns(int rank) {
    inputsAfter[rank] = copy(memory.input(rank), inputsAfter[rank]);
    outputsAfter[rank] = copy(memory.output(rank), outputsAfter[rank]);
    end(rank, End.RETURNED);
  }

  @Override
  public void fails(int rank) {
    end(rank, End.FAILED);
  }

  private void end(int rank, End end) {
    ends[rank] = end;
    memory.input(rank).fill(after(rank));
    memory.output(rank).fill(after(rank));
  }

  /** Whether a rank's call has returned with success. */
  boolean hasReturned(int rank) {
    return ends[rank] == End.RETURNED;
  }

  /** Whether a rank's call has ended with an error. */
  boolean hasFailed(int rank) {
    return ends[rank] == End.FAILED;
  }

  /**
   * The outputs of all ranks at the end of their calls, until the next run begins; {@link
   * MemorySegment#NULL} for a rank that has not returned.
   */
  List<MemorySegment> outputsAfter() {
    List<MemorySegment> outputs = new ArrayList<>();
    for (int rank = 0; rank < ends.length; rank++) {
      outputs.add(hasReturned(rank) ? outputsAfter[rank] : MemorySegment.NULL);
    }
    return outputs;
  }

  /** The first byte of a rank's input at or after {@code from} that the call has changed, or -1. */
  long changedInput(int rank, long from) {
    return mismatch(inputs.get(rank), inputsAfter[rank], from);
  }

  /** The first byte of a rank's output that the call has changed, or -1. */
  long changedOutput(int rank) {
    return firstOther(outputsAfter[rank], before(rank));
  }

  /**
   * The first byte of a rank's buffers that changed after its call had ended, in words; or null.
   */
  @Nullable String changedAfterEnd(int rank) {
    long at = firstOther(memory.input(rank), after(rank));
    if (at >= 0) {
      return (inPlace ? "in-place buffer" : "input") + " at byte " + at;
    }
    at = firstOther(memory.output(rank), after(rank));
    return at >= 0 ? "output at byte " + at : null;
  }

  /** Copies of segments on the heap. */
  static List<MemorySegment> copies(List<MemorySegment> segments) {
    List<MemorySegment> copies = new ArrayList<>();
    segments.forEach(segment -> copies.add(copy(segment, MemorySegment.NULL)));
    return copies;
  }

  /** A copy, in the memory of an earlier copy if that has the same size. */
  private static MemorySegment copy(MemorySegment segment, MemorySegment before) {
    if (segment.byteSize() == 0) {
      return MemorySegment.NULL;
    }
    return before.byteSize() == segment.byteSize()
        ? before.copyFrom(segment)
        : MemorySegment.ofArray(new byte[Math.toIntExact(segment.byteSize())]).copyFrom(segment);
  }

  static long mismatch(MemorySegment a, MemorySegment b, long from) {
    if (from >= a.byteSize()) {
      return -1;
    }
    long at = MemorySegment.mismatch(a, from, a.byteSize(), b, from, a.byteSize());
    return at < 0 ? -1 : from + at;
  }

  private static long firstOther(MemorySegment segment, byte pattern) {
    long size = segment.byteSize();
    if (size == 0) {
      return -1;
    }
    if (segment.get(ValueLayout.JAVA_BYTE, 0) != pattern) {
      return 0;
    }
    long at = MemorySegment.mismatch(segment, 1, size, segment, 0, size - 1);
    return at < 0 ? -1 : at + 1;
  }
}
