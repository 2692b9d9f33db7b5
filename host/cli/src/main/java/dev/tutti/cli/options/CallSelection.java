package dev.tutti.cli.options;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Protocols;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a call, apart from the operation and its size. */
public final class CallSelection {

  @Option(
      names = {"-t", "--type"},
      paramLabel = "<type>",
      description = "The data type: int8 … uint64, float16, bfloat16, float32 (default), float64.")
  private DataType type = DataType.FLOAT32;

  @Option(
      names = {"-o", "--op"},
      paramLabel = "<op>",
      completionCandidates = Labels.OfReductions.class,
      description =
          "The reduction: sum (default), prod, max, min, band, bor, bxor, or avg: the sum divided"
              + " by the number of ranks, which rounds integers towards zero.")
  private @Nullable Reduction op;

  @Option(names = "--root", paramLabel = "<rank>", description = "The root. Default: 0.")
  private @Nullable Integer root;

  @Option(
      names = "--src",
      paramLabel = "<rank>",
      description = "The sender of a transfer. Default: 0.")
  private @Nullable Integer source;

  @Option(
      names = "--dst",
      paramLabel = "<rank>",
      description = "The receiver of a transfer. Default: the rank after the sender.")
  private @Nullable Integer destination;

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "<name>",
      description =
          "The algorithm, ring or plugin-id:ring. Default: the best one that supports the request.")
  private @Nullable String algorithm;

  @Option(
      names = {"-p", "--param"},
      paramLabel = "<name=value>",
      description = "A value for a parameter of the algorithm; may be given several times.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--mode",
      paramLabel = "<mode>",
      completionCandidates = Labels.OfModes.class,
      description =
          "graph: works directly on the caller's buffers; op-base: copies them through staging"
              + " buffers, slice by slice. Default: the mode that the memory of the buffers"
              + " allows, as in a program.")
  private @Nullable WorkflowMode mode;

  @Option(
      names = "--protocol",
      paramLabel = "<protocol>",
      completionCandidates = Labels.OfProtocols.class,
      description =
          "direct: load and store (default); rdma: one-sided push; a protocol for each plane:"
              + " level0=direct,level1=rdma.")
  private Protocols protocols = Protocols.DIRECT;

  @Option(
      names = "--determinism",
      paramLabel = "<class>",
      completionCandidates = Labels.OfDeterminism.class,
      description =
          "The reproducibility that you need: none (default), same-runs, same-ranks, same-sizes.")
  private @Nullable Determinism determinism;

  @Option(
      names = "--deadline",
      paramLabel = "<time>",
      description = "The longest time that one run may take: 500ms, 2s. Default: 30s.")
  private @Nullable Duration deadline;

  /** A selection by the options of a command. */
  public CallSelection() {}

  /** A selection that names no algorithm, so that the best one runs. */
  public CallSelection(
      DataType type, @Nullable Reduction op, @Nullable Integer root, @Nullable Duration deadline) {
    this.type = type;
    this.op = op;
    this.root = root;
    this.deadline = deadline;
  }

  public DataType type() {
    return type;
  }

  /** The longest time of one run; null for the default. */
  @Nullable Duration deadline() {
    return deadline;
  }

  public Reduction op() {
    return op == null ? Reduction.SUM : op;
  }

  /** Refuses options that the operation does not have. */
  public void check(OperationName name) {
    require(name.isReduction() || op == null, "--op", name);
    require(name.hasRoot() || root == null, "--root", name);
    require(name.isTransfer() || source == null, "--src", name);
    require(name.isTransfer() || destination == null, "--dst", name);
    if (name.isReduction()) {
      op().check(name, type);
    }
  }

  public static void require(boolean isTaken, String option, OperationName name) {
    if (!isTaken) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s does not take %s; leave it out", name.label(), option);
    }
  }

  /** The call of an operation; counts are those of its parameter record. */
  private CollectiveCall call(OperationName name, int ranks, long count) {
    if (name.isTransfer()) {
      int sender = source == null ? 0 : source;
      int receiver = destination == null ? (sender + 1) % ranks : destination;
      return CollectiveCall.sendReceive(type, count, sender, receiver);
    }
    return UniformCalls.of(
        name.operation(), ranks, type, op().op(), count, root == null ? 0 : root);
  }

  /** The whole specification for a group. */
  public OperationSpec spec(RequestName name, Topology topology, long count, boolean isInPlace) {
    OperationName operation = name.operation();
    return new OperationSpec(
        operation, topology, call(operation, topology.rankSize(), count), options(name), isInPlace);
  }

  /**
   * The options of the call.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if both the name and an option
   *     give the algorithm
   */
  public CallOptions options(RequestName name) {
    if (algorithm != null && name.algorithm() != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s/%s and --algorithm %s both say which algorithm; leave one out",
          name.operation().label(),
          name.algorithm(),
          algorithm);
    }
    return CallOptions.defaults()
        .withAlgorithm(algorithm == null ? name.algorithm() : algorithm)
        .withParameters(new AlgOptions(parameters))
        .withMode(mode)
        .withProtocols(protocols)
        .withDeterminism(determinism)
        .withAverage(op().isAverage())
        .withDeadline(deadline);
  }
}
