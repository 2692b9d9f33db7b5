package dev.tutti.host.capture;

import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import java.util.Comparator;

/**
 * The place of a captured operation in the order of its capture. If a rank ended one operation
 * before it started another, the second one comes later in the order of all ranks. For this, each
 * rank has a logical clock, and the ranks of an operation set their clocks to one more than the
 * greatest of them.
 *
 * @param clock the time of the operation
 * @param meeting the number of the ranks' meeting: 0 for all ranks, else the pair
 * @param number the number of the operation there
 * @param part the index among operations that were recorded together
 */
record CaptureOrder(long clock, int meeting, long number, int part)
    implements Comparable<CaptureOrder> {

  private static final Comparator<CaptureOrder> ORDER =
      Comparator.comparingLong(CaptureOrder::clock)
          .thenComparingInt(CaptureOrder::meeting)
          .thenComparingLong(CaptureOrder::number)
          .thenComparingInt(CaptureOrder::part);

  @Override
  public int compareTo(CaptureOrder other) {
    return ORDER.compare(this, other);
  }

  void write(BodyWriter body) {
    body.number(clock).number(meeting).number(number).number(part);
  }

  static CaptureOrder read(BodyReader body) {
    return new CaptureOrder(body.number(), body.count(), body.number(), body.count());
  }
}
