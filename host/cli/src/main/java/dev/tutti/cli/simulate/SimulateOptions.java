package dev.tutti.cli.simulate;

import dev.tutti.cli.catalogue.AlgorithmNames;
import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.SizeOptions;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Protocols;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the simulated cases: the sizes, and the settings that all cases share. */
final class SimulateOptions {

  private static final long DEFAULT_BYTES = 1 << 20;

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "<name>",
      description =
          "The algorithm of the operation, ring or plugin-id:ring. Default: the one that a run would"
              + " take.")
  private @Nullable String algorithm;

  @Option(
      names = {"-b", "--bytes"},
      paramLabel = "<size>",
      split = ",",
      converter = Sizes.Converter.class,
      description = "Bytes of the full vector of one rank, as in nccl-tests. Default: 1M.")
  private List<Long> bytes = new ArrayList<>();

  @Option(
      names = {"-c", "--count"},
      paramLabel = "<n>",
      split = ",",
      converter = Sizes.Converter.class,
      description = "The number of elements, as the operation counts them, instead of --bytes.")
  private List<Long> counts = new ArrayList<>();

  @Option(
      names = {"-t", "--type"},
      paramLabel = "<type>",
      description = "The data type. Default: float32.")
  private DataType type = DataType.FLOAT32;

  @Option(
      names = {"-o", "--op"},
      paramLabel = "<op>",
      description = "The reduction. Default: sum.")
  private @Nullable ReduceOp op;

  @Option(
      names = "--root",
      paramLabel = "<rank>",
      description = "The root, or the sender of a transfer to the next rank. Default: 0.")
  private @Nullable Integer root;

  @Option(
      names = "--mode",
      paramLabel = "<mode>",
      completionCandidates = Labels.OfModes.class,
      description =
          "graph: works directly on the caller's buffers (default); op-base: copies them through"
              + " staging buffers, slice by slice.")
  private WorkflowMode mode = WorkflowMode.GRAPH;

  @Option(
      names = "--protocol",
      paramLabel = "<protocol>",
      completionCandidates = Labels.OfProtocols.class,
      description =
          "direct: load and store (default); rdma: one-sided push; a protocol for each plane:"
              + " level0=direct,level1=rdma.")
  private Protocols protocols = Protocols.DIRECT;

  @Option(
      names = {"-p", "--param"},
      paramLabel = "<name=value>",
      description = "A value for a parameter of the algorithms; may be given several times.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--ccl-buffer",
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "Bytes of each rank's two staging buffers. Default: 4M.")
  private @Nullable Long cclBufferSize;

  /**
   * The name of the simulated operation or algorithm, from the target and {@code --algorithm}.
   *
   * @param all the catalogue
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if both name an algorithm
   */
  String name(List<Algorithm> all, String target) {
    if (algorithm == null) {
      return target;
    }
    // An unknown target has an error of its own.
    List<Algorithm> _ = AlgorithmNames.select(all, List.of(target), null);
    if (!AlgorithmNames.isOperation(all, target)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s and --algorithm %s both say which algorithm; leave one out",
          target,
          algorithm);
    }
    return target + "/" + algorithm;
  }

  /** Values for the parameters of the algorithms. */
  AlgOptions parameters() {
    return new AlgOptions(parameters);
  }

  /**
   * One case for each size.
   *
   * @throws TuttiException if the operation does not support an option, or a value is out of range
   */
  List<CollectiveCase> cases(Operation operation, Topology topology) {
    OperationName name = OperationName.of(operation.label());
    CallSelection.require(name.isReduction() || op == null, "--op", name);
    CallSelection.require(name.hasRoot() || name.isTransfer() || root == null, "--root", name);
    CommInfo comm = protocols.in(CommInfo.of(0, topology).withMode(mode));
    CollectiveCase sample =
        CollectiveCase.of(operation, topology)
            .withComm(cclBufferSize == null ? comm : comm.withCclBufferSize(cclBufferSize))
            .withReduction(type, op())
            .withRoot(root())
            .withOptions(parameters());
    return counts(name, topology.rankSize()).stream().map(sample::withCount).toList();
  }

  /** The call of each case. */
  List<CollectiveCall> calls(Operation operation, Topology topology) {
    OperationName name = OperationName.of(operation.label());
    int ranks = topology.rankSize();
    return counts(name, ranks).stream()
        .map(count -> UniformCalls.of(operation, ranks, type, op(), count, root()))
        .toList();
  }

  private ReduceOp op() {
    return op == null ? ReduceOp.SUM : op;
  }

  private int root() {
    return root == null ? 0 : root;
  }

  /** The options of the requests that runs would make. */
  CallOptions callOptions() {
    return CallOptions.defaults()
        .withMode(mode)
        .withProtocols(protocols)
        .withParameters(parameters());
  }

  void applyTo(ContextBuilder builder) {
    if (cclBufferSize != null) {
      builder.cclBufferSize(cclBufferSize);
    }
  }

  private List<Long> counts(OperationName name, int ranks) {
    CallSelection.require(name.hasData() || counts.isEmpty(), "--count", name);
    CallSelection.require(name.hasData() || bytes.isEmpty(), "--bytes", name);
    if (!counts.isEmpty() && !bytes.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--count and --bytes exclude each other; give one of them");
    }
    if (!name.hasData()) {
      return List.of(0L);
    }
    if (!counts.isEmpty()) {
      return counts;
    }
    return bytes.isEmpty()
        ? List.of(SizeOptions.rounded(name, type, ranks, DEFAULT_BYTES))
        : bytes.stream().map(size -> SizeOptions.exact(name, type, ranks, size)).toList();
  }
}
