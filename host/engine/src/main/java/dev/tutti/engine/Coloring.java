package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.Placement;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.BitSet;
import java.util.List;

/**
 * Gives each part of a composition a color. Parts of one color share their staging buffers, scratch
 * and AIV memory. As long as sharing makes a rank wait that otherwise need not wait, the waiting
 * part gets the next color.
 */
final class Coloring {

  /** The most colors: more would save few waits and cost much memory. */
  private static final int MAX_COLORS = 4;

  /** The memory of each color is aligned to a pair of cache lines. */
  private static final long ALIGNMENT = 128;

  private final Composition composition;
  private final int[] colorOf;

  /** The bytes of one color, by rank and kind. */
  private final long[][] strides;

  private int colors = 1;

  Coloring(Composition composition) {
    this.composition = composition;
    this.colorOf = new int[composition.parts().size()];
    this.strides = new long[composition.ranks()][TransportMemType.values().length];
    for (Composition.Part part : composition.parts()) {
      for (int rank = 0; rank < strides.length; rank++) {
        for (TransportMemType type : TransportMemType.values()) {
          long end = part.places().of(rank, type) == null ? part.use().end(rank, type) : 0;
          long aligned = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
          strides[rank][type.ordinal()] = Math.max(strides[rank][type.ordinal()], aligned);
        }
      }
    }
  }

  int colors() {
    return colors;
  }

  /**
   * Moves parts to the next color.
   *
   * @return whether any of them had a next color
   */
  boolean recolor(BitSet parts) {
    boolean isMoved = false;
    for (int part = parts.nextSetBit(0); part >= 0; part = parts.nextSetBit(part + 1)) {
      if (colorOf[part] < MAX_COLORS - 1) {
        colorOf[part]++;
        colors = Math.max(colors, colorOf[part] + 1);
        isMoved = true;
      }
    }
    return isMoved;
  }

  /** The parts over the memories of the composition. */
  List<GroupPlan> relocated() {
    List<Composition.Part> parts = composition.parts();
    GroupPlan[] plans = new GroupPlan[parts.size()];
    for (int part = 0; part < plans.length; part++) {
      plans[part] = parts.get(part).plan().relocated(new PartPlacement(parts.get(part), part));
    }
    return List.of(plans);
  }

  /** Where the memories of one part lie. */
  private final class PartPlacement implements Placement {
    private final Composition.Part part;
    private final int color;

    PartPlacement(Composition.Part part, int number) {
      this.part = part;
      this.color = colorOf[number];
    }

    @Override
    public DeviceMem place(DeviceMem span) {
      Composition.Place place = part.places().of(span.rank(), span.type());
      if (place == null) {
        long base = color * strides[span.rank()][span.type().ordinal()];
        return new DeviceMem(span.rank(), span.type(), base + span.offset(), span.size());
      }
      Composition.Memory memory = place.memory();
      return new DeviceMem(
          memory.rank(),
          TransportMemType.PARAM_INPUT,
          memory.base() + place.offset() + span.offset(),
          span.size());
    }

    @Override
    public long memSize(int rank, TransportMemType type) {
      return switch (type) {
        case PARAM_INPUT -> composition.bytesOf(rank);
        case PARAM_OUTPUT -> 0;
        default -> colors * strides[rank][type.ordinal()];
      };
    }
  }
}
