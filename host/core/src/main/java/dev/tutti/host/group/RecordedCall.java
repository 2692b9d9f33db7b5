package dev.tutti.host.group;

import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.buffers.BoundBuffers;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A call that was recorded instead of run.
 *
 * @param planned the call with its plan
 * @param options its options
 * @param buffers its checked buffers
 */
public record RecordedCall(SelectedPlan planned, CallOptions options, CallerBuffers buffers) {

  public RecordedCall withPlanned(SelectedPlan newPlanned) {
    return new RecordedCall(newPlanned, options, buffers);
  }

  /**
   * The same with a segment, or parts of it, replaced by another segment; this call itself if it
   * does not use the segment.
   */
  public RecordedCall rebound(
      MemorySegment old, MemorySegment replacement, RankNames names, FileMappings mappings) {
    @Nullable MemorySegment[] inputs = buffers.inputs().clone();
    @Nullable MemorySegment[] outputs = buffers.outputs().clone();
    boolean isRebound = replace(inputs, old, replacement);
    isRebound |= replace(outputs, old, replacement);
    return isRebound
        ? new RecordedCall(
            planned, options, BoundBuffers.check(planned, inputs, outputs, names, mappings))
        : this;
  }

  private static boolean replace(
      @Nullable MemorySegment[] segments, MemorySegment old, MemorySegment replacement) {
    boolean isReplaced = false;
    for (int rank = 0; rank < segments.length; rank++) {
      MemorySegment segment = segments[rank];
      if (segment != null && SegmentComparison.isPart(segment, old)) {
        segments[rank] = replacement.asSlice(segment.address() - old.address(), segment.byteSize());
        isReplaced = true;
      }
    }
    return isReplaced;
  }
}
