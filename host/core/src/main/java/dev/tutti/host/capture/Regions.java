package dev.tutti.host.capture;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The regions of the buffers of captured calls, in the order of their first use. */
final class Regions {

  /** The largest number of regions of one capture. */
  static final int MAX_REGIONS = 1 << 16;

  private static final Object NATIVE = new Object();

  private final List<Region> all = new ArrayList<>();
  private final IdentityHashMap<Region, Integer> numbers = new IdentityHashMap<>();

  /** The regions of each array, and those of native memory, by address. */
  private final IdentityHashMap<Object, TreeMap<Long, Region>> byBase = new IdentityHashMap<>();

  /** A buffer, the rank that uses it, and the order of its first use. */
  record Use(MemorySegment segment, boolean isPrivate, int rank, int order) {}

  /**
   * Finds the regions of some calls.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are too many
   */
  static Regions of(List<RecordedCall> calls, int limit) {
    return ofUses(uses(calls), limit);
  }

  /** The same for buffers that are given one by one. */
  static Regions ofUses(List<Use> uses, int limit) {
    Regions regions = new Regions();
    IdentityHashMap<Object, List<Use>> usesByBase = new IdentityHashMap<>();
    for (Use use : uses) {
      usesByBase.computeIfAbsent(base(use.segment), b -> new ArrayList<>()).add(use);
    }
    Map<Region, Integer> firstUse = new LinkedHashMap<>();
    usesByBase.forEach((base, ofBase) -> regions.cluster(base, ofBase, firstUse));
    regions.all.addAll(firstUse.keySet());
    regions.all.sort(Comparator.comparing(firstUse::get));
    if (regions.all.size() > limit) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a capture can have %d separate buffers; use fewer and larger ones, or several captures."
              + " Actual: %d, %d too many",
          limit,
          regions.all.size(),
          regions.all.size() - limit);
    }
    regions.all.forEach(region -> regions.numbers.put(region, regions.numbers.size()));
    return regions;
  }

  private static List<Use> uses(List<RecordedCall> calls) {
    List<Use> uses = new ArrayList<>();
    for (RecordedCall call : calls) {
      CallerBuffers buffers = call.buffers();
      for (int rank = 0; rank < buffers.inputs().length; rank++) {
        add(uses, buffers, buffers.input(rank), rank);
        add(uses, buffers, buffers.output(rank), rank);
      }
    }
    return uses;
  }

  private static void add(
      List<Use> uses, CallerBuffers buffers, @Nullable MemorySegment segment, int rank) {
    if (segment != null) {
      uses.add(new Use(segment, buffers.isPrivate(segment), rank, uses.size()));
    }
  }

  /** The array of a buffer; one object represents all native memory. */
  private static Object base(MemorySegment segment) {
    if (segment.isNative()) {
      return NATIVE;
    }
    return segment
        .heapBase()
        .orElseThrow(
            () ->
                new TuttiException(
                    ErrorCode.BUFFER_UNAVAILABLE,
                    "a read-only view hides its array, so a captured call cannot use it; give a"
                        + " writable view, or native memory"));
  }

  /**
   * Sweeps the buffers of an array, or of native memory, by address; overlapping ones share a
   * region.
   */
  private void cluster(Object base, List<Use> uses, Map<Region, Integer> firstUse) {
    uses.sort(Comparator.comparingLong(use -> use.segment.address()));
    TreeMap<Long, Region> ofBase = new TreeMap<>();
    List<Use> together = new ArrayList<>();
    long end = 0;
    for (Use use : uses) {
      if (!together.isEmpty() && use.segment.address() >= end) {
        close(together, ofBase, firstUse);
        together.clear();
      }
      together.add(use);
      long endOfUse = use.segment.address() + use.segment.byteSize();
      end = together.size() == 1 ? endOfUse : Math.max(end, endOfUse);
    }
    close(together, ofBase, firstUse);
    byBase.put(base, ofBase);
  }

  private static void close(
      List<Use> uses, NavigableMap<Long, Region> ofBase, Map<Region, Integer> firstUse) {
    List<MemorySegment> views = new ArrayList<>();
    Use first = uses.getFirst();
    for (Use use : uses) {
      if (views.stream().noneMatch(view -> SegmentComparison.isSameView(view, use.segment))) {
        views.add(use.segment);
      }
      first = use.order < first.order ? use : first;
    }
    boolean isPrivate = uses.stream().anyMatch(Use::isPrivate);
    Region region = new Region(first.rank, views, isPrivate);
    ofBase.put(uses.getFirst().segment.address(), region);
    firstUse.put(region, first.order);
  }

  /** All regions, in the order of their first use. */
  List<Region> all() {
    return all;
  }

  /** The index of a buffer's region. */
  int number(MemorySegment buffer) {
    Integer number = numbers.get(of(buffer));
    return number == null ? -1 : number;
  }

  /** The region of a buffer of one of the calls. */
  Region of(MemorySegment buffer) {
    TreeMap<Long, Region> ofBase = byBase.get(base(buffer));
    Map.@Nullable Entry<Long, Region> found =
        ofBase == null ? null : ofBase.floorEntry(buffer.address());
    if (found == null) {
      throw new IllegalStateException("no captured call uses the buffer " + buffer);
    }
    return found.getValue();
  }
}
