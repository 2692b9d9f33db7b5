package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.options.GroupOptions;
import dev.tutti.cli.options.GroupShape;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.options.TopologyOption;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Coverage;
import dev.tutti.verifier.matrix.Traits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The cases to check: the standard ones, some of them, or exactly one. */
final class VerifyCases {

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      split = ",",
      description = "Numbers of ranks. Default: fourteen groups of 1 to 16 ranks.")
  private List<Integer> ranks = new ArrayList<>();

  @Option(
      names = "--topology",
      paramLabel = "<shape>",
      split = ",",
      converter = GroupShape.Converter.class,
      description =
          "The ranks of each node, with + between nodes and | between pods: 8+4 or '4+4|4+3';"
              + " found: for each of --ranks, or for 4, a node for each memory domain or last-level"
              + " cache of this machine.")
  private List<GroupShape> topologies = new ArrayList<>();

  @Option(
      names = {"-c", "--count"},
      paramLabel = "<n>",
      split = ",",
      converter = Sizes.Converter.class,
      description =
          "Elements as the operation counts them. Default: 0, 1, one less than the number of"
              + " ranks, a multiple of it, and longer ones.")
  private List<Long> counts = new ArrayList<>();

  @Option(
      names = {"-t", "--type"},
      paramLabel = "<type>",
      split = ",",
      description = "Data types. Default: all.")
  private List<DataType> types = new ArrayList<>();

  @Option(
      names = {"-o", "--op"},
      paramLabel = "<op>",
      split = ",",
      description = "Reductions. Default: all.")
  private List<ReduceOp> ops = new ArrayList<>();

  @Option(
      names = "--root",
      paramLabel = "<rank>",
      split = ",",
      description = "Roots, or senders of a transfer to the next rank. Default: five of them.")
  private List<Integer> roots = new ArrayList<>();

  @Option(
      names = "--protocol",
      paramLabel = "<protocol>",
      completionCandidates = Labels.OfProtocols.class,
      split = ",",
      description = "direct, rdma. Default: both.")
  private List<Protocol> protocols = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "<mode>",
      completionCandidates = Labels.OfModes.class,
      split = ",",
      description = "graph, op-base. Default: both.")
  private List<WorkflowMode> modes = new ArrayList<>();

  @Option(
      names = {"-p", "--param"},
      paramLabel = "<name=value>",
      description =
          "A value for a parameter of the algorithms; may be given several times. Default: several"
              + " values of each parameter.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--ccl-buffer",
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description =
          "Bytes of each rank's staging buffers. Default: sizes that make one round and several.")
  private @Nullable Long cclBufferSize;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "The seed of data, schedules and faults. Default: 1.")
  private @Nullable Long seed;

  @Option(
      names = "--full",
      description =
          "Checks every combination of the values. Default: every pair of values, and the triples"
              + " that --coverage names.")
  private boolean isFull;

  @Option(
      names = "--replay",
      paramLabel = "<token>",
      description = "Checks exactly the case that a failure names, instead of all options above.")
  private @Nullable CollectiveCase replay;

  @Option(
      names = "--coverage",
      description =
          "Shows below each algorithm which combinations its checked cases visit, and how often.")
  private boolean showsCoverage;

  /** Whether to show the coverage of the cases. */
  boolean showsCoverage() {
    return showsCoverage;
  }

  /**
   * Refuses options that contradict each other, and options that none of the operations supports.
   */
  void check(Set<Operation> operations) {
    if (replay != null) {
      checkReplay();
      return;
    }
    for (int n : ranks) {
      GroupOptions.flat(n);
    }
    requireSome(operations.stream().anyMatch(Traits::reduces), !ops.isEmpty(), "--op");
    requireSome(operations.stream().anyMatch(VerifyCases::hasRoot), !roots.isEmpty(), "--root");
    boolean hasData = operations.stream().anyMatch(Traits::hasData);
    requireSome(hasData, !counts.isEmpty(), "--count");
    requireSome(hasData, !types.isEmpty(), "--type");
  }

  private void checkReplay() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--ranks", !ranks.isEmpty());
    given.put("--topology", !topologies.isEmpty());
    given.put("--count", !counts.isEmpty());
    given.put("--type", !types.isEmpty());
    given.put("--op", !ops.isEmpty());
    given.put("--root", !roots.isEmpty());
    given.put("--protocol", !protocols.isEmpty());
    given.put("--mode", !modes.isEmpty());
    given.put("--param", !parameters.isEmpty());
    given.put("--ccl-buffer", cclBufferSize != null);
    given.put("--seed", seed != null);
    given.put("--full", isFull);
    given.put("--coverage", showsCoverage);
    given.values().removeIf(isGiven -> !isGiven);
    if (!given.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--replay names the whole case; leave out %s, or change it in the token",
          String.join(", ", given.keySet()));
    }
  }

  private static boolean hasRoot(Operation operation) {
    return Traits.hasRoot(operation) || Traits.isTransfer(operation);
  }

  private static void requireSome(boolean isTaken, boolean isGiven, String option) {
    if (isGiven && !isTaken) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "none of the chosen algorithms takes %s; leave it out",
          option);
    }
  }

  /** The one case to replay; null if there is none. */
  @Nullable CollectiveCase replay() {
    return replay;
  }

  /** Values for the parameters of the algorithms. */
  AlgOptions parameters() {
    return new AlgOptions(parameters);
  }

  /**
   * The cases for an algorithm, small groups first.
   *
   * @param limit the longest time for it to report which cases it supports
   * @throws TuttiException if a value is out of range
   */
  List<CollectiveCase> of(AlgorithmWithPeer subject, Duration limit) {
    if (replay != null) {
      return List.of(replay);
    }
    List<CollectiveCase> cases = new ArrayList<>();
    for (CollectiveCase each : axes().cases(subject, isFull, limit)) {
      cases.add(seed == null ? each : each.withSeed(seed));
    }
    cases.sort(CollectiveCase.plainestFirst());
    return cases;
  }

  /** The combinations that some cases of an algorithm visit, out of all possible ones. */
  Coverage coverage(AlgorithmWithPeer subject, List<CollectiveCase> some) {
    return axes().coverage(subject, some);
  }

  private CaseAxes axes() {
    return new CaseAxes(
        groups(), counts, types, ops, roots, protocols, modes, cclBufferSize, parameters());
  }

  private List<Topology> groups() {
    boolean isFound = topologies.stream().anyMatch(GroupShape::isFound);
    List<Topology> groups = new ArrayList<>();
    for (int n :
        new TreeSet<>(isFound && ranks.isEmpty() ? List.of(TopologyOption.USUAL_RANKS) : ranks)) {
      groups.add(isFound ? GroupShape.found(n) : Topology.flat(n));
    }
    topologies.stream()
        .filter(shape -> !shape.isFound())
        .map(GroupShape::topology)
        .forEach(groups::add);
    return groups.stream().distinct().toList();
  }
}
