package dev.tutti.host.capture;

import dev.tutti.host.call.CollectiveCall;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** The methods of a capture for the application. */
public interface CapturedRuns {

  /** Starts a run, unless it is recorded. */
  void start();

  /** Whether the current run is complete; if so, another one can be started. */
  boolean test();

  /** Waits for the current run, at most for its deadline. */
  void await();

  /** Waits for the current run. */
  void await(Duration deadline);

  /** Starts a run and waits for it. */
  void run();

  /** Cancels the current run; returns whether there was one. */
  boolean cancel();

  /** Whether there is a run whose end has not been observed yet. */
  boolean isRunning();

  /** Whether buffers are copied before and after each run. */
  boolean isStaged();

  /** Closes this operation. A second call does nothing. */
  void close();

  /** Replaces a buffer, between runs, wherever the captured operations use it or a part of it. */
  void rebind(MemorySegment old, MemorySegment replacement);

  /** The captured operations in their order. */
  List<CollectiveCall> calls();

  /**
   * A description of the joined plan in lines of text: the algorithms of the operations, the order
   * between them, the dropped signals, and how their buffers are reached.
   */
  String explain();
}
