package dev.tutti.simulator;

import dev.tutti.simulator.text.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number with its unit in a network file, such as {@code "1.5 us"} or {@code "200 Gbit/s"}. */
final class Quantity {

  /** Wide enough for every time and bandwidth that a model can have. */
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,40}(?:\\.[0-9]{1,12})?) (\\S+)");

  /** The digits of a bandwidth that fit into every {@link PerByte}. */
  private static final MathContext RATE_DIGITS = new MathContext(15, RoundingMode.DOWN);

  /** Decimal places of a bandwidth in kB/s: thousandths of a byte per second. */
  private static final int RATE_SCALE = 6;

  /** Picoseconds of each unit of time. */
  private static final Map<String, BigDecimal> TIMES =
      units("ps", "1", "ns", "1e3", "us", "1e6", "µs", "1e6", "ms", "1e9", "s", "1e12");

  /** Bits per second of each unit of bandwidth. */
  private static final Map<String, BigDecimal> RATES =
      units(
          "B/s",
          "8",
          "kB/s",
          "8e3",
          "MB/s",
          "8e6",
          "GB/s",
          "8e9",
          "TB/s",
          "8e12",
          "KiB/s",
          "8192",
          "MiB/s",
          "8388608",
          "GiB/s",
          "8589934592",
          "TiB/s",
          "8796093022208",
          "bit/s",
          "1",
          "kbit/s",
          "1e3",
          "Mbit/s",
          "1e6",
          "Gbit/s",
          "1e9",
          "Tbit/s",
          "1e12");

  private Quantity() {}

  private static Map<String, BigDecimal> units(String... pairs) {
    Map<String, BigDecimal> units = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      units.put(pairs[i], new BigDecimal(pairs[i + 1]));
    }
    return units;
  }

  /** A time in whole picoseconds. */
  static long time(Json value) {
    BigDecimal picoseconds = read(value, "time", "1.5 us", TIMES);
    if (picoseconds.stripTrailingZeros().scale() > 0) {
      throw value.error("must be a whole number of picoseconds. Actual: %s", value.text());
    }
    if (picoseconds.toBigInteger().bitLength() > 63) {
      throw value.error("must be at most 106 days. Actual: %s", value.text());
    }
    return picoseconds.longValueExact();
  }

  /** A bandwidth as the exact cost of a byte. */
  static PerByte bandwidth(Json value) {
    BigDecimal bits = read(value, "bandwidth", "25 GB/s", RATES);
    if (bits.signum() == 0) {
      throw value.error("must be more than 0; leave the field out for no limit");
    }
    // 8e12 ps·bit/byte over bits per second, both as whole numbers
    int scale = Math.max(0, bits.stripTrailingZeros().scale());
    BigInteger time = BigInteger.valueOf(8).multiply(BigInteger.TEN.pow(12 + scale));
    BigInteger bytes = bits.movePointRight(scale).toBigIntegerExact();
    BigInteger divisor = time.gcd(bytes);
    time = time.divide(divisor);
    bytes = bytes.divide(divisor);
    if (time.bitLength() > 63 || bytes.bitLength() > 63) {
      throw value.error("has too many digits to be kept exactly. Actual: %s", value.text());
    }
    return new PerByte(time.longValueExact(), bytes.longValueExact());
  }

  /** The text of a time in picoseconds, in nanoseconds. */
  static String text(long picoseconds) {
    return plain(BigDecimal.valueOf(picoseconds, 3)) + " ns";
  }

  /**
   * The text of a cost per byte as a bandwidth, rounded down to a thousandth of a byte per second
   * and to 15 digits; empty if that is 0.
   */
  static Optional<String> text(PerByte cost) {
    BigDecimal kilobytes =
        BigDecimal.valueOf(cost.bytes())
            .scaleByPowerOfTen(9)
            .divide(BigDecimal.valueOf(cost.picoseconds()), RATE_DIGITS);
    if (kilobytes.scale() > RATE_SCALE) {
      kilobytes = kilobytes.setScale(RATE_SCALE, RoundingMode.DOWN);
    }
    return kilobytes.signum() == 0 ? Optional.empty() : Optional.of(plain(kilobytes) + " kB/s");
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static BigDecimal read(
      Json value, String what, String example, Map<String, BigDecimal> units) {
    Matcher matcher = TEXT.matcher(value.text());
    if (!matcher.matches()) {
      throw value.error(
          "must be a %s with its unit, for example \"%s\". Actual: \"%s\"",
          what, example, value.text());
    }
    BigDecimal unit = units.get(matcher.group(2));
    if (unit == null) {
      throw value.unknown("unit of " + what, matcher.group(2), List.copyOf(units.keySet()));
    }
    return new BigDecimal(matcher.group(1)).multiply(unit);
  }
}
