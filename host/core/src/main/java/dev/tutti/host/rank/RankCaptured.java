package dev.tutti.host.rank;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CapturedRuns;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.JoinedStep;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A capture of ranks in several processes, for the ranks of this process. Each run is an operation
 * of these ranks like others, which all ranks start in the same order. Not thread-safe, except for
 * {@link #cancel} and {@link #isRunning}.
 */
final class RankCaptured implements CapturedRuns, CallCopies {

  private final Captures captures;
  private final JoinedStep joined;

  /**
   * The call of a run once the copies are filled. It is a different object, so that it can be
   * distinguished from the call without copies.
   */
  private final RankCall copied;

  private final String name;
  private final Runnable check;
  private @Nullable RankOperations operations;
  private volatile boolean isClosed;

  /**
   * Makes a capture that has not run yet.
   *
   * @param name the names of the ranks in messages
   * @param rank the first of the ranks
   * @param title the name of a run in messages
   * @param check refuses runs while the ranks make their own calls
   */
  RankCaptured(
      String name, Captures captures, JoinedStep joined, int rank, String title, Runnable check) {
    this.captures = captures;
    this.joined = joined;
    this.copied = RankCall.ofCapture(rank, title);
    this.name = name;
    this.check = check;
  }

  /** Sets the operations that run it; called once. */
  void runs(RankOperations replays) {
    operations = replays;
  }

  private RankOperations open(String asked) {
    if (isClosed) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s the %s of %s: it is closed; capture again",
          asked,
          this,
          name);
    }
    return Objects.requireNonNull(operations);
  }

  @Override
  public RankCall before() {
    joined.beforeRun();
    return copied;
  }

  @Override
  public void after() {
    joined.afterRun();
  }

  @Override
  public void giveUp() {}

  @Override
  public void start() {
    RankOperations replays = open("start");
    check.run();
    replays.start();
  }

  @Override
  public boolean test() {
    return open("test").test();
  }

  @Override
  public void await() {
    open("wait for").await();
  }

  @Override
  public void await(Duration deadline) {
    open("wait for").await(deadline);
  }

  @Override
  public void run() {
    RankOperations replays = open("run");
    check.run();
    replays.run();
  }

  @Override
  public boolean cancel() {
    return open("cancel").cancel();
  }

  @Override
  public boolean isRunning() {
    return Objects.requireNonNull(operations).isRunning();
  }

  @Override
  public boolean isStaged() {
    return joined.isStaged();
  }

  @Override
  public void close() {
    requireIdle("close");
    isClosed = true;
    captures.close(joined);
  }

  private void requireIdle(String asked) {
    if (isRunning()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s the %s of %s: it is running; wait for its end first",
          asked,
          this,
          name);
    }
  }

  @Override
  public void rebind(MemorySegment old, MemorySegment replacement) {
    RankOperations ignored = open("rebind");
    requireIdle("rebind");
    joined.rebind(old, replacement);
  }

  @Override
  public List<CollectiveCall> calls() {
    return joined.calls();
  }

  @Override
  public String explain() {
    return joined.explain();
  }

  @Override
  public String toString() {
    return joined.toString();
  }
}
