package dev.tutti.cli.request;

import dev.tutti.cli.options.MemoryKind;
import dev.tutti.cli.options.Sizes;
import dev.tutti.host.Context;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Allocates buffers of one kind and frees them together. */
final class MemorySource implements AutoCloseable {

  private static final long ALIGNMENT = 64;
  private static final long MAX_HEAP_BYTES = Integer.MAX_VALUE - 8L;

  private final Context context;
  private final MemoryKind kind;
  private final Arena arena = Arena.ofShared();
  private final List<RegisteredMemory> registered = new ArrayList<>();

  MemorySource(Context context, MemoryKind kind) {
    this.context = context;
    this.kind = kind;
  }

  /** Allocates a buffer of a rank. */
  MemorySegment allocate(long bytes) {
    return switch (kind) {
      case HEAP -> onHeap(bytes);
      case NATIVE -> allocateNative(bytes);
      case REGISTERED -> {
        RegisteredMemory memory = context.allocate(bytes);
        registered.add(memory);
        yield memory.segment();
      }
    };
  }

  /** Allocates plain native memory, whatever the kind, for data that the engine does not use. */
  MemorySegment allocateNative(long bytes) {
    return arena.allocate(bytes, ALIGNMENT);
  }

  private static MemorySegment onHeap(long bytes) {
    if (bytes > MAX_HEAP_BYTES) {
      throw new TuttiException(
          ErrorCode.OUT_OF_MEMORY,
          "a heap buffer holds at most %s. Actual: %s; use --memory native",
          Sizes.bytes(MAX_HEAP_BYTES),
          Sizes.bytes(bytes));
    }
    // An array of longs is aligned for every type.
    long[] array = new long[(int) ((bytes + Long.BYTES - 1) / Long.BYTES)];
    return MemorySegment.ofArray(array).asSlice(0, bytes);
  }

  @Override
  public void close() {
    registered.forEach(RegisteredMemory::close);
    arena.close();
  }
}
