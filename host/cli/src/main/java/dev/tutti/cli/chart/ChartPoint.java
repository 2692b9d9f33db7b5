package dev.tutti.cli.chart;

import dev.tutti.cli.measure.Bandwidth;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.terminal.Text;
import java.util.Comparator;

/**
 * A measured time.
 *
 * @param operation the operation
 * @param ranks the number of ranks
 * @param isInPlace whether input and output are the same memory
 * @param algorithm the algorithm
 * @param bytes the message size for the choice of an algorithm
 * @param micros the time
 * @param leastMicros the start of the time's range
 * @param mostMicros the end of the range
 * @param hopNanos the state of the machine, by the time of a cache line; 0 if it is not known
 */
public record ChartPoint(
    OperationName operation,
    int ranks,
    boolean isInPlace,
    String algorithm,
    long bytes,
    double micros,
    double leastMicros,
    double mostMicros,
    int hopNanos) {

  static final Comparator<ChartPoint> BY_SIZE = Comparator.comparingLong(ChartPoint::bytes);

  /** The group of comparable points: {@code "allreduce, in place, 2 ranks"}. */
  String group() {
    return operation.label() + (isInPlace ? ", in place" : "") + ", " + Text.count(ranks, "rank");
  }

  /** The bus bandwidth at a time, in gigabytes per second. */
  double busBandwidth(double atMicros) {
    return Bandwidth.algorithm(bytes, atMicros) * Bandwidth.busFactor(operation.operation(), ranks);
  }
}
