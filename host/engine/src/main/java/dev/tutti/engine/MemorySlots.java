package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the memories of all ranks. If the plan is in place, a rank's input and output are one
 * memory and have one number. The callers' memories of a composition come after those of the ranks,
 * a number for each view.
 */
final class MemorySlots {

  static final TransportMemType[] TYPES = TransportMemType.values();

  private static final long[] NONE = {};

  /**
   * Bytes of each memory that the plan touches; empty for a plan that was made from another one.
   */
  private final long[] sizes;

  /**
   * By slot: its place in {@link #movedSizes}, or -1 if it is not touched. Plans of one structure
   * share this array, so that each plan stores only one number per touched memory.
   */
  private final int @Nullable [] places;

  private final long[] movedSizes;

  /** Whether the plan computes in a memory, instead of only copying to and from it. */
  private final boolean[] computes;

  private final boolean inPlace;
  private final @Nullable ViewTable views;

  MemorySlots(GroupPlan plan) {
    this(plan, null);
  }

  /** Slots of a composition's plan. */
  MemorySlots(GroupPlan plan, @Nullable ViewTable views) {
    this.inPlace = plan.inPlace();
    this.views = views;
    int ofRanks = plan.rankSize() * TYPES.length;
    this.sizes = new long[views == null ? ofRanks : ofRanks + views.count()];
    this.places = null;
    this.movedSizes = NONE;
    this.computes = new boolean[sizes.length];
  }

  /** Slots of another plan of the same structure, which computes in the same slots. */
  private MemorySlots(MemorySlots model, int[] places, long[] sizes) {
    this.inPlace = model.inPlace;
    this.views = null;
    this.sizes = NONE;
    this.places = places;
    this.movedSizes = sizes;
    this.computes = model.computes;
  }

  /** The number of each touched slot among the touched slots; -1 for the others. */
  int[] touchedPlaces() {
    int[] found = new int[sizes.length];
    int count = 0;
    for (int slot = 0; slot < found.length; slot++) {
      found[slot] = sizes[slot] == 0 ? -1 : count++;
    }
    return found;
  }

  /**
   * The slots of a plan of the same structure; not for compositions.
   *
   * @param touched {@link #touchedPlaces} of these slots
   */
  MemorySlots moved(PlanClone plan, int[] touched) {
    long[] moved = new long[touched.length];
    int count = 0;
    for (int slot = 0; slot < touched.length; slot++) {
      if (touched[slot] >= 0) {
        int last = plan.structure().lastUsed(slot / TYPES.length, TYPES[slot % TYPES.length]);
        moved[count++] = plan.position(last);
      }
    }
    return new MemorySlots(this, touched, Arrays.copyOf(moved, count));
  }

  private long size(int slot) {
    if (places == null) {
      return sizes[slot];
    }
    return places[slot] < 0 ? 0 : movedSizes[places[slot]];
  }

  int count() {
    return computes.length;
  }

  /** Records that a plan touches a memory up to some byte. */
  void touch(int slot, long end) {
    sizes[slot] = Math.max(sizes[slot], end);
  }

  /** Bytes of all memories that the plan touches. */
  long touchedBytes() {
    return LongStream.of(places == null ? sizes : movedSizes).sum();
  }

  /** Records that a reduction reads or writes a memory. */
  void compute(int slot) {
    computes[slot] = true;
  }

  /** Whether the plan only copies to and from a rank's memory, so that it may be an array. */
  boolean isOnlyCopied(int rank, TransportMemType type) {
    return !computes[of(rank, type)];
  }

  /** Whether the plan only copies to and from a view, so that it may be an array. */
  boolean isOnlyCopied(int view) {
    return !computes[firstView() + view];
  }

  int of(int rank, TransportMemType type) {
    TransportMemType kind =
        inPlace && type == TransportMemType.PARAM_OUTPUT ? TransportMemType.PARAM_INPUT : type;
    return rank * TYPES.length + kind.ordinal();
  }

  /** The slot of some bytes of a rank's memory. */
  int of(int rank, TransportMemType type, long offset, long bytes) {
    return views != null && type == TransportMemType.PARAM_INPUT
        ? firstView() + views.find(rank, offset, bytes)
        : of(rank, type);
  }

  /** Converts an offset in a rank's memory to an offset in its slot. */
  long offset(int slot, long offset) {
    return views != null && slot >= firstView() ? offset - views.start(slot - firstView()) : offset;
  }

  /** Whether another slot may contain bytes of this slot. */
  boolean isShared(int slot) {
    return views != null && isView(slot) && views.isShared(slot - firstView());
  }

  /** The memory of a slot, as one number for all slots that may share bytes. */
  int memory(int slot) {
    return isView(slot) ? of(rank(slot), TransportMemType.PARAM_INPUT) : slot;
  }

  /** Where a slot begins in its {@link #memory}. */
  long start(int slot) {
    return views != null && isView(slot) ? views.start(slot - firstView()) : 0;
  }

  private boolean isView(int slot) {
    return slot >= firstView() && slot < computes.length;
  }

  /** Whether a slot is memory that the group provides, which no caller sees. */
  boolean isPrivate(int slot) {
    return slot < firstView() && Composition.isPrivate(TYPES[slot % TYPES.length]);
  }

  /** The rank that a slot's memory belongs to. */
  int rank(int slot) {
    return views != null && slot >= firstView()
        ? views.rank(slot - firstView())
        : slot / TYPES.length;
  }

  /** How many views there are. */
  int views() {
    return computes.length - firstView();
  }

  /** The rank that a view's memory belongs to. */
  int rankOfView(int view) {
    return rank(firstView() + view);
  }

  /** Whether the plan computes in a slot. */
  boolean computes(int slot) {
    return computes[slot];
  }

  private int firstView() {
    return views == null ? computes.length : computes.length - views.count();
  }

  /** Puts a rank's memory into its slot, after checking that it is large enough and reachable. */
  void set(MemorySegment[] slots, int rank, TransportMemType type, MemorySegment segment) {
    int slot = of(rank, type);
    if (inPlace && type == TransportMemType.PARAM_OUTPUT && size(slot) > 0) {
      MemorySegment input = slots[slot];
      if (input.address() != segment.address()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the plan is in place: input and output of rank %d must be the same memory",
            rank);
      }
    }
    if (segment.byteSize() < size(slot)) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "%s memory of rank %d needs %d bytes. Actual: %d bytes",
          type.label(),
          rank,
          size(slot),
          segment.byteSize());
    }
    if (!segment.isNative() && computes[slot]) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "%s memory of rank %d must be off-heap, because the plan reduces there; copy heap arrays"
              + " to native memory first",
          type.label(),
          rank);
    }
    slots[slot] = segment;
  }

  /** Puts a segment into the slot of a view, after checking it. */
  void setView(MemorySegment[] slots, int view, MemorySegment segment) {
    if (views == null
        || segment.byteSize() < views.bytes(view)
        || (!segment.isNative() && computes[firstView() + view])) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "view %d needs %d bytes of native memory. Actual: %s",
          view,
          views == null ? 0 : views.bytes(view),
          segment);
    }
    slots[firstView() + view] = segment;
  }

  /** All slots of a composition: those of the ranks, and a segment for each view. */
  MemorySegment[] bind(@Nullable MemorySegment[][] memory, MemorySegment[] ofViews) {
    MemorySegment[] slots = bind(memory);
    for (int view = 0; view < views(); view++) {
      setView(slots, view, ofViews[view]);
    }
    return slots;
  }

  /** All slots from one segment per rank and kind; null means memory of 0 bytes. */
  MemorySegment[] bind(@Nullable MemorySegment[][] memory) {
    if (memory.length * TYPES.length != firstView()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the plan has %d ranks. Actual: memory of %d ranks",
          firstView() / TYPES.length,
          memory.length);
    }
    MemorySegment[] slots = new MemorySegment[computes.length];
    Arrays.fill(slots, MemorySegment.NULL);
    for (int rank = 0; rank < memory.length; rank++) {
      for (TransportMemType type : TYPES) {
        MemorySegment segment =
            type.ordinal() < memory[rank].length ? memory[rank][type.ordinal()] : null;
        set(slots, rank, type, segment == null ? MemorySegment.NULL : segment);
      }
    }
    return slots;
  }
}
