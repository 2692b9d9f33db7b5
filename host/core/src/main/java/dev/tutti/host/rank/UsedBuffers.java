package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.planning.Layouts;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a rank's buffers that its operation uses. What lies beyond them must not be copied,
 * or what the copies held before would come back.
 */
final class UsedBuffers {

  private UsedBuffers() {}

  /**
   * The same call with nothing but the parts that are used. A call that is wrong in itself is left
   * as it is: all ranks are told when they have met.
   */
  static RankCall of(RankCall call, Topology topology) {
    try {
      return used(call, topology);
    } catch (TuttiException e) {
      return call;
    }
  }

  private static RankCall used(RankCall call, Topology topology) {
    CallOptions options = call.options();
    Layouts layouts = Layouts.of(options);
    layouts.check(call.call());
    CommInfo comm =
        new CommInfo(
            call.rank(),
            topology,
            WorkflowMode.GRAPH,
            options.protocol(),
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE);
    OpParam param = call.call().param(comm, options.tag(), options.parameters(), false);
    if (param == null) {
      return call;
    }
    int size = call.call().dataType().size();
    return call.withBuffers(
        cut(call.input(), layouts.inputBytes(param, size)),
        cut(call.output(), layouts.outputBytes(param, size)));
  }

  private static @Nullable MemorySegment cut(@Nullable MemorySegment segment, long bytes) {
    if (segment == null || bytes == 0) {
      return null;
    }
    return segment.byteSize() <= bytes ? segment : segment.asSlice(0, bytes);
  }
}
