package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Prints measurements as nccl-tests does, with the column widths of its {@code src/util.cu}. */
final class PerfReport {

  private static final int TIME_WIDTH = 7;
  private static final int BANDWIDTH_WIDTH = 6;
  private static final int NO_ROOT = -1;
  private static final String NONE = "none";

  private final Terminal terminal;
  private final CsvFile csv;
  private double busBandwidths;
  private int measurements;

  PerfReport(Terminal terminal, CsvFile csv) {
    this.terminal = terminal;
    this.csv = csv;
  }

  /** Prints the version, the settings and the headings. */
  void start(String settings, String ranks) {
    PrintWriter out = terminal.out();
    out.println("# " + TuttiVersion.line());
    out.println("# " + settings);
    out.println("#");
    out.println("# Using " + ranks);
    out.println("#");
    out.println(
        Sentence.of(
            "# %10s  %12s  %8s  %6s  %6s           out-of-place                       in-place",
            "", "", "", "", ""));
    heading("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
    heading("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "");
  }

  private void heading(
      String size,
      String count,
      String type,
      String op,
      String root,
      String time,
      String algorithm,
      String bus,
      String wrong) {
    String body = Sentence.of("  %7s  %6s  %6s  %6s", time, algorithm, bus, wrong);
    String line =
        Sentence.of("# %10s  %12s  %8s  %6s  %6s", size, count, type, op, root) + body + body;
    terminal.out().println(line.stripTrailing());
  }

  /**
   * Prints a row.
   *
   * @param inPlace null if the operation has no in-place form
   */
  void row(Measurement outOfPlace, @Nullable Measurement inPlace) {
    CollectiveCall call = outOfPlace.of().ran().call();
    OperationName name = outOfPlace.of().name();
    String op = outOfPlace.of().ran().opLabel();
    String type = name.hasData() ? type(call.dataType()) : NONE;
    int root = name.hasRoot() ? call.root() : NO_ROOT;
    terminal
        .out()
        .println(
            Sentence.of(
                "%12d  %12d  %8s  %6s  %6d%s%s",
                outOfPlace.of().bytes(),
                outOfPlace.of().count(),
                type,
                op == null ? NONE : op,
                root,
                body(outOfPlace),
                body(inPlace)));
    terminal.out().flush();
    JsonLine line =
        new JsonLine()
            .put("operation", name.label())
            .put("ranks", outOfPlace.of().ranks())
            .put("size", outOfPlace.of().bytes())
            .put("count", outOfPlace.of().count())
            .put("type", type)
            .put("redop", op == null ? NONE : op)
            .put("root", root);
    put(line, "outOfPlace", outOfPlace);
    put(line, "inPlace", inPlace);
    csv.add(line);
  }

  private static void put(JsonLine line, String form, @Nullable Measurement measurement) {
    double micros = measurement == null ? Double.NaN : measurement.micros().mean();
    line.put(form + "Micros", micros)
        .put(
            form + "AlgbwGBps",
            measurement == null ? Double.NaN : measurement.algorithmBandwidth(micros))
        .put(
            form + "BusbwGBps", measurement == null ? Double.NaN : measurement.busBandwidth(micros))
        .put(form + "Wrong", measurement == null ? null : wrong(measurement));
  }

  private static @Nullable String wrong(Measurement measurement) {
    return measurement.of().isVerified() ? Long.toString(measurement.wrong()) : null;
  }

  private String body(@Nullable Measurement measurement) {
    if (measurement == null) {
      return Sentence.of("  %7s  %6s  %6s  %6s", "N/A", "N/A", "N/A", "N/A");
    }
    double micros = measurement.micros().mean();
    double bus = measurement.busBandwidth(micros);
    busBandwidths += bus;
    measurements++;
    return Sentence.of(
        "  %s  %s  %s  %6s",
        number(micros, TIME_WIDTH),
        number(measurement.algorithmBandwidth(micros), BANDWIDTH_WIDTH),
        number(bus, BANDWIDTH_WIDTH),
        Objects.requireNonNullElse(wrong(measurement), "N/A"));
  }

  /** A number with two decimals, or fewer if there is no space. */
  private static String number(double value, int width) {
    for (int decimals = 2; decimals >= 0; decimals--) {
      String text = Sentence.of("%" + width + "." + decimals + "f", value);
      if (decimals == 0 || text.length() <= width) {
        return text;
      }
    }
    throw new AssertionError("the loop returns");
  }

  /** The NCCL name of a type. */
  private static String type(DataType type) {
    return switch (type) {
      case FLOAT16 -> "half";
      case FLOAT32 -> "float";
      case FLOAT64 -> "double";
      case BFLOAT16, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> type.label();
    };
  }

  /**
   * Prints the summary of all rows.
   *
   * @param isVerified whether results were compared
   */
  void end(long wrong, boolean isVerified) {
    double average = measurements == 0 ? 0 : busBandwidths / measurements;
    String bandwidth =
        new BigDecimal(average).round(new MathContext(6)).stripTrailingZeros().toPlainString();
    PrintWriter out = terminal.out();
    String verdict = wrong == 0 ? "0 OK" : wrong + " FAILED";
    out.println("# Out of bounds values : " + (isVerified ? verdict : "N/A"));
    out.println("# Avg bus bandwidth    : " + bandwidth);
    out.println("#");
  }
}
