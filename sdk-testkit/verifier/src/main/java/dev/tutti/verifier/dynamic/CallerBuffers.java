package dev.tutti.verifier.dynamic;

import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.run.Caller;
import dev.tutti.verifier.run.GroupMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller that uses its buffers whenever they are its own: puts the input in at the last moment,
 * takes copies of both buffers when the call returns, and overwrites them at once. For one run;
 * methods for different ranks may be called at once.
 */
final class CallerBuffers implements Caller {

  /** How a rank's call ended. */
  private enum End {
    NONE,
    RETURNED,
    FAILED
  }

  private final GroupMemory memory;
  private final List<MemorySegment> inputs;
  private final boolean inPlace;
  private final MemorySegment[] inputsAfter;
  private final MemorySegment[] outputsAfter;
  private final End[] ends;
  private final long seed;

  /**
   * Overwrites all memory; call it before the run.
   *
   * @param inputs what each rank puts into its input when it enters
   * @param inPlace whether each rank's input and output are one memory
   * @param seed chooses the patterns
   */
  CallerBuffers(GroupMemory memory, List<MemorySegment> inputs, boolean inPlace, long seed) {
    this.memory = memory;
    this.inputs = inputs;
    this.inPlace = inPlace;
    this.inputsAfter = new MemorySegment[inputs.size()];
    this.outputsAfter = new MemorySegment[inputs.size()];
    this.ends = new End[inputs.size()];
    this.seed = TestData.mix(seed);
    for (int rank = 0; rank < ends.length; rank++) {
      ends[rank] = End.NONE;
      inputsAfter[rank] = MemorySegment.NULL;
      outputsAfter[rank] = MemorySegment.NULL;
    }
    memory.poison(seed);
  }

  /** What a rank's output holds before its call; neighbours differ. */
  private byte before(int rank) {
    return (byte) (seed + 3L * rank);
  }

  /** What a rank's buffers hold after its call; neighbours differ, so that their data shows. */
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
    inputsAfter[rank] = copy(memory.input(rank));
    outputsAfter[rank] = copy(memory.output(rank));
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
   * The outputs of all ranks at the end of their calls; nothing of ranks that have not returned.
   */
  List<MemorySegment> outputsAfter() {
    return List.of(outputsAfter);
  }

  /** The first byte of a rank's input that its call has changed, from a byte on; or -1. */
  long changedInput(int rank, long from) {
    return mismatch(inputs.get(rank), inputsAfter[rank], from);
  }

  /** The first byte of a rank's output that its call has written to, or -1. */
  long changedOutput(int rank) {
    return firstOther(outputsAfter[rank], before(rank));
  }

  /** The first byte of a rank's buffers that was written after its call had ended, or null. */
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
    segments.forEach(segment -> copies.add(copy(segment)));
    return copies;
  }

  private static MemorySegment copy(MemorySegment segment) {
    return segment.byteSize() == 0
        ? MemorySegment.NULL
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
