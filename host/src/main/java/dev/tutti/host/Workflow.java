package dev.tutti.host;

import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How a request reaches the callers' buffers, the same for the whole group.
 *
 * @param mode GRAPH if peers use the buffers where they are, OP_BASE if every rank copies its own
 *     through the group's staging buffers, slice by slice
 * @param reason why, in words
 */
public record Workflow(WorkflowMode mode, String reason) {

  /**
   * From this size on, a plan of OP_BASE mode that copies an array itself is faster than copying
   * the whole array before and after a plan of GRAPH mode; measured, see docs/benchmarks.md.
   */
  static final long LARGE_ARRAY = 256 << 10;

  /** The mode to try first: what the caller wants, or what its buffers are best served with. */
  static WorkflowMode wanted(CallOptions options, Buffers buffers) {
    WorkflowMode asked = options.mode();
    if (asked != null) {
      return asked;
    }
    return areLargeArrays(buffers) ? WorkflowMode.OP_BASE : WorkflowMode.GRAPH;
  }

  /** Whether what peers cannot reach are arrays, and any of them is large. */
  private static boolean areLargeArrays(Buffers buffers) {
    boolean isLarge = false;
    boolean isArray = true;
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      for (MemorySegment buffer : new MemorySegment[] {buffers.input(rank), buffers.output(rank)}) {
        if (isPrivate(buffer)) {
          isLarge |= buffer.byteSize() >= LARGE_ARRAY;
          isArray &= !buffer.isNative();
        }
      }
    }
    return isLarge && isArray;
  }

  private static boolean isPrivate(@Nullable MemorySegment buffer) {
    return buffer != null && Buffers.needsStaging(buffer);
  }

  /** Says why a request of these options and buffers runs in a mode. */
  static Workflow of(CallOptions options, WorkflowMode mode, Buffers buffers, RankNames names) {
    if (options.mode() != null) {
      return new Workflow(mode, "the caller asked for it");
    }
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      MemorySegment input = buffers.input(rank);
      MemorySegment output = buffers.output(rank);
      if (input != null && isPrivate(input)) {
        return of(options, mode, buffers, "the input of " + names.name(rank), input);
      }
      if (output != null && isPrivate(output)) {
        return of(options, mode, buffers, "the output of " + names.name(rank), output);
      }
    }
    return new Workflow(mode, "all ranks can reach all buffers");
  }

  private static Workflow of(
      CallOptions options, WorkflowMode mode, Buffers buffers, String what, MemorySegment buffer) {
    String found = what + (buffer.isNative() ? " is in a confined arena" : " is an array");
    if (mode == WorkflowMode.OP_BASE) {
      return new Workflow(mode, found + ", which peers cannot reach");
    }
    String copied = ", and what peers cannot reach is copied whole before and after each run";
    String why =
        wanted(options, buffers) == WorkflowMode.OP_BASE
            ? ", which no algorithm takes in op-base mode"
            : buffer.isNative() ? "" : ", none is large";
    return new Workflow(mode, found + why + copied);
  }
}
