package dev.tutti.host;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CapturedRuns;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * Several operations of a group that were captured, see {@link Group#capture(Runnable)}, and run as
 * one. The results are those of running them one after another, to the bit; but a rank that is
 * ahead goes on with the next operation, as far as nobody can tell. A run allocates nothing and
 * takes part in the work on the calling thread.
 *
 * <p>A group runs one request or capture at a time. Not thread-safe: one thread at a time. Buffers
 * are owned by the caller and must outlive the capture or its last run; what peers cannot reach is
 * copied before each run and back after it, but for arrays that no operation reduces.
 *
 * <p>If ranks are processes, a run is an operation of the rank of this process like its calls: all
 * ranks start it, in the same order as their calls; several can be in flight; errors are those of
 * {@link RankRequest}.
 *
 * <p>When the plugin of one of its plans is replaced or removed, the next start takes the plans
 * that new requests would get.
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
   * Replaces a buffer wherever the captured operations have it or a part of it, between runs.
   * Native memory and arrays can replace each other. If ranks are processes, this is about buffers
   * of the rank of this process only, and the ranks agree on them in their next run.
   *
   * @param old a buffer of a captured operation, or a segment that holds some of them
   * @param replacement as large; like the old one it must not overlap other buffers, but for parts
   *     of it
   * @throws dev.tutti.sdk.TuttiException with {@link ErrorCode#INVALID_STATE} during a run or after
   *     the end; {@link ErrorCode#INVALID_ARGUMENT} if no operation has the old buffer, or if the
   *     operations would hang together in another way; as {@link RequestBuilder#build} for the
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
   * What became of the operations, in lines for people: their algorithms, the order between them,
   * the signals that were dropped, and how their buffers are reached.
   */
  public String explain() {
    return operation.explain();
  }

  @Override
  public String toString() {
    return operation.toString();
  }
}
