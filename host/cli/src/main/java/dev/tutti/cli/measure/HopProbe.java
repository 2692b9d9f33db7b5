package dev.tutti.cli.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Measures the latency of a cache line between two processors: two threads pass a number back and
 * forth.
 */
public final class HopProbe {

  private static final VarHandle LINES = MethodHandles.arrayElementVarHandle(long[].class);

  /** The lines are so far apart that no fetch of one also brings the other. */
  private static final int PING = 64;

  private static final int PONG = 128;
  private static final int LENGTH = 192;
  private static final long STOP = -1;

  private static final int BATCHES = 200;
  private static final int FEW_BATCHES = 40;
  private static final int ENOUGH = 8;
  private static final int ROUND_TRIPS = 50;
  private static final long PATIENCE_NANOS = 50_000_000;

  private final long[] lines = new long[LENGTH];

  private HopProbe() {}

  /**
   * Nanoseconds one way; NaN with one processor, or if the other processor is too busy to answer.
   */
  public static double nanos() {
    return nanos(BATCHES);
  }

  /** The same from fewer batches, in about 1 ms; enough to distinguish states of the machine. */
  public static double quickNanos() {
    return nanos(FEW_BATCHES);
  }

  private static double nanos(int batches) {
    return Runtime.getRuntime().availableProcessors() < 2
        ? Double.NaN
        : new HopProbe().measure(batches);
  }

  private double measure(int batches) {
    Thread answering = new Thread(this::answer, "tutti-hop-probe");
    answering.setDaemon(true);
    answering.start();
    double[] nanos = new double[batches];
    long end = System.nanoTime() + PATIENCE_NANOS;
    long next = 1;
    int done = 0;
    while (done < batches && System.nanoTime() - end < 0) {
      long start = System.nanoTime();
      int trips = 0;
      while (trips < ROUND_TRIPS && roundTrip(next + trips, end)) {
        trips++;
      }
      next += ROUND_TRIPS;
      if (trips == ROUND_TRIPS) {
        nanos[done++] = (System.nanoTime() - start) / (2.0 * ROUND_TRIPS);
      }
    }
    LINES.setRelease(lines, PING, STOP);
    // Take the lower quartile: the first batches include the thread's start and the compiler, and
    // others the wait for a processor.
    return done < ENOUGH ? Double.NaN : Distribution.of(done, batch -> nanos[batch]).quantile(0.25);
  }

  private boolean roundTrip(long number, long end) {
    LINES.setRelease(lines, PING, number);
    int polls = 0;
    while ((long) LINES.getAcquire(lines, PONG) != number) {
      Thread.onSpinWait();
      if ((++polls & 1023) == 0 && System.nanoTime() - end > 0) {
        return false;
      }
    }
    return true;
  }

  private void answer() {
    long seen = 0;
    while (seen != STOP) {
      long number = (long) LINES.getAcquire(lines, PING);
      if (number == seen) {
        Thread.onSpinWait();
      } else {
        seen = number;
        LINES.setRelease(lines, PONG, number);
      }
    }
  }
}
