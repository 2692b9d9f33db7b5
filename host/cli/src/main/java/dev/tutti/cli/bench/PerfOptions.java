package dev.tutti.cli.bench;

import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.DataTypeName;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.Reduction;
import dev.tutti.cli.options.SizeOptions;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.options.TopologyOption;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of nccl-tests that Tutti supports. */
final class PerfOptions {

  private static final Duration BUDGET = Duration.ofMillis(300);
  private static final String ALL = "all";

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "The smallest size, of the full vector of one rank. Default: 32M.")
  private long least = 32 << 20;

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "The largest size. Default: 32M.")
  private long most = 32 << 20;

  @Option(
      names = {"-i", "--stepbytes"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "The step from one size to the next. Default: 1M.")
  private @Nullable Long step;

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "<n>",
      description = "The factor from one size to the next, instead of -i.")
  private @Nullable Integer factor;

  @Option(
      names = {"-g", "--ngpus"},
      paramLabel = "<n>",
      description = "The number of ranks, with one thread that makes the calls of all. Default: 4.")
  private @Nullable Integer ranks;

  @Option(
      names = {"-t", "--nthreads"},
      paramLabel = "<n>",
      description = "The number of ranks, with a thread for each; instead of -g.")
  private @Nullable Integer threads;

  @Mixin private final TopologyOption places = new TopologyOption();

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "<n>",
      description = "Timed runs of each row. Default: as many as fit in 0.3 s, at least 5.")
  private @Nullable Integer runs;

  @Option(
      names = {"-w", "--warmup_iters"},
      paramLabel = "<n>",
      description = "Warm-up runs. Default: until times stop falling.")
  private @Nullable Integer warmUps;

  @Option(
      names = {"-c", "--check"},
      paramLabel = "<n>",
      description =
          "How often all results are checked after timing, each time with other data. They are"
              + " also checked once before timing. 0: never. Default: ${DEFAULT-VALUE}.")
  private int checks = 1;

  @Option(
      names = {"-d", "--datatype"},
      paramLabel = "<type>",
      completionCandidates = Labels.OfTypes.class,
      description = "The data type: int8, half, float, …, or all. Default: float.")
  private String type = "float";

  @Option(
      names = {"-o", "--op"},
      paramLabel = "<op>",
      completionCandidates = Labels.OfReductions.class,
      description = "The reduction: sum (default), prod, max, min, avg, band, bor, bxor, or all.")
  private @Nullable String op;

  @Option(
      names = {"-r", "--root"},
      paramLabel = "<rank>",
      description = "The root, or all. Default: 0.")
  private @Nullable String root;

  @Option(
      names = {"-T", "--timeout"},
      paramLabel = "<seconds>",
      description = "The longest time that one run may take, in seconds. Default: 30.")
  private @Nullable Long timeout;

  /** Refuses values that are out of range, and conflicting options. */
  void check() {
    require(
        0 < least && least <= most,
        "-b and -e must satisfy 0 < b <= e. Actual: b=%d, e=%d",
        least,
        most);
    require(step == null || factor == null, "-i and -f exclude each other; give one of them");
    require(step == null || step > 0, "-i must be 1 or more. Actual: %d", step);
    require(factor == null || factor > 1, "-f must be 2 or more. Actual: %d", factor);
    require(runs == null || runs > 0, "-n must be 1 or more. Actual: %d", runs);
    require(warmUps == null || warmUps >= 0, "-w must be 0 or more. Actual: %d", warmUps);
    require(checks >= 0, "-c must be 0 or more. Actual: %d", checks);
    require(timeout == null || timeout > 0, "-T must be 1 or more. Actual: %d", timeout);
    require(
        ranks == null || threads == null || ranks == 1 || threads == 1,
        "one thread calls all ranks, or each rank has one; give -g or -t. Actual: -g %d, -t %d",
        ranks,
        threads);
    Integer given = ranks();
    require(given == null || given > 0, "-g and -t must be 1 or more. Actual: %d", given);
  }

  private static void require(boolean isFulfilled, String message, @Nullable Object... arguments) {
    if (!isFulfilled) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, message, arguments);
    }
  }

  /** The given number of ranks; null if there is none. */
  private @Nullable Integer ranks() {
    return ranks == null && threads == null
        ? null
        : Integer.valueOf((ranks == null ? 1 : ranks) * (threads == null ? 1 : threads));
  }

  /** Whether a topology gives the number of ranks. */
  boolean isShaped() {
    return places.isShaped();
  }

  /**
   * The ranks and their places.
   *
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   */
  Topology topology(int ofJob) {
    boolean isOfThreads = threads != null && (ranks == null || ranks == 1);
    return places.topology(isOfThreads ? "-t" : "-g", ranks(), ofJob);
  }

  Callers callers() {
    return threads == null || threads == 1 ? Callers.ONE : Callers.THREADS;
  }

  Pace pace() {
    return new Pace(BUDGET, warmUps, runs, false, false);
  }

  int checks() {
    return checks;
  }

  /** The measured calls, one after another, each at all sizes. */
  List<CallSelection> selections(OperationName name, int ranks) {
    Duration deadline = timeout == null ? null : Duration.ofSeconds(timeout);
    List<CallSelection> selections = new ArrayList<>();
    for (DataType each : types()) {
      for (Reduction reduction : reductions(name, each)) {
        for (Integer rank : roots(ranks)) {
          CallSelection selection = new CallSelection(each, reduction, rank, deadline);
          selection.check(name);
          selections.add(selection);
        }
      }
    }
    return selections;
  }

  private List<DataType> types() {
    return type.equals(ALL) ? List.of(DataType.values()) : List.of(DataTypeName.of(type));
  }

  /** The requested reductions that the type supports; null for the default one. */
  private List<@Nullable Reduction> reductions(OperationName name, DataType each) {
    List<@Nullable Reduction> reductions = new ArrayList<>();
    if (op == null || !op.equals(ALL)) {
      reductions.add(op == null ? null : Reduction.fromLabel(op));
    } else {
      Reduction.all().stream()
          .filter(reduction -> reduction.isOf(name) && reduction.op().supports(each))
          .forEach(reductions::add);
    }
    return reductions;
  }

  /** The requested roots; null for the default one. */
  private List<@Nullable Integer> roots(int ranks) {
    List<@Nullable Integer> roots = new ArrayList<>();
    if (root == null || !root.equals(ALL)) {
      require(
          root == null || root.matches("\\d{1,9}"), "-r takes a rank, or all. Actual: '%s'", root);
      roots.add(root == null ? null : Integer.valueOf(root));
    } else {
      IntStream.range(0, ranks).forEach(roots::add);
    }
    return roots;
  }

  /** The counts to measure, each once. Sizes that are not whole blocks are rounded down. */
  List<Long> counts(OperationName name, DataType each, int ranks) {
    if (!name.hasData()) {
      return List.of(0L);
    }
    List<Long> counts = new ArrayList<>();
    long size = least;
    while (true) {
      counts.add(SizeOptions.rounded(name, each, ranks, size));
      if (factor == null ? size > most - step() : size > most / factor) {
        return counts.stream().distinct().toList();
      }
      size = factor == null ? size + step() : size * factor;
    }
  }

  private long step() {
    return step == null ? 1 << 20 : step;
  }

  /** The settings in the format of nccl-tests. */
  String head(int rankSize) {
    return "nThread "
        + (threads == null ? 1 : threads)
        + " nGpus "
        + (callers() == Callers.ONE ? rankSize : 1)
        + " minBytes "
        + least
        + " maxBytes "
        + most
        + " step: "
        + (factor == null ? step() + "(bytes)" : factor + "(factor)")
        + " warmup iters: "
        + (warmUps == null ? "auto" : warmUps)
        + " iters: "
        + (runs == null ? "auto" : runs)
        + " agg iters: 1 validation: "
        + checks
        + " graph: 0";
  }
}
