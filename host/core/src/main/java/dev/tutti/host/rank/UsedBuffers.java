package dev.tutti.host.rank;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.Layout;
import dev.tutti.host.planning.Layouts;
import dev.tutti.host.planning.PlanKey;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a rank's buffers that its operation uses. The bytes beyond them must not be copied:
 * copying back would overwrite them with old contents of the copies.
 */
final class UsedBuffers {

  private final RankCall call;
  private final boolean isExact;
  private final RankNames names;

  private UsedBuffers(RankCall call, boolean isExact, RankNames names) {
    this.call = call;
    this.isExact = isExact;
    this.names = names;
  }

  /**
   * The same call with only the parts of the buffers that are used.
   *
   * @param isExact whether longer buffers are refused unless the caller's options allow them
   * @throws TuttiException if this rank can see by itself that the call is wrong
   */
  static RankCall of(RankCall call, boolean isExact, Topology topology, RankNames names) {
    CallOptions options = call.options();
    Layouts layouts = Layouts.of(options);
    PlanKey.check(call.call(), layouts, options.averages());
    CommInfo comm =
        new CommInfo(
            call.rank(),
            topology,
            WorkflowMode.GRAPH,
            options.protocols().others(),
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE,
            options.protocols().planes());
    OpParam param = call.call().param(comm, options.tag(), options.parameters(), false);
    if (param == null) {
      return call;
    }
    int size = call.call().dataType().size();
    UsedBuffers used = new UsedBuffers(call, isExact && !options.allowsLongerBuffers(), names);
    MemorySegment input =
        used.part("input", call.input(), layouts.inputBytes(param, size), layouts.input());
    MemorySegment output =
        used.part("output", call.output(), layouts.outputBytes(param, size), layouts.output());
    return call.withBuffers(input, output);
  }

  private @Nullable MemorySegment part(
      String what, @Nullable MemorySegment segment, long bytes, Layout layout) {
    CallerBuffers.requireSize(what, names.name(call.rank()), segment, bytes);
    if (segment == null) {
      return null;
    }
    if (isExact && segment.byteSize() > bytes && layout.isContiguous()) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "the %s of %s has %d bytes, but %s uses %d of them; slice it, or allow this with"
              + " CallOptions.withLongerBuffers(true)",
          what,
          names.name(call.rank()),
          segment.byteSize(),
          call.words(),
          bytes);
    }
    if (bytes == 0) {
      return null;
    }
    return segment.byteSize() <= bytes ? segment : segment.asSlice(0, bytes);
  }
}
