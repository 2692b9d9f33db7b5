package dev.tutti.host.buffers;

import dev.tutti.engine.memory.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies of buffers that plans do not use directly: arrays, memory of confined arenas and mapped
 * files. They are filled before each run and copied back after it. Not thread-safe.
 */
final class BufferStaging implements AutoCloseable {

  private static final long ALIGNMENT = 128;

  private final NativeMemory memory;
  private final List<BufferCopy> before;
  private final List<BufferCopy> after;
  private final @Nullable MemorySegment[] inputs;
  private final @Nullable MemorySegment[] outputs;

  private BufferStaging(
      NativeMemory memory,
      List<BufferCopy> before,
      List<BufferCopy> after,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    this.memory = memory;
    this.before = before;
    this.after = after;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /**
   * Allocates copies for the buffers that need them.
   *
   * @param keepsOutput whether the operation leaves parts of an output unchanged, so that the
   *     copies must hold its old contents
   */
  static BufferStaging of(CallerBuffers buffers, boolean keepsOutput) {
    long bytes = 0;
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      bytes += room(buffers, buffers.inputs()[rank]);
      bytes +=
          buffers.inPlace() && buffers.inputs()[rank] != null
              ? 0
              : room(buffers, buffers.outputs()[rank]);
    }
    NativeMemory memory = NativeMemory.allocate(bytes);
    List<BufferCopy> before = new ArrayList<>();
    List<BufferCopy> after = new ArrayList<>();
    @Nullable MemorySegment[] inputs = buffers.inputs().clone();
    @Nullable MemorySegment[] outputs = buffers.outputs().clone();
    long at = 0;
    for (int rank = 0; rank < inputs.length; rank++) {
      MemorySegment input = inputs[rank];
      MemorySegment output = outputs[rank];
      if (input != null && buffers.isPrivate(input)) {
        MemorySegment copy = memory.segment().asSlice(at, input.byteSize());
        at += room(buffers, input);
        before.add(new BufferCopy(input, copy));
        inputs[rank] = copy;
      }
      if (output != null && buffers.isPrivate(output)) {
        boolean isShared = buffers.inPlace() && input != null;
        MemorySegment copy =
            isShared ? inputs[rank] : memory.segment().asSlice(at, output.byteSize());
        at += isShared ? 0 : room(buffers, output);
        if (copy != null) {
          if (!isShared && keepsOutput) {
            before.add(new BufferCopy(output, copy));
          }
          after.add(new BufferCopy(copy, output));
          outputs[rank] = copy;
        }
      }
    }
    return new BufferStaging(memory, before, after, inputs, outputs);
  }

  private static long room(CallerBuffers buffers, @Nullable MemorySegment segment) {
    return segment == null || !buffers.isPrivate(segment)
        ? 0
        : (segment.byteSize() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** The inputs, with copies in place of those that peers cannot reach. */
  @Nullable MemorySegment[] inputs() {
    return inputs;
  }

  /** The outputs, with copies in place of those that peers cannot reach. */
  @Nullable MemorySegment[] outputs() {
    return outputs;
  }

  /** Fills the copies. */
  void before() {
    for (int i = 0; i < before.size(); i++) {
      before.get(i).run();
    }
  }

  /** Copies the results back. */
  void after() {
    for (int i = 0; i < after.size(); i++) {
      after.get(i).run();
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
