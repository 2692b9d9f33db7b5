package dev.tutti.cli.options;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A requested reduction: one that algorithms perform, or an average, which is a sum that the host
 * divides by the number of ranks.
 */
public record Reduction(ReduceOp op, boolean isAverage) {

  /** The most common reduction. */
  public static final Reduction SUM = new Reduction(ReduceOp.SUM, false);

  private static final Reduction AVERAGE = new Reduction(ReduceOp.SUM, true);

  /** The names of other libraries. */
  private static final Map<String, String> ALIASES =
      Map.ofEntries(
          Map.entry("add", "sum"),
          Map.entry("product", "prod"),
          Map.entry("mul", "prod"),
          Map.entry("minimum", "min"),
          Map.entry("maximum", "max"),
          Map.entry("mean", "avg"),
          Map.entry("average", "avg"),
          Map.entry("and", "band"),
          Map.entry("or", "bor"),
          Map.entry("xor", "bxor"));

  /** All reductions. */
  public static List<Reduction> all() {
    List<Reduction> all = new ArrayList<>();
    Stream.of(ReduceOp.values()).forEach(op -> all.add(new Reduction(op, false)));
    all.add(AVERAGE);
    return all;
  }

  private static String label(String text) {
    return ALIASES.getOrDefault(text.toLowerCase(Locale.ROOT), text);
  }

  /** The reduction of a name; letter case does not matter. */
  public static Reduction fromLabel(String text) {
    String label = label(text);
    return all().stream()
        .filter(each -> each.label().equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () -> Names.unknown("reduction", text, all().stream().map(Reduction::label).toList()));
  }

  /**
   * The reduction of a name for a command that inspects only algorithms, none of which computes
   * averages.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} for an average
   */
  public static ReduceOp ofAlgorithm(String text) {
    String label = label(text);
    if (label.equalsIgnoreCase(AVERAGE.label())) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "no algorithm computes averages: the host divides the sum of any algorithm. Actual: --op"
              + " %s; use --op sum",
          text);
    }
    return ReduceOp.fromLabel(label);
  }

  /** The name: that of the operation, or avg. */
  public String label() {
    return isAverage ? "avg" : op.label();
  }

  /** Whether a reducing operation supports this reduction. */
  public boolean isOf(OperationName name) {
    return !isAverage || !name.isScan();
  }

  /**
   * Refuses operations and types that do not support this reduction.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} or {@link ErrorCode#UNSUPPORTED_TYPE}
   */
  void check(OperationName name, DataType type) {
    if (!isOf(name)) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "%s has no average; use --op sum, or an allreduce, reduce or reducescatter",
          name.label());
    }
    op.requireSupports(type);
  }
}
