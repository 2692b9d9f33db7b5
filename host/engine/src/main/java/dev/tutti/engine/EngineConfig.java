package dev.tutti.engine;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * How an engine uses the machine.
 *
 * @param workers threads that may work on one run, the calling one included: 1 to 256. With 1,
 *     there are no other threads, and operations that ranks have left continue when a rank waits
 * @param spinNanos how long an idle thread polls before it yields
 * @param yieldNanos how long an idle thread yields before it parks
 * @param parallelBytes bytes a run must move before it is spread over several workers
 * @param streamingBytes the size of the inputs and outputs of all ranks from which results are
 *     written past the caches; about the size of the last-level cache
 */
public record EngineConfig(
    int workers, long spinNanos, long yieldNanos, long parallelBytes, long streamingBytes) {

  private static final int MAX_WORKERS = 256;

  /** Checks the ranges. */
  public EngineConfig {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "workers must be 1 to %d. Actual: %d", MAX_WORKERS, workers);
    }
    if (spinNanos < 0 || yieldNanos < 0 || parallelBytes < 0 || streamingBytes < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "spinNanos, yieldNanos, parallelBytes and streamingBytes must be 0 or more. Actual: %d,"
              + " %d, %d, %d",
          spinNanos,
          yieldNanos,
          parallelBytes,
          streamingBytes);
    }
  }

  /** One worker per processor, and thresholds measured on two cores of a server. */
  public static EngineConfig defaults() {
    int processors = Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors());
    return new EngineConfig(processors, 2_000, 100_000, 1 << 20, 32 << 20);
  }

  /** The same with another number of workers. */
  public EngineConfig withWorkers(int newWorkers) {
    return new EngineConfig(newWorkers, spinNanos, yieldNanos, parallelBytes, streamingBytes);
  }

  /** The same with another time for which an idle thread polls. */
  public EngineConfig withSpinNanos(long newSpinNanos) {
    return new EngineConfig(workers, newSpinNanos, yieldNanos, parallelBytes, streamingBytes);
  }

  /** The same with another size from which runs are spread over several workers. */
  public EngineConfig withParallelBytes(long newParallelBytes) {
    return new EngineConfig(workers, spinNanos, yieldNanos, newParallelBytes, streamingBytes);
  }

  /** The same with another size from which results are written past the caches. */
  public EngineConfig withStreamingBytes(long newStreamingBytes) {
    return new EngineConfig(workers, spinNanos, yieldNanos, parallelBytes, newStreamingBytes);
  }
}
