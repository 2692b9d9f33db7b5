package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Several plans of one group that run as one. The callers' memories are declared here, and each
 * part places its ranks' inputs and outputs in them, so that one part can read what another one has
 * written. Each part has its own staging buffers, scratch and AIV memory; parts share them if that
 * costs no waiting. Not thread-safe.
 *
 * <p>The parts have the same effect as if each began after all ranks have ended the one before. The
 * accesses of the parts show which order this requires. Only order that their notifies do not
 * already give is added, so a rank that is ahead can begin the next part.
 */
public final class Composition {

  private final int ranks;
  private final long[] ends;
  private final List<Memory> memories = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int views;

  /** An empty composition of plans of a group. */
  public Composition(int ranks) {
    this.ranks = ranks;
    this.ends = new long[ranks];
  }

  /**
   * Some bytes of a memory that one segment covers.
   *
   * @param offset the first byte, 0 or more
   * @param bytes the number of bytes, 1 or more
   */
  public record View(long offset, long bytes) {}

  /** A memory of the callers, which is bound to a segment for each of its views. */
  public static final class Memory {
    private final int rank;
    private final long base;
    private final long bytes;
    private final int firstView;
    private final List<View> views;

    private Memory(int rank, long base, int firstView, List<View> views) {
      this.rank = rank;
      this.base = base;
      this.bytes = views.stream().mapToLong(view -> view.offset + view.bytes).max().orElse(0);
      this.firstView = firstView;
      this.views = List.copyOf(views);
    }

    /** The bytes from its start to the end of its last view. */
    public long bytes() {
      return bytes;
    }

    /** The number of its first view among all views of the composition; the others follow. */
    public int firstView() {
      return firstView;
    }

    /** The rank that owns it, for messages. */
    public int rank() {
      return rank;
    }

    /** Its first byte in the memory that plans call the input of its rank. */
    long base() {
      return base;
    }

    List<View> views() {
      return views;
    }
  }

  /**
   * Where a memory of a part begins.
   *
   * @param offset in bytes, 0 or more
   */
  public record Place(Memory memory, long offset) {}

  /** Where the inputs and outputs of a part lie. */
  @FunctionalInterface
  public interface Places {

    /**
     * The place of a rank's memory of a kind.
     *
     * @return null if the part does not touch it, and for staging buffers, scratch and AIV memory,
     *     if they are the part's own
     */
    @Nullable Place of(int rank, TransportMemType type);
  }

  /**
   * A plan with the places of its memories.
   *
   * @param divisor the number by which its reductions divide their source; 0 if they reduce
   */
  record Part(GroupPlan plan, MemoryUse use, Places places, int divisor) {}

  /**
   * Declares a memory that one segment covers. Memories must not overlap.
   *
   * @param rank the rank that owns it, for messages
   * @param bytes its size, 1 or more
   */
  public Memory memory(int rank, long bytes) {
    return memory(rank, List.of(new View(0, bytes)));
  }

  /** Declares a memory of several views that may overlap; every access must lie in one of them. */
  public Memory memory(int rank, List<View> newViews) {
    Memory memory = new Memory(rank, ends[rank], views, newViews);
    ends[rank] = Math.addExact(ends[rank], memory.bytes());
    views += newViews.size();
    memories.add(memory);
    return memory;
  }

  /**
   * Adds a plan after the existing parts.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if it has a different number of
   *     ranks, or {@link ErrorCode#OUT_OF_BOUNDS} if a memory has no place or too small a place
   */
  public Composition part(GroupPlan plan, Places places) {
    return part(plan, places, 0);
  }

  /**
   * Adds a division after the existing parts.
   *
   * @param plan each of its sum reductions, {@code dst = dst + src}, becomes {@code dst = src /
   *     divisor}; integers are divided towards zero
   * @param divisor 1 or more
   * @throws TuttiException as {@link #part}
   */
  public Composition division(GroupPlan plan, Places places, int divisor) {
    return part(plan, places, divisor);
  }

  private Composition part(GroupPlan plan, Places places, int divisor) {
    if (plan.rankSize() != ranks) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "a composition for %d ranks cannot have a part of %d: %s",
          ranks,
          plan.rankSize(),
          plan);
    }
    Part part = new Part(plan, MemoryUse.of(plan), places, divisor);
    for (int rank = 0; rank < ranks; rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        check(part, rank, type);
      }
    }
    parts.add(part);
    return this;
  }

  /**
   * Adds the parts of another composition after the existing parts.
   *
   * @param other a composition with the same number of ranks
   * @param places where each of its memories lies in this one
   * @throws TuttiException as {@link #part}
   */
  public Composition parts(Composition other, Function<Memory, Place> places) {
    for (Part part : other.parts) {
      part(part.plan, (rank, type) -> within(part.places.of(rank, type), places), part.divisor);
    }
    return this;
  }

  private static @Nullable Place within(@Nullable Place inner, Function<Memory, Place> places) {
    if (inner == null) {
      return null;
    }
    Place outer = places.apply(inner.memory);
    return new Place(outer.memory, outer.offset + inner.offset);
  }

  private static void check(Part part, int rank, TransportMemType type) {
    long needed = part.use.end(rank, type);
    Place place = part.places.of(rank, type);
    boolean isMissing = place == null && !isPrivate(type) && needed > 0;
    if (isMissing || (place != null && place.offset + needed > place.memory.bytes)) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "%s needs %d bytes for %s of rank %d. Actual: %s",
          part.plan.name(),
          needed,
          type.label(),
          rank,
          place == null ? "no memory" : place.memory.bytes - place.offset + " bytes");
    }
  }

  /** Whether memory of this kind is a part's own unless it has a place. */
  static boolean isPrivate(TransportMemType type) {
    return type != TransportMemType.PARAM_INPUT && type != TransportMemType.PARAM_OUTPUT;
  }

  int ranks() {
    return ranks;
  }

  /** The bytes of all memories of a rank. */
  long bytesOf(int rank) {
    return ends[rank];
  }

  List<Memory> memories() {
    return memories;
  }

  /** The number of views of all memories. */
  int views() {
    return views;
  }

  List<Part> parts() {
    return parts;
  }
}
