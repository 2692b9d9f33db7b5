package dev.tutti.host.capture;

import dev.tutti.engine.Composition;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connected memory of captured calls: a buffer, or several buffers that overlap. The region starts
 * at the lowest address of its buffers.
 */
final class Region {

  private final int rank;
  private final long start;
  private final List<MemorySegment> views;
  private final long bytes;
  private final boolean isPrivate;

  /**
   * Makes a region.
   *
   * @param rank the rank that used it first
   * @param views its buffers, by address, each once
   * @param isPrivate whether a buffer cannot be used directly
   */
  Region(int rank, List<MemorySegment> views, boolean isPrivate) {
    this.rank = rank;
    this.views = List.copyOf(views);
    this.start = views.getFirst().address();
    this.bytes =
        views.stream().mapToLong(view -> view.address() + view.byteSize()).max().orElse(start)
            - start;
    this.isPrivate = isPrivate;
  }

  /** The bytes from its first byte to its last. */
  long bytes() {
    return bytes;
  }

  List<MemorySegment> views() {
    return views;
  }

  /** Whether its buffers are private: peers cannot reach it, or it lies in a mapped file. */
  boolean isPrivate() {
    return isPrivate;
  }

  long offset(MemorySegment view) {
    return view.address() - start;
  }

  /** Declares the region, with one view if one segment covers it. */
  Composition.Memory declare(Composition composition, boolean isCovered) {
    if (isCovered) {
      return composition.memory(rank, bytes);
    }
    List<Composition.View> parts = new ArrayList<>();
    views.forEach(view -> parts.add(new Composition.View(offset(view), view.byteSize())));
    return composition.memory(rank, parts);
  }

  /** A buffer that covers the region, and is writable if any buffer is; null if there is none. */
  @Nullable MemorySegment whole() {
    boolean isReadOnly = views.stream().allMatch(MemorySegment::isReadOnly);
    return views.stream()
        .filter(view -> view.byteSize() == bytes && view.isReadOnly() == isReadOnly)
        .findFirst()
        .orElse(null);
  }
}
