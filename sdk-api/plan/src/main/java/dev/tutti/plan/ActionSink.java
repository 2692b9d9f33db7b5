package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the actions that one rank's executor emits. Not thread-safe. */
abstract class ActionSink {

  /** The number of verbs between two checks for an interrupt; a power of two. */
  private static final int VERBS_PER_CHECK = 1024;

  private final RankResources[] group;
  private final RankResources own;
  private final boolean inPlace;
  private final @Nullable Runnable observer;
  private int verbs;

  /**
   * Receives the actions of a rank.
   *
   * @param group the resources of all ranks
   * @param own the resources of this rank
   * @param inPlace whether each rank's input and output are the same memory
   * @param observer called before each action
   */
  ActionSink(
      RankResources[] group, RankResources own, boolean inPlace, @Nullable Runnable observer) {
    this.group = group;
    this.own = own;
    this.inPlace = inPlace;
    this.observer = observer;
  }

  /** A notify of one rank. */
  record RecordedNotify(int rank, int id) implements Notify {}

  /** Refuses all further actions. */
  abstract void close();

  abstract void copy(int stream, DeviceMem dst, DeviceMem src);

  abstract void reduce(int stream, DeviceMem dst, DeviceMem src, DataType type, ReduceOp op);

  abstract void reduceFrom(
      int stream, DeviceMem dst, List<DeviceMem> sources, DataType type, ReduceOp op);

  abstract void syncLocal(ActionKind kind, int stream, Notify notify);

  abstract void syncLink(ActionKind kind, int stream, int link, int notify);

  final int rank() {
    return own.rank();
  }

  final LinkTable links() {
    return own.links();
  }

  /** A rank's memory of one kind. */
  final DeviceMem mem(int owner, TransportMemType type) {
    return new DeviceMem(owner, type, 0, group[owner].memSizes()[type.ordinal()]);
  }

  /** The size of a rank's memory of one kind, in bytes; negative if there is no such rank. */
  final long memSize(DeviceMem mem) {
    return mem.rank() < group.length ? group[mem.rank()].memSizes()[mem.type().ordinal()] : -1;
  }

  /**
   * Calls the observer. If the thread is interrupted, stops an executor that emits actions without
   * end, even actions of zero bytes.
   */
  final void beginVerb() {
    if (observer != null) {
      observer.run();
    }
    if ((++verbs & VERBS_PER_CHECK - 1) == 0 && Thread.currentThread().isInterrupted()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "recording was interrupted while rank %d emitted actions",
          rank());
    }
  }

  /** Whether two spans are the same bytes. */
  final boolean sameSpan(DeviceMem a, DeviceMem b) {
    return aliased(a).equals(aliased(b));
  }

  /** The span; in place, a span of the output becomes the same span of the input. */
  final DeviceMem aliased(DeviceMem mem) {
    return inPlace && mem.type() == TransportMemType.PARAM_OUTPUT
        ? new DeviceMem(mem.rank(), TransportMemType.PARAM_INPUT, mem.offset(), mem.size())
        : mem;
  }

  /** The error for an action after the plan is finished. */
  final TuttiException late() {
    return new TuttiException(
        ErrorCode.INVALID_STATE,
        "rank %d emitted an action after orchestrate had returned; executors must not keep"
            + " resources",
        rank());
  }

  /** Refuses memory of another rank where only local memory is allowed. */
  final void checkLocal(DeviceMem mem, String what) {
    checkOwner(mem, rank(), what);
  }

  static void checkOwner(DeviceMem mem, int owner, @Nullable String what) {
    if (mem.rank() != owner) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "%s must be memory of rank %d. Actual: %s",
          what,
          owner,
          mem);
    }
  }
}
