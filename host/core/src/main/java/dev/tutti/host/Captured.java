package dev.tutti.host;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CapturedRuns;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * Several operations of a group that run as one, made by {@link Group#capture(Runnable)}. The
 * results have the same bits as if the operations ran one after another. But a rank may start the
 * next operation earlier than other ranks, as long as this changes no result. A run allocates
 * nothing, and the calling thread takes part in the work.
 *
 * <p>A group runs one request or capture at a time. Not thread-safe: one thread at a time. Buffers
 * are owned by the caller and must outlive the capture or its last run; memory that peers cannot
 * reach is copied before each run and copied back after it, except arrays that no operation
 * reduces.
 *
 * <p>If ranks are processes, a run is an operation of this process's rank. All ranks must start the
 * same runs and calls in the same order, and several can be in flight. Errors are those of {@link
 * RankRequest}.
 *
 * <p>If processes share no memory, a failed run ends the group, unless it fails before any process
 * has begun it. If one of these processes has several ranks, one thread of each process runs the
 * capture for all ranks of its process. It cannot do this while the bodies of {@link Group#run} or
 * of another capture run: {@link #start} and {@link #run} then throw {@link
 * ErrorCode#INVALID_STATE}.
 *
 * <p>If the plugin of one of its plans is replaced or removed, the next start uses the plans that
 * new requests would get.
 */
public final class Captured implements GroupOperation {

  private final CapturedRuns operation;

  Captured(CapturedRuns operation) {
    this.operation = operation;
  }

  @Override
  public void start() {
    operation.start();
  }

  @Override
  public boolean test() {
    return operation.test();
  }

  @Override
  public void await() {
    operation.await();
  }

  @Override
  public void await(Duration deadline) {
    Arguments.require(deadline, "deadline");
    operation.await(deadline);
  }

  @Override
  public void run() {
    operation.run();
  }

  @Override
  public boolean cancel() {
    return operation.cancel();
  }

  @Override
  public boolean isRunning() {
    return operation.isRunning();
  }

  @Override
  public boolean isStaged() {
    return operation.isStaged();
  }

  @Override
  public void close() {
    operation.close();
  }

  /**
   * Replaces a buffer, between runs, wherever the captured operations use it or a part of it.
   * Native memory and arrays can replace each other. If ranks are processes, only buffers of this
   * process's ranks can be replaced. Processes that share memory agree on them in their next run.
   *
   * @param old a buffer of a captured operation, or a segment that holds some of them
   * @param replacement a segment of the same size; it must overlap other buffers only where the old
   *     one does
   * @throws dev.tutti.sdk.TuttiException with {@link ErrorCode#INVALID_STATE} during a run or after
   *     the end; {@link ErrorCode#INVALID_ARGUMENT} if no operation has the old buffer, or if the
   *     dependencies between the operations would change; as {@link RequestBuilder#build} for the
   *     buffers
   */
  public void rebind(MemorySegment old, MemorySegment replacement) {
    Arguments.require(old, "old");
    Arguments.require(replacement, "replacement");
    operation.rebind(old, replacement);
  }

  /** The captured operations in their order. */
  public List<CollectiveCall> calls() {
    return operation.calls();
  }

  /**
   * A description of the joined plan in lines of text: the algorithms of the operations, the order
   * between them, the dropped signals, and how the buffers are reached.
   */
  public String explain() {
    return operation.explain();
  }

  @Override
  public String toString() {
    return operation.toString();
  }
}
