package dev.tutti.host.capture;

import dev.tutti.host.call.CollectiveCall;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** What an application can do with a capture. */
public interface CapturedRuns {

  /** Starts a run, unless it is recorded. */
  void start();

  /** Whether the run that was started is complete; if so, another one can be started. */
  boolean test();

  /** Waits for the run that was started, at most as long as its deadline. */
  void await();

  /** Waits for the run that was started. */
  void await(Duration deadline);

  /** Starts a run and waits for it. */
  void run();

  /** Asks the run under way to end early; whether there was one. */
  boolean cancel();

  /** Whether a run was started whose end has not been observed yet. */
  boolean isRunning();

  /** Whether buffers are copied before and after each run. */
  boolean isStaged();

  /** Closes this operation. A second call does nothing. */
  void close();

  /** Replaces a buffer wherever the captured operations have it or a part of it, between runs. */
  void rebind(MemorySegment old, MemorySegment replacement);

  /** The captured operations in their order. */
  List<CollectiveCall> calls();

  /**
   * What became of the operations, in lines to read: their algorithms, the order between them, the
   * signals that were dropped, and how their buffers are reached.
   */
  String explain();
}
