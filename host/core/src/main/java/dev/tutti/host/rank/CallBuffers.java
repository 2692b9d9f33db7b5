package dev.tutti.host.rank;

import dev.tutti.host.buffers.Aliasing;
import dev.tutti.host.topology.RankNames;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of the ranks that make a call together.
 *
 * @param inputs one entry for each rank of the group
 * @param outputs one entry for each rank of the group
 */
record CallBuffers(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {

  /** The buffers of some ranks. */
  static CallBuffers of(List<RankPart> parts, int ranks, Function<RankPart, RankCall> calls) {
    CallBuffers buffers = new CallBuffers(new MemorySegment[ranks], new MemorySegment[ranks]);
    for (RankPart part : parts) {
      RankCall call = calls.apply(part);
      buffers.inputs[call.rank()] = call.input();
      buffers.outputs[call.rank()] = call.output();
    }
    return buffers;
  }

  /**
   * If buffers are copied, refuses callers' buffers that overlap: the copies would hide that two
   * ranks gave the same array.
   */
  static void checkOverlaps(List<RankPart> parts, int ranks, RankNames names) {
    if (parts.stream().anyMatch(RankPart::isStaged)) {
      CallBuffers own = of(parts, ranks, RankPart::call);
      Aliasing.checkOverlaps(own.inputs, own.outputs, names);
    }
  }
}
