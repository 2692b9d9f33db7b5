package dev.tutti.host.capture;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.BufferCopy;
import dev.tutti.host.buffers.Reach;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that the ranks of this process have in captured operations, and copies of those that
 * other processes cannot reach. Buffers that overlap are also copied if no known memory holds them
 * all. Not thread-safe.
 */
final class RankBuffers implements AutoCloseable {

  private static final long ALIGNMENT = 128;

  private final List<RankEntry> entries;
  private final Regions regions;
  private final List<MemorySegment> reachable = new ArrayList<>();
  private final List<MemorySegment> allocations = new ArrayList<>();
  private final Reach reach;

  /** The numbers of the regions that are copied. */
  private final BitSet copied = new BitSet();

  private final CopyList before = new CopyList();
  private final CopyList after = new CopyList();
  private final MemorySegment.Scope[] scopes;
  private final @Nullable NativeMemory staging;

  /** The position of a buffer. */
  record Place(int region, long offset, long bytes) {}

  /**
   * Registers buffers.
   *
   * @param entries the operations of all ranks of this process
   * @param rank the first of these ranks
   * @param allocation finds the memory of the context that a segment is a part of
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are too many; {@link
   *     ErrorCode#BUFFER_UNAVAILABLE} for a read-only view of an array; {@link
   *     ErrorCode#OUT_OF_MEMORY}
   */
  RankBuffers(
      List<RankEntry> entries, int rank, Reach reach, UnaryOperator<MemorySegment> allocation) {
    this.entries = List.copyOf(entries);
    this.reach = reach;
    List<MemorySegment> buffers = entries.stream().flatMap(RankBuffers::buffers).toList();
    List<Regions.Use> uses = new ArrayList<>();
    for (MemorySegment buffer : buffers) {
      uses.add(new Regions.Use(buffer, reach.isPrivate(buffer), rank, uses.size()));
    }
    this.regions = Regions.ofUses(uses, Regions.MAX_REGIONS);
    this.scopes =
        buffers.stream().map(MemorySegment::scope).distinct().toArray(MemorySegment.Scope[]::new);
    List<@Nullable MemorySegment> bases = new ArrayList<>();
    long bytes = 0;
    for (Region region : regions.all()) {
      MemorySegment base = region.isPrivate() ? null : base(region, allocation);
      bases.add(base);
      bytes += base == null ? room(region) : 0;
    }
    NativeMemory room = bytes == 0 ? null : reach.allocate(bytes);
    staging = room;
    long at = 0;
    for (Region region : regions.all()) {
      MemorySegment base = bases.get(reachable.size());
      if (base == null && room != null) {
        copied.set(reachable.size());
        reachable.add(room.segment().asSlice(at, region.bytes()));
        allocations.add(room.segment());
        at += room(region);
      } else if (base != null) {
        reachable.add(base.asSlice(-region.offset(base), region.bytes()));
        allocations.add(base);
      }
    }
    entries.forEach(this::addCopies);
  }

  /** Memory that holds a region; null if there is no such memory, so that the region is copied. */
  private static @Nullable MemorySegment base(
      Region region, UnaryOperator<MemorySegment> allocation) {
    MemorySegment whole = region.whole();
    MemorySegment base = allocation.apply(whole == null ? region.views().getFirst() : whole);
    long offset = region.offset(base);
    return offset <= 0 && offset + base.byteSize() >= region.bytes() ? base : null;
  }

  private static Stream<MemorySegment> buffers(RankEntry entry) {
    return Stream.of(Optional.ofNullable(entry.input()), Optional.ofNullable(entry.output()))
        .flatMap(Optional::stream);
  }

  private static long room(Region region) {
    return (region.bytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private void addCopies(RankEntry entry) {
    MemorySegment read = entry.read();
    MemorySegment written = entry.written();
    if (read != null && isCopied(read)) {
      before.add(new BufferCopy(read, copy(read)));
    }
    if (written != null && isCopied(written)) {
      if (entry.planned().key().keepsOutput()) {
        before.add(new BufferCopy(written, copy(written)));
      }
      after.add(new BufferCopy(copy(written), written));
    }
  }

  private boolean isCopied(MemorySegment buffer) {
    return copied.get(regions.number(buffer));
  }

  private MemorySegment copy(MemorySegment buffer) {
    Place place = place(buffer);
    return reachable.get(place.region()).asSlice(place.offset(), place.bytes());
  }

  /** The position of a buffer of one of the operations. */
  Place place(MemorySegment buffer) {
    return new Place(regions.number(buffer), regions.of(buffer).offset(buffer), buffer.byteSize());
  }

  /** The segment of each region that other processes reach. */
  List<MemorySegment> reachable() {
    return reachable;
  }

  /** The allocation that holds each of these segments. */
  List<MemorySegment> allocations() {
    return allocations;
  }

  /** The scopes that keep the buffers alive. */
  MemorySegment.Scope[] scopes() {
    return scopes;
  }

  boolean areStaged() {
    return staging != null;
  }

  /** Checks that all memory is alive and fills the copies. */
  void beforeRun() {
    CapturedMemory.requireAlive(scopes);
    before.run();
  }

  /** Copies the results back. */
  void afterRun() {
    after.run();
  }

  /** Whether other buffers of the same operations have the same positions in as many regions. */
  boolean areLike(RankBuffers other) {
    boolean areLike = regions.all().size() == other.regions.all().size();
    for (int i = 0; i < entries.size() && areLike; i++) {
      RankEntry mine = entries.get(i);
      RankEntry theirs = other.entries.get(i);
      areLike =
          isLike(mine.input(), other, theirs.input())
              && isLike(mine.output(), other, theirs.output());
    }
    return areLike;
  }

  private boolean isLike(
      @Nullable MemorySegment mine, RankBuffers other, @Nullable MemorySegment theirs) {
    if (mine == null || theirs == null) {
      return mine == null && theirs == null;
    }
    return place(mine).equals(other.place(theirs));
  }

  @Override
  public void close() {
    if (staging != null) {
      reach.free(staging);
    }
  }
}
