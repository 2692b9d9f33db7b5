package dev.tutti.host.rank;

import dev.tutti.host.buffers.BufferCopy;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.buffers.WorkflowChoice;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank's call with buffers that peers cannot reach, and copies of these buffers that they can
 * reach.
 */
final class StagedCall implements CallCopies {

  private final RankStaging staging;
  private final RankCall call;
  private final boolean stagesInput;
  private final boolean stagesOutput;

  /** Whether input and output get separate copies even if they are the same memory. */
  private final boolean separates;

  /** Whether copies are left out until they are needed. */
  private boolean mayLeaveOut;

  /** The block that it has, or had before. */
  private RankStaging.@Nullable Block block;

  private State state = State.OVER;

  /** The call with the copies; the same object as long as the copies are in the same place. */
  private RankCall reachable;

  /** The state of the copies. */
  private enum State {
    /** No call is under way. */
    OVER,
    /** The call is under way without copies. */
    LEFT_OUT,
    /** The call is under way with copies in its block. */
    COPIED
  }

  private StagedCall(
      RankStaging staging,
      RankCall call,
      boolean stagesInput,
      boolean stagesOutput,
      boolean separates,
      boolean mayLeaveOut) {
    this.staging = staging;
    this.call = call;
    this.stagesInput = stagesInput;
    this.stagesOutput = stagesOutput;
    this.separates = separates;
    this.mayLeaveOut = mayLeaveOut;
    this.reachable = call;
  }

  /**
   * Makes a staged call if some buffers must be staged; null if peers can reach all.
   *
   * @param areApart whether no other rank reaches any buffer; then buffers need only be reachable
   *     for the threads of this process
   */
  static @Nullable StagedCall of(
      RankCall call, RankStaging staging, Reach reach, boolean areApart) {
    boolean separates =
        areApart && MessageBindings.needsCopy(call.call(), call.input(), call.output());
    boolean stagesInput = separates || isPrivate(call.input(), reach);
    boolean stagesOutput = isPrivate(call.output(), reach);
    if (!stagesInput && !stagesOutput) {
      return null;
    }
    List<MemorySegment> staged = new ArrayList<>();
    Optional.ofNullable(call.input()).filter(input -> stagesInput).ifPresent(staged::add);
    Optional.ofNullable(call.output()).filter(output -> stagesOutput).ifPresent(staged::add);
    boolean mayLeaveOut =
        !areApart
            && staging.mayLeaveOut(call)
            && suits(call.options(), staged)
            && staged.stream().allMatch(reach::canBeLeft);
    return new StagedCall(staging, call, stagesInput, stagesOutput, separates, mayLeaveOut);
  }

  private static boolean isPrivate(@Nullable MemorySegment buffer, Reach reach) {
    return buffer != null && reach.isPrivate(buffer);
  }

  /** Whether a plan that copies the buffers itself was requested, or is faster. */
  private static boolean suits(CallOptions options, List<MemorySegment> staged) {
    WorkflowMode mode = options.mode();
    boolean isWanted =
        mode == null
            ? staged.stream().anyMatch(WorkflowChoice::isLarge)
            : mode == WorkflowMode.OP_BASE;
    return isWanted
        && options.inputLayout().isContiguous()
        && options.outputLayout().isContiguous();
  }

  RankCall call() {
    return call;
  }

  /** The block that it has, or had before. */
  RankStaging.@Nullable Block block() {
    return block;
  }

  @Override
  public RankCall before() {
    if (mayLeaveOut) {
      state = State.LEFT_OUT;
      return call;
    }
    staging.fill(this);
    return reachable;
  }

  @Override
  public boolean areLeftOut() {
    return state == State.LEFT_OUT;
  }

  @Override
  public @Nullable RankCall fillAfterAll() {
    return staging.fillAfterAll(this) ? reachable : null;
  }

  @Override
  public void after() {
    staging.empty(this);
  }

  @Override
  public void giveUp() {
    staging.giveUp(this);
  }

  /**
   * Makes copies necessary from now on. This method and the following ones are called under the
   * lock of the staging.
   */
  void leaveOutNoMore() {
    mayLeaveOut = false;
  }

  boolean isCopied() {
    return state == State.COPIED;
  }

  /** Notes that the call has ended. */
  void over() {
    state = State.OVER;
  }

  void fill(RankStaging.Block into) {
    block = into;
    MemorySegment in = call.input();
    MemorySegment out = call.output();
    MemorySegment reachableIn = in;
    if (in != null && stagesInput) {
      reachableIn = into.input(in.byteSize());
      BufferCopy.copy(in, reachableIn);
    }
    MemorySegment reachableOut = out;
    if (out != null && stagesOutput) {
      if (in != null && SegmentComparison.isSameMemory(in, out) && !separates) {
        reachableOut = reachableIn;
      } else {
        reachableOut = into.output(out.byteSize());
        if (keepsOutput()) {
          BufferCopy.copy(out, reachableOut);
        }
      }
    }
    if (!SegmentComparison.isSameView(reachableIn, reachable.input())
        || !SegmentComparison.isSameView(reachableOut, reachable.output())) {
      reachable = call.withBuffers(reachableIn, reachableOut);
    }
    state = State.COPIED;
  }

  /**
   * Whether parts of the output do not change: rank 0's output of an exclusive scan, or gaps. The
   * copy must then start with the old contents.
   */
  private boolean keepsOutput() {
    return call.call().operation() == Operation.EXCLUSIVE_SCAN
        || !call.options().outputLayout().isContiguous();
  }

  void bringBack() {
    MemorySegment to = call.output();
    MemorySegment from = reachable.output();
    if (to != null && from != null && stagesOutput) {
      BufferCopy.copy(from, to);
    }
  }
}
