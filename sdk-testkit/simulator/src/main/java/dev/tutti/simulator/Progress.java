package dev.tutti.simulator;

import dev.tutti.simulator.flow.FlatStream;
import java.util.Arrays;

/**
 * The positions of the streams of a simulation, and the streams that are ready to run. Its arrays
 * have an entry for each stream. Not thread-safe.
 */
final class Progress {

  final FlatStream[] streams;

  /** The current event of a stream. */
  final int[] position;

  /** The time that a stream has reached. */
  final long[] clock;

  /** The messages on the longest chain of actions up to that event. */
  final int[] depth;

  /** The record of the action that set the clock. */
  final int[] cause;

  private final int[] ready;
  private int readyCount;
  private int records;

  Progress(FlatStream[] streams) {
    this.streams = streams;
    this.position = new int[streams.length];
    this.clock = new long[streams.length];
    this.depth = new int[streams.length];
    this.cause = new int[streams.length];
    Arrays.fill(cause, EngineLog.NO_CAUSE);
    this.ready = new int[streams.length];
  }

  /** Makes a stream ready to run. */
  void wake(int stream) {
    ready[readyCount++] = stream;
  }

  boolean hasReady() {
    return readyCount > 0;
  }

  /** The stream that was woken last. */
  int takeReady() {
    return ready[--readyCount];
  }

  /** The number of the next record of an action. */
  int nextRecord() {
    return records++;
  }

  /** Ends an action; the next event of its stream begins at that time. */
  void end(int stream, long end, int record) {
    clock[stream] = end;
    cause[stream] = record;
  }
}
