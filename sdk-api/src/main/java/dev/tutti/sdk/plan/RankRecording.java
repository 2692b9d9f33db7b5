package dev.tutti.sdk.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources one rank's executor gets while it orchestrates. Everything emitted ends here, is
 * checked against what was asked for, and becomes the rank's plan.
 */
final class RankRecording implements AlgResourceResponse {

  /** How many verbs may pass before an interrupt is noticed; a power of two. */
  private static final int VERBS_PER_CHECK = 1024;

  private final int rank;
  private final RankResources[] group;
  private final RankResources own;
  private final @Nullable SourceLines lines;
  private final int maxActions;
  private final boolean inPlace;
  private final @Nullable Runnable observer;

  /** Where actions go; null once the plan is finished, because the builder then serves another. */
  private @Nullable PlanBuilder builder;

  private int verbs;

  private final List<Stream> streams = new ArrayList<>();
  private final List<Notify> notifies = new ArrayList<>();
  private final @Nullable RecordingLink[] links;

  /**
   * A recording that adds to a builder.
   *
   * @param group what all ranks have
   * @param own what this rank has
   * @param lines finds source lines, or null if they are not wanted
   * @param recorder knows the limits and the observer
   */
  RankRecording(
      int rank,
      RankResources[] group,
      RankResources own,
      PlanBuilder builder,
      @Nullable SourceLines lines,
      PlanRecorder recorder,
      boolean inPlace) {
    this.rank = rank;
    this.group = group;
    this.own = own;
    this.builder = builder;
    this.lines = lines;
    this.maxActions = recorder.maxActions();
    this.observer = recorder.observer();
    this.inPlace = inPlace;
    this.links = new RecordingLink[own.links().size()];
    int slaves = own.request().streamNum();
    builder.start(rank, slaves + 1, own.request().notifyNum(), own.memSizes(), own.links());
    for (int stream = 0; stream <= slaves; stream++) {
      streams.add(new RecordingStream(this, stream));
    }
    for (int notify = 0; notify < own.request().notifyNum(); notify++) {
      notifies.add(new RecordedNotify(rank, notify));
    }
  }

  /** A notify of one rank. */
  record RecordedNotify(int rank, int id) implements Notify {}

  /** Refuses all further actions. */
  void close() {
    builder = null;
  }

  int rank() {
    return rank;
  }

  // ---- what executors ask

  @Override
  public DeviceMem mem(TransportMemType type) {
    return new DeviceMem(rank, type, 0, own.memSizes()[type.ordinal()]);
  }

  /** A peer's memory of one kind. */
  DeviceMem peerMem(int peer, TransportMemType type) {
    return new DeviceMem(peer, type, 0, group[peer].memSizes()[type.ordinal()]);
  }

  @Override
  public Stream mainStream() {
    return streams.getFirst();
  }

  @Override
  public List<Stream> slaveStreams() {
    return Granted.of(streams.subList(1, streams.size()), rank, "slave streams", "calcStreamNum");
  }

  @Override
  public List<Notify> notifiesMainToSlave() {
    return granted(notifies.subList(0, own.request().streamNum()));
  }

  @Override
  public List<Notify> notifiesSlaveToMain() {
    int streams = own.request().streamNum();
    return granted(notifies.subList(streams, 2 * streams));
  }

  @Override
  public List<Notify> notifies() {
    return granted(notifies);
  }

  private List<Notify> granted(List<Notify> some) {
    return Granted.of(some, rank, "notifies", "calcNotifyNum");
  }

  @Override
  public OpCommTransport opTransport() {
    return own.request().opTransport();
  }

  @Override
  public SubCommInfo subComm(CommPlane plane, int index) {
    LevelNSubCommTransport level = opTransport().levels().get(plane);
    if (level == null || index < 0 || index >= level.subComms().size()) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "sub-communicator %d of %s was not asked for; add it to calcResRequest of rank %d",
          index,
          plane.label(),
          rank);
    }
    SingleSubCommTransport transport = level.subComms().get(index);
    return new RecordingSubComm(this, plane, index, transport);
  }

  LinkTable links() {
    return own.links();
  }

  /** The link of a number. */
  RecordingLink link(int number) {
    RecordingLink link = links[number];
    if (link == null) {
      link = new RecordingLink(this, number);
      links[number] = link;
    }
    return link;
  }

  // ---- what executors emit

  void copy(int stream, DeviceMem dst, DeviceMem src) {
    beginVerb();
    checkPair(dst, src);
    if (dst.size() > 0) {
      open().addData(ActionKind.COPY, stream, dst, src, null, null);
      emitted();
    }
  }

  void reduce(int stream, DeviceMem dst, DeviceMem src, DataType type, ReduceOp op) {
    beginVerb();
    checkPair(dst, src);
    checkElements(dst, type, op);
    if (dst.size() > 0) {
      open().addData(ActionKind.REDUCE, stream, dst, src, type, op);
      emitted();
    }
  }

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

  /** The stream's number, if it is one of this recording. */
  int streamId(Stream stream) {
    if (!(stream instanceof RecordingStream recording) || recording.owner() != this) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "rank %d can only use its own streams, and only while it orchestrates",
          rank);
    }
    return stream.id();
  }

  private PlanBuilder open() {
    PlanBuilder open = builder;
    if (open == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "rank %d emitted an action after orchestrate had returned; executors must not keep"
              + " resources",
          rank);
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

  /**
   * Tells the observer, and ends an executor that emits without end, actions of no bytes included,
   * when it is asked to.
   */
  private void beginVerb() {
    if (observer != null) {
      observer.run();
    }
    if ((++verbs & VERBS_PER_CHECK - 1) == 0 && Thread.currentThread().isInterrupted()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, "recording was interrupted while rank %d emitted actions", rank);
    }
  }

  /** Refuses memory of this rank or a peer that reaches beyond what that rank has. */
  private void checkMem(DeviceMem mem) {
    long size = mem.rank() < group.length ? group[mem.rank()].memSizes()[mem.type().ordinal()] : -1;
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

  /** Refuses memory of another rank where only local memory may stand. */
  void checkLocal(DeviceMem mem, String what) {
    checkOwner(mem, rank, what);
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

  private static void checkSameSize(DeviceMem dst, DeviceMem src) {
    if (dst.size() != src.size()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "source and destination must be equally large. Actual: %s and %s",
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

  /** Whether two spans share a byte; in place, a rank's input and output are one memory. */
  private boolean overlap(DeviceMem a, DeviceMem b) {
    return a.size() > 0 && aliased(a).overlaps(aliased(b));
  }

  private boolean sameSpan(DeviceMem a, DeviceMem b) {
    return aliased(a).equals(aliased(b));
  }

  private DeviceMem aliased(DeviceMem mem) {
    return inPlace && mem.type() == TransportMemType.PARAM_OUTPUT
        ? new DeviceMem(mem.rank(), TransportMemType.PARAM_INPUT, mem.offset(), mem.size())
        : mem;
  }

  private static TuttiException overlapping(DeviceMem dst, DeviceMem src) {
    return new TuttiException(
        ErrorCode.BUFFER_OVERLAP,
        "source and destination of one action must not overlap. Actual: %s and %s",
        dst,
        src);
  }
}
