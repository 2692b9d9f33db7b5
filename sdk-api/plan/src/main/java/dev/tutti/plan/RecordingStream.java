package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.Stream;
import java.util.List;

/** A stream of one rank while its plan is recorded. */
final class RecordingStream implements Stream {

  private final ActionSink actions;
  private final int id;
  private final List<Notify> starts;
  private final List<Notify> ends;

  /**
   * A stream.
   *
   * @param actions receives the actions that are emitted on it
   * @param starts by slave stream, the notify that begins its part
   * @param ends by slave stream, the notify that ends its part
   */
  RecordingStream(ActionSink actions, int id, List<Notify> starts, List<Notify> ends) {
    this.actions = actions;
    this.id = id;
    this.starts = starts;
    this.ends = ends;
  }

  /** The number of a stream, which must belong to the same recording. */
  @SuppressWarnings("ReferenceEquality") // a stream belongs to one recording
  static int id(Stream stream, ActionSink actions) {
    if (!(stream instanceof RecordingStream recording) || recording.actions != actions) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "rank %d can only use its own streams, and only while it orchestrates",
          actions.rank());
    }
    return recording.id;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public void copy(DeviceMem dst, DeviceMem src) {
    actions.checkLocal(dst, "the destination of a copy");
    actions.checkLocal(src, "the source of a copy");
    actions.copy(id, dst, src);
  }

  @Override
  public void reduce(DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
    actions.checkLocal(dst, "the destination of a reduction");
    actions.checkLocal(src, "the source of a reduction");
    actions.reduce(id, dst, src, dataType, reduceOp);
  }

  @Override
  public void reduceFrom(
      DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp) {
    actions.checkLocal(dst, "the destination of reduceFrom");
    actions.reduceFrom(id, dst, sources, dataType, reduceOp);
  }

  @Override
  public void post(Notify notify) {
    actions.syncLocal(ActionKind.POST, id, notify);
  }

  @Override
  public void await(Notify notify) {
    actions.syncLocal(ActionKind.AWAIT, id, notify);
  }

  @Override
  public void fork(List<Stream> slaves) {
    requireMain("fork");
    for (Stream slave : slaves) {
      Notify start = starts.get(slaveIndex(slave));
      post(start);
      slave.await(start);
    }
  }

  @Override
  public void join(List<Stream> slaves) {
    requireMain("join");
    for (Stream slave : slaves) {
      Notify done = ends.get(slaveIndex(slave));
      slave.post(done);
      await(done);
    }
  }

  private int slaveIndex(Stream slave) {
    int stream = id(slave, actions);
    if (stream == 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "only slave streams can be forked and joined. Actual: the main stream");
    }
    return stream - 1;
  }

  private void requireMain(String verb) {
    if (id != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "only the main stream can %s. Actual: stream %d", verb, id);
    }
  }
}
