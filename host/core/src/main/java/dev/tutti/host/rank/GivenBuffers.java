package dev.tutti.host.rank;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.Aliasing.Relation;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.MemoryWindows.Place;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a rank as other processes know them: their place, or only their length if no other
 * rank touches them.
 *
 * @param input the input; null if there is none, or others cannot reach it
 * @param output the output; null if there is none, or others cannot reach it
 * @param left the buffers that are left to the rank; null if others can reach all buffers
 */
record GivenBuffers(@Nullable Place input, @Nullable Place output, @Nullable Left left) {

  /**
   * Buffers that are left to their rank.
   *
   * @param input the bytes of the input; -1 if others can reach it, or there is none
   * @param output the bytes of the output; -1 if others can reach it, or there is none
   * @param inPlace whether they are the same memory
   */
  record Left(long input, long output, boolean inPlace) {}

  /**
   * The description of a rank's buffers for other processes.
   *
   * @param areLeft whether buffers that others cannot reach are left to the rank; if not, there are
   *     no such buffers
   */
  static GivenBuffers of(RankCall call, boolean areLeft, MemoryWindows windows) {
    MemorySegment input = call.input();
    MemorySegment output = call.output();
    if (!areLeft) {
      return new GivenBuffers(place(input, windows), place(output, windows), null);
    }
    long inputLeft = left(input, windows);
    long outputLeft = left(output, windows);
    return new GivenBuffers(
        inputLeft < 0 ? place(input, windows) : null,
        outputLeft < 0 ? place(output, windows) : null,
        new Left(inputLeft, outputLeft, Relation.of(input, output) == Relation.SAME));
  }

  /** The description of buffers that do not matter to other ranks. */
  static GivenBuffers none() {
    return new GivenBuffers(null, null, null);
  }

  private static @Nullable Place place(@Nullable MemorySegment buffer, MemoryWindows windows) {
    return buffer == null ? null : windows.placeOf(buffer);
  }

  /** The bytes of a buffer that others cannot reach; -1 if they can, or if there is none. */
  private static long left(@Nullable MemorySegment buffer, MemoryWindows windows) {
    return buffer == null || windows.holds(buffer) ? -1 : buffer.byteSize();
  }

  void write(BodyWriter body) {
    Place.write(body, input);
    Place.write(body, output);
    body.number(left == null ? 0 : 1);
    if (left != null) {
      body.number(left.input).number(left.output).number(left.inPlace ? 1 : 0);
    }
  }

  static GivenBuffers read(BodyReader body) {
    Place input = Place.readAny(body);
    Place output = Place.readAny(body);
    Left left =
        body.number() == 0 ? null : new Left(body.number(), body.number(), body.number() != 0);
    return new GivenBuffers(input, output, left);
  }

  /** Reads the buffers of a number of ranks. */
  static List<GivenBuffers> readAll(BodyReader body, int ranks) {
    List<GivenBuffers> all = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      all.add(read(body));
    }
    return all;
  }

  /** Whether any buffers are left to the rank. */
  boolean areLeft() {
    return left != null;
  }

  @Nullable MemorySegment input(int rank, MemoryWindows windows) {
    return input != null
        ? windows.segment(input, true)
        : left == null ? null : beyond(left.input, 2 * rank);
  }

  @Nullable MemorySegment output(int rank, MemoryWindows windows) {
    return output != null
        ? windows.segment(output, true)
        : left == null ? null : beyond(left.output, left.inPlace ? 2 * rank : 2 * rank + 1);
  }

  private static @Nullable MemorySegment beyond(long bytes, int number) {
    return bytes < 0 ? null : NativeMemory.beyond(number, bytes);
  }
}
