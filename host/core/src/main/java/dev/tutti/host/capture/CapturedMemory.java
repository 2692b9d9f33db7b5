package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composition;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.BufferCopy;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.planning.Packing;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of captured calls, each registered once for all calls. A buffer that peers cannot
 * reach, or that lies in a mapped file, is copied into memory of this object before a run, and back
 * after it. Not thread-safe.
 */
final class CapturedMemory implements AutoCloseable {

  private static final long ALIGNMENT = 128;

  private final Regions regions;

  /** The segments of each region that peers reach: one segment, or one for each of its buffers. */
  private final List<List<MemorySegment>> reachable = new ArrayList<>();

  private final CopyList before = new CopyList();
  private final CopyList after = new CopyList();
  private final MemorySegment.Scope[] scopes;
  private final int handles;
  private @Nullable NativeMemory copies;
  private boolean holdsFiles;
  private PackedMemory packed = PackedMemory.NONE;

  /**
   * Registers the buffers of some calls.
   *
   * @param allocation finds the memory of the context that a segment is a part of, or returns the
   *     segment
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are too many
   */
  CapturedMemory(List<RecordedCall> calls, UnaryOperator<MemorySegment> allocation) {
    this.regions = Regions.of(calls, Regions.MAX_REGIONS);
    Set<Long> bases = new LinkedHashSet<>();
    for (Region region : regions.all()) {
      MemorySegment first = region.views().getFirst();
      if (region.isPrivate()) {
        reachable.add(List.of(first));
      } else {
        MemorySegment base = allocation.apply(first);
        bases.add(base.address());
        reachable.add(cover(region, base));
      }
    }
    this.handles = bases.size();
    this.scopes =
        calls.stream()
            .flatMap(call -> List.of(call.buffers().scopes()).stream())
            .distinct()
            .toArray(MemorySegment.Scope[]::new);
  }

  /**
   * Allocates copies of private regions, except arrays and mapped files that the plan only copies,
   * and memory for packed data.
   *
   * @throws TuttiException with {@link ErrorCode#OUT_OF_MEMORY}
   */
  void settle(List<RecordedCall> calls, CompiledPlan compiled) {
    boolean[] isCopied = new boolean[reachable.size()];
    long bytes = 0;
    int view = 0;
    for (int i = 0; i < isCopied.length; i++) {
      Region region = regions.all().get(i);
      MemorySegment whole = region.whole();
      boolean isCopyable = whole != null && CallerBuffers.isShared(whole);
      isCopied[i] = region.isPrivate() && !(isCopyable && compiled.takesArray(view));
      holdsFiles |= region.isPrivate() && !isCopied[i] && whole != null && whole.isNative();
      bytes += isCopied[i] ? room(region) : 0;
      view += reachable.get(i).size();
    }
    NativeMemory room = bytes == 0 ? null : NativeMemory.allocate(bytes);
    copies = room;
    long at = 0;
    for (int i = 0; i < isCopied.length; i++) {
      Region region = regions.all().get(i);
      MemorySegment whole = region.whole();
      if (isCopied[i] && room != null) {
        reachable.set(i, List.of(room.segment().asSlice(at, region.bytes())));
        at += room(region);
      } else if (region.isPrivate() && whole != null) {
        reachable.set(i, List.of(whole));
      }
    }
    calls.forEach(call -> addCopies(call, isCopied));
    packed = PackedMemory.of(calls);
  }

  private static long room(Region region) {
    return (region.bytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * One segment for a whole region: a buffer that covers it, or else a slice of the allocation. If
   * there is neither, all buffers of the region.
   */
  private static List<MemorySegment> cover(Region region, MemorySegment base) {
    MemorySegment whole = region.whole();
    long offset = region.offset(base);
    if (whole != null) {
      return List.of(whole);
    }
    if (offset <= 0 && offset + base.byteSize() >= region.bytes()) {
      return List.of(base.asSlice(-offset, region.bytes()));
    }
    return region.views();
  }

  private void addCopies(RecordedCall call, boolean[] isCopied) {
    CallerBuffers buffers = call.buffers();
    boolean keepsOutput = call.planned().key().keepsOutput();
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      MemorySegment output = buffers.output(rank);
      addCopy(buffers.input(rank), isCopied, before, true);
      addCopy(keepsOutput ? output : null, isCopied, before, true);
      addCopy(output, isCopied, after, false);
    }
  }

  /** Adds a copy of a buffer, once, if its region is copied. */
  private void addCopy(
      @Nullable MemorySegment buffer, boolean[] isCopied, CopyList list, boolean isIn) {
    if (buffer == null || !isCopied[regions.number(buffer)]) {
      return;
    }
    MemorySegment copy =
        reachable
            .get(regions.number(buffer))
            .getFirst()
            .asSlice(regions.of(buffer).offset(buffer), buffer.byteSize());
    list.add(isIn ? new BufferCopy(buffer, copy) : new BufferCopy(copy, buffer));
  }

  /** The composition of the calls' plans over these regions. */
  Composition compose(int ranks, List<RecordedCall> calls) {
    Composition composition = new Composition(ranks);
    List<Composition.Memory> memories = new ArrayList<>();
    for (int i = 0; i < reachable.size(); i++) {
      memories.add(regions.all().get(i).declare(composition, reachable.get(i).size() == 1));
    }
    for (RecordedCall call : calls) {
      Packing packing = call.planned().packing();
      if (packing == null) {
        composition.part(
            call.planned().plan(), (rank, type) -> place(memories, call.buffers(), rank, type));
      } else {
        packing.addTo(
            composition,
            (rank, type) -> Objects.requireNonNull(place(memories, call.buffers(), rank, type)));
      }
    }
    return composition;
  }

  private Composition.@Nullable Place place(
      List<Composition.Memory> memories, CallerBuffers buffers, int rank, TransportMemType type) {
    return switch (type) {
      case PARAM_INPUT -> place(memories, buffers.input(rank));
      case PARAM_OUTPUT -> place(memories, buffers.output(rank));
      default -> null;
    };
  }

  private Composition.@Nullable Place place(
      List<Composition.Memory> memories, @Nullable MemorySegment buffer) {
    if (buffer == null) {
      return null;
    }
    return new Composition.Place(
        memories.get(regions.number(buffer)), regions.of(buffer).offset(buffer));
  }

  /** Takes packed memory that was made elsewhere, if buffers are used directly. */
  void usePacked(PackedMemory made) {
    packed = made;
  }

  /** A segment for each view of the composition, by its number. */
  MemorySegment[] views() {
    return Stream.concat(reachable.stream().flatMap(List::stream), packed.views().stream())
        .toArray(MemorySegment[]::new);
  }

  /** The number of regions. */
  int count() {
    return reachable.size();
  }

  /** The number of allocations that hold the regions that peers reach. */
  int handles() {
    return handles;
  }

  boolean isStaged() {
    return copies != null;
  }

  /** Whether the plan itself touches mapped files. */
  boolean holdsFiles() {
    return holdsFiles;
  }

  /** The memory for packed data, which has gaps in its buffers. */
  PackedMemory packed() {
    return packed;
  }

  /** The scopes that keep the buffers alive. */
  MemorySegment.Scope[] scopes() {
    return scopes;
  }

  /** Checks that all memory is alive and fills the copies. Allocates nothing. */
  void beforeRun() {
    requireAlive(scopes);
    before.run();
  }

  /**
   * Checks that the memory of captured buffers is alive. Allocates nothing.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE}
   */
  static void requireAlive(MemorySegment.Scope[] scopes) {
    for (MemorySegment.Scope scope : scopes) {
      if (!scope.isAlive()) {
        throw new TuttiException(
            ErrorCode.BUFFER_UNAVAILABLE,
            "the memory of a captured buffer was freed; keep its arena open while the capture is"
                + " used, or rebind the buffer");
      }
    }
  }

  /** Copies the results back. */
  void afterRun() {
    after.run();
  }

  /**
   * Whether other buffers of the same calls form the same number of regions and have the same
   * positions in them.
   */
  boolean isLike(List<RecordedCall> calls, CapturedMemory other, List<RecordedCall> otherCalls) {
    boolean isLike = reachable.size() == other.reachable.size();
    for (int i = 0; i < calls.size() && isLike; i++) {
      CallerBuffers mine = calls.get(i).buffers();
      CallerBuffers theirs = otherCalls.get(i).buffers();
      for (int rank = 0; rank < mine.inputs().length && isLike; rank++) {
        isLike =
            isLike(mine.input(rank), other, theirs.input(rank))
                && isLike(mine.output(rank), other, theirs.output(rank));
      }
    }
    return isLike;
  }

  /**
   * Whether corresponding regions have the same number of segments that peers reach, so that a plan
   * over these regions can be bound to the others. The numbers can differ if buffers overlap and
   * none covers the others: in memory that peers reach they can be several segments, but a copy of
   * them is one segment.
   */
  boolean hasSameViews(CapturedMemory other) {
    boolean isSame = true;
    for (int i = 0; i < reachable.size() && isSame; i++) {
      isSame = reachable.get(i).size() == other.reachable.get(i).size();
    }
    return isSame;
  }

  private boolean isLike(
      @Nullable MemorySegment mine, CapturedMemory other, @Nullable MemorySegment theirs) {
    if (mine == null || theirs == null) {
      return mine == null && theirs == null;
    }
    return regions.number(mine) == other.regions.number(theirs)
        && regions.of(mine).offset(mine) == other.regions.of(theirs).offset(theirs);
  }

  @Override
  public void close() {
    packed.close();
    if (copies != null) {
      copies.close();
    }
  }
}
