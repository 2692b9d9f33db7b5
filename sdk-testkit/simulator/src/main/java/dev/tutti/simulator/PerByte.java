package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The cost of a byte, as an exact fraction: some picoseconds for some bytes. 300 GB/s is 10 ps for
 * 3 bytes.
 *
 * @param picoseconds 0 or more
 * @param bytes 1 or more
 */
public record PerByte(long picoseconds, long bytes) {

  /** No cost: an infinite bandwidth. */
  public static final PerByte FREE = new PerByte(0, 1);

  private static final BigInteger PICOSECONDS_PER_SECOND = BigInteger.TEN.pow(12);

  /** Checks the ranges and reduces the fraction to lowest terms. */
  public PerByte {
    if (picoseconds < 0 || bytes < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a cost per byte needs 0 or more picoseconds for 1 or more bytes. Actual: %d ps for %d"
              + " bytes",
          picoseconds,
          bytes);
    }
    long divisor = gcd(picoseconds, bytes);
    picoseconds /= divisor;
    bytes /= divisor;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** A whole number of picoseconds for each byte. */
  public static PerByte of(long picoseconds) {
    return new PerByte(picoseconds, 1);
  }

  /**
   * The cost at a bandwidth.
   *
   * @param bytesPerSecond more than 0
   */
  public static PerByte bandwidth(long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a bandwidth must be more than 0 bytes per second. Actual: %d",
          bytesPerSecond);
    }
    return new PerByte(PICOSECONDS_PER_SECOND.longValueExact(), bytesPerSecond);
  }

  /**
   * The time that some bytes take, rounded up to a whole picosecond.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if that is more than 106 days
   */
  public long time(long count) {
    if (picoseconds == 0 || count == 0) {
      return 0;
    }
    long product = count * picoseconds;
    if (Math.multiplyHigh(count, picoseconds) == 0 && product >= 0) {
      return bytes == 1 ? product : Math.ceilDiv(product, bytes);
    }
    BigInteger[] exact =
        BigInteger.valueOf(count)
            .multiply(BigInteger.valueOf(picoseconds))
            .divideAndRemainder(BigInteger.valueOf(bytes));
    BigInteger rounded = exact[0].add(exact[1].signum() == 0 ? BigInteger.ZERO : BigInteger.ONE);
    if (rounded.bitLength() > 63) {
      throw TimeText.tooLong();
    }
    return rounded.longValueExact();
  }

  /** The cost as a number, rounded: picoseconds for one byte. */
  public double value() {
    return (double) picoseconds / bytes;
  }

  /** The bandwidth in bytes per second, rounded; infinite if a byte costs nothing. */
  public double bytesPerSecond() {
    return picoseconds == 0 ? Double.POSITIVE_INFINITY : 1e12 / picoseconds * bytes;
  }

  /** The bandwidth, for example {@code "25 GB/s"}, or {@code "free"}. */
  @Override
  public String toString() {
    if (picoseconds == 0) {
      return "free";
    }
    BigDecimal perSecond =
        new BigDecimal(PICOSECONDS_PER_SECOND.multiply(BigInteger.valueOf(bytes)))
            .divide(BigDecimal.valueOf(picoseconds), 0, RoundingMode.HALF_UP);
    return TimeText.bandwidth(perSecond.doubleValue());
  }
}
