package dev.tutti.host.buffers;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.Workflow;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.MemorySegment;

/** Chooses how a request reaches the callers' buffers, and explains the choice. */
public final class WorkflowChoice {

  /**
   * The size from which an OP_BASE plan, which copies the array itself, is faster than a GRAPH plan
   * with a copy of the whole array before and after it. The value was measured, see
   * docs/benchmarks.md.
   */
  public static final long LARGE_ARRAY = 256 << 10;

  private static final String FILE = " is a mapped file";
  private static final String CONFINED = " is in a confined arena";
  private static final String ARRAY = " is an array";
  private static final String UNREACHABLE = ", which peers cannot reach";

  private WorkflowChoice() {}

  /** The mode to try first: the one that the caller wants, or else the best one for its buffers. */
  public static WorkflowMode wanted(CallOptions options, CallerBuffers buffers) {
    WorkflowMode asked = options.mode();
    if (asked != null) {
      return asked;
    }
    return areLargeArrays(buffers) ? WorkflowMode.OP_BASE : WorkflowMode.GRAPH;
  }

  /** Whether a plan that copies a private buffer itself is faster than copies around a plan. */
  public static boolean isLarge(MemorySegment buffer) {
    return buffer.byteSize() >= LARGE_ARRAY;
  }

  /** Whether only arrays and mapped files are copied, and any of them is large. */
  private static boolean areLargeArrays(CallerBuffers buffers) {
    boolean isLarge = false;
    boolean isArray = true;
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      for (MemorySegment buffer : new MemorySegment[] {buffers.input(rank), buffers.output(rank)}) {
        if (buffer != null && buffers.isPrivate(buffer)) {
          isLarge |= isLarge(buffer);
          isArray &= CallerBuffers.isShared(buffer);
        }
      }
    }
    return isLarge && isArray;
  }

  /** Explains why a request with these options and buffers runs in a mode. */
  public static Workflow of(
      CallOptions options, WorkflowMode mode, CallerBuffers buffers, RankNames names) {
    if (options.mode() != null) {
      return new Workflow(mode, "the caller asked for it");
    }
    for (int rank = 0; rank < buffers.inputs().length; rank++) {
      MemorySegment input = buffers.input(rank);
      MemorySegment output = buffers.output(rank);
      if (input != null && buffers.isPrivate(input)) {
        return of(options, mode, buffers, "the input of " + names.name(rank), input);
      }
      if (output != null && buffers.isPrivate(output)) {
        return of(options, mode, buffers, "the output of " + names.name(rank), output);
      }
    }
    return new Workflow(mode, "all ranks can reach all buffers");
  }

  private static Workflow of(
      CallOptions options,
      WorkflowMode mode,
      CallerBuffers buffers,
      String what,
      MemorySegment buffer) {
    boolean isFile = buffers.files().contains(buffer);
    String found = what + (isFile ? FILE : buffer.isNative() ? CONFINED : ARRAY);
    if (mode == WorkflowMode.OP_BASE) {
      return new Workflow(mode, found + (isFile ? ", which can be truncated" : UNREACHABLE));
    }
    String copied =
        isFile
            ? ", and mapped files are copied, because the host never computes in them"
            : ", and memory that peers cannot reach is copied whole before and after each run";
    String why =
        wanted(options, buffers) == WorkflowMode.OP_BASE
            ? ", which no algorithm takes in op-base mode"
            : CallerBuffers.isShared(buffer) ? ", none is large" : "";
    return new Workflow(mode, found + why + copied);
  }
}
