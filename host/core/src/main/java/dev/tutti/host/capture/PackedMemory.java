package dev.tutti.host.capture;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.planning.Packing;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memory in which captured calls pack data with gaps, a separate part for each call. */
final class PackedMemory implements AutoCloseable {

  /** The packed memory if no call packs data. */
  static final PackedMemory NONE = new PackedMemory(null, List.of());

  private final @Nullable NativeMemory memory;
  private final List<MemorySegment> views;

  private PackedMemory(@Nullable NativeMemory memory, List<MemorySegment> views) {
    this.memory = memory;
    this.views = views;
  }

  /**
   * Allocates the packed memory of some calls.
   *
   * @throws TuttiException with {@link ErrorCode#OUT_OF_MEMORY}
   */
  static PackedMemory of(List<RecordedCall> calls) {
    List<Packing> packings = packings(calls);
    long bytes = packings.stream().mapToLong(Packing::packedBytes).sum();
    if (bytes == 0) {
      return NONE;
    }
    NativeMemory memory = NativeMemory.allocate(bytes);
    List<MemorySegment> views = new ArrayList<>();
    long at = 0;
    for (Packing packing : packings) {
      views.addAll(packing.packedViews(memory.segment().asSlice(at, packing.packedBytes())));
      at += packing.packedBytes();
    }
    return new PackedMemory(memory, List.copyOf(views));
  }

  /**
   * The packed memory of some calls, in separate memory of each rank.
   *
   * @param ofRanks the memory of each rank, of {@link #bytes} bytes
   * @param own the memory of the rank of this process, which is closed with this
   */
  static PackedMemory ofRanks(
      List<RecordedCall> calls, MemorySegment[] ofRanks, @Nullable NativeMemory own) {
    List<MemorySegment> views = new ArrayList<>();
    long[] at = new long[ofRanks.length];
    for (Packing packing : packings(calls)) {
      MemorySegment[] parts = new MemorySegment[ofRanks.length];
      for (int rank = 0; rank < ofRanks.length; rank++) {
        long bytes = packing.packedBytes(rank);
        parts[rank] = ofRanks[rank].asSlice(at[rank], bytes);
        at[rank] += bytes;
      }
      views.addAll(packing.packedViews(parts));
    }
    return new PackedMemory(own, List.copyOf(views));
  }

  /** The bytes of packed memory that some calls need for one rank. */
  static long bytes(List<RecordedCall> calls, int rank) {
    return packings(calls).stream().mapToLong(packing -> packing.packedBytes(rank)).sum();
  }

  private static List<Packing> packings(List<RecordedCall> calls) {
    return calls.stream().map(call -> call.planned().packing()).filter(Objects::nonNull).toList();
  }

  /** A segment for each packed buffer, in the order of the calls. */
  List<MemorySegment> views() {
    return views;
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
