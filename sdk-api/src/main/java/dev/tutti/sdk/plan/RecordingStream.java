package dev.tutti.sdk.plan;

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

  private final RankRecording owner;
  private final int id;

  RecordingStream(RankRecording owner, int id) {
    this.owner = owner;
    this.id = id;
  }

  RankRecording owner() {
    return owner;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public void copy(DeviceMem dst, DeviceMem src) {
    owner.checkLocal(dst, "the destination of a copy");
    owner.checkLocal(src, "the source of a copy");
    owner.copy(id, dst, src);
  }

  @Override
  public void reduce(DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
    owner.checkLocal(dst, "the destination of a reduction");
    owner.checkLocal(src, "the source of a reduction");
    owner.reduce(id, dst, src, dataType, reduceOp);
  }

  @Override
  public void reduceFrom(
      DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp) {
    owner.checkLocal(dst, "the destination of reduceFrom");
    owner.reduceFrom(id, dst, sources, dataType, reduceOp);
  }

  @Override
  public void post(Notify notify) {
    owner.syncLocal(ActionKind.POST, id, notify);
  }

  @Override
  public void await(Notify notify) {
    owner.syncLocal(ActionKind.AWAIT, id, notify);
  }

  @Override
  public void fork(List<Stream> slaves) {
    requireMain("fork");
    for (Stream slave : slaves) {
      Notify start = owner.notifiesMainToSlave().get(slaveIndex(slave));
      post(start);
      slave.await(start);
    }
  }

  @Override
  public void join(List<Stream> slaves) {
    requireMain("join");
    for (Stream slave : slaves) {
      Notify done = owner.notifiesSlaveToMain().get(slaveIndex(slave));
      slave.post(done);
      await(done);
    }
  }

  private int slaveIndex(Stream slave) {
    int stream = owner.streamId(slave);
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
