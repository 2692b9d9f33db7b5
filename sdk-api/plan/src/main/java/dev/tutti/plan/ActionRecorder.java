package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Notify;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the actions that one rank's executor emits against the requested resources, and adds them
 * to the rank's plan.
 */
final class ActionRecorder extends ActionSink {

  private final int rank;
  private final RankResources own;
  private final @Nullable SourceLines lines;
  private final int maxActions;

  /**
   * Where actions go; null once the plan is finished, because the builder then serves another plan.
   */
  private @Nullable PlanBuilder builder;

  /**
   * A recorder that adds to a builder.
   *
   * @param group the resources of all ranks
   * @param own the resources of this rank
   * @param inPlace whether each rank's input and output are the same memory
   * @param builder collects this rank's plan
   * @param lines finds source lines, or null if they are not wanted
   * @param maxActions the most actions that the rank may emit
   * @param observer called before each action
   */
  ActionRecorder(
      RankResources[] group,
      RankResources own,
      boolean inPlace,
      PlanBuilder builder,
      @Nullable SourceLines lines,
      int maxActions,
      @Nullable Runnable observer) {
    super(group, own, inPlace, observer);
    this.rank = own.rank();
    this.own = own;
    this.builder = builder;
    this.lines = lines;
    this.maxActions = maxActions;
    int streams = own.request().streamNum() + 1;
    builder.start(rank, streams, own.request().notifyNum(), own.memSizes(), own.links());
  }

  @Override
  void close() {
    builder = null;
  }

  // ---- actions

  @Override
  void copy(int stream, DeviceMem dst, DeviceMem src) {
    beginVerb();
    checkPair(dst, src);
    if (dst.size() > 0) {
      open().addData(ActionKind.COPY, stream, dst, src, null, null);
      emitted();
    }
  }

  @Override
  void reduce(int stream, DeviceMem dst, DeviceMem src, DataType type, ReduceOp op) {
    beginVerb();
    checkPair(dst, src);
    checkElements(dst, type, op);
    if (dst.size() > 0) {
      open().addData(ActionKind.REDUCE, stream, dst, src, type, op);
      emitted();
    }
  }

  @Override
  void reduceFrom(int stream, DeviceMem dst, List<DeviceMem> sources, DataType type, ReduceOp op) {
    beginVerb();
    if (sources.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "reduceFrom needs one source or more. Actual: none");
    }
    checkMem(dst);
    checkElements(dst, type, op);
    for (DeviceMem source : sources) {
      checkMem(source);
      checkSameSize(dst, source);
      if (overlap(dst, source) && !sameSpan(dst, source)) {
        throw overlapping(dst, source);
      }
      if (source.rank() != rank && !own.links().loads(source.rank(), source.type())) {
        throw new TuttiException(
            ErrorCode.RESOURCE_MISMATCH,
            "reduceFrom may load from %s only over a direct link that registers that memory; rank"
                + " %d asked for none; ask for one in calcCommInfo, or read the memory first",
            source,
            rank);
      }
    }
    if (dst.size() == 0 || (sources.size() == 1 && sameSpan(dst, sources.getFirst()))) {
      return;
    }
    if (sources.size() == 1) {
      open().addData(ActionKind.COPY, stream, dst, sources.getFirst(), null, null);
    } else {
      open().addReduceFrom(stream, dst, sources, type, op);
    }
    emitted();
  }

  @Override
  void syncLocal(ActionKind kind, int stream, Notify notify) {
    beginVerb();
    if (!(notify instanceof RecordedNotify own) || own.rank() != rank) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "a stream of rank %d can only use notifies of its own rank. Actual: %s",
          rank,
          notify);
    }
    open().addLocalSync(kind, stream, own.id());
    emitted();
  }

  @Override
  void syncLink(ActionKind kind, int stream, int link, int notify) {
    beginVerb();
    int count = own.links().kind(link).notifyCount();
    if (notify < 0 || notify >= count) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "the link from rank %d to rank %d has notifies 0 to %d; ask for more with notifyNum."
              + " Actual: %d",
          rank,
          own.links().peer(link),
          count - 1,
          notify);
    }
    open().addLinkSync(kind, stream, link, notify);
    emitted();
  }

  private PlanBuilder open() {
    PlanBuilder open = builder;
    if (open == null) {
      throw late();
    }
    if (open.actionCount() >= maxActions) {
      throw new TuttiException(
          ErrorCode.PLAN_TOO_LARGE,
          "rank %d emitted more than %d actions; is there an endless loop?",
          rank,
          maxActions);
    }
    return open;
  }

  private void emitted() {
    if (lines != null && builder != null) {
      builder.setSource(lines.caller());
    }
  }

  // ---- checks

  /** Refuses a span that reaches beyond the memory of its rank. */
  private void checkMem(DeviceMem mem) {
    long size = memSize(mem);
    if (mem.size() > size - mem.offset()) {
      Optional<String> asked = mem.type().askedIn();
      boolean isMissing = size == 0 && asked.isPresent();
      throw new TuttiException(
          isMissing ? ErrorCode.RESOURCE_MISMATCH : ErrorCode.OUT_OF_BOUNDS,
          "%s reaches beyond that memory, %s %d bytes%s",
          mem,
          asked.isPresent() ? "of which rank " + mem.rank() + " asks for" : "which has",
          Math.max(0, size),
          asked
              .map(method -> "; ask for " + (isMissing ? "it" : "more") + " in " + method)
              .orElse(""));
    }
  }

  private void checkPair(DeviceMem dst, DeviceMem src) {
    checkMem(dst);
    checkMem(src);
    checkSameSize(dst, src);
    if (overlap(dst, src)) {
      throw overlapping(dst, src);
    }
  }

  private static void checkSameSize(DeviceMem dst, DeviceMem src) {
    if (dst.size() != src.size()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "source and destination must have the same size. Actual: %s and %s",
          dst,
          src);
    }
  }

  private static void checkElements(DeviceMem dst, DataType type, ReduceOp op) {
    op.requireSupports(type);
    if (dst.size() % type.size() != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a reduction of %s must cover whole elements of %d bytes. Actual: %d bytes",
          type,
          type.size(),
          dst.size());
    }
  }

  /** Whether two spans share a byte; in place, a rank's input and output are the same memory. */
  private boolean overlap(DeviceMem a, DeviceMem b) {
    return a.size() > 0 && aliased(a).overlaps(aliased(b));
  }

  private static TuttiException overlapping(DeviceMem dst, DeviceMem src) {
    return new TuttiException(
        ErrorCode.BUFFER_OVERLAP,
        "source and destination of one action must not overlap. Actual: %s and %s",
        dst,
        src);
  }
}
