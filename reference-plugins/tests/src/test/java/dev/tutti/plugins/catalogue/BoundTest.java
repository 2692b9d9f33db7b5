package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.PerByte;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For each operation some algorithm is at the known bound, in the plain model: the latency of short
 * vectors, the bandwidth of long ones.
 */
class BoundTest {

  /**
   * The time of a message without bytes, in picoseconds, and that of a byte: 8 KiB take as long.
   */
  private static final long ALPHA = 8_192_000;

  private static final NetworkModel MODEL =
      NetworkModel.plain(ALPHA, PerByte.of(1000), PerByte.FREE);

  private static final double TOLERANCE = 1.1;
  private static final long LONG = 64 << 20;

  /** What has no bound of its own: a barrier moves nothing, the others are single messages. */
  private static final Set<Operation> UNBOUNDED =
      EnumSet.of(Operation.BARRIER, Operation.SEND, Operation.RECEIVE, Operation.BATCH_SEND_RECV);

  /**
   * Messages of lengths that only their ends know cannot be gathered on the way, so each rank sends
   * to all others.
   */
  private static final Set<Operation> NOT_LOGARITHMIC = EnumSet.of(Operation.ALL_TO_ALL_V);

  /** For blocks of different sizes no bound is known that is reached. */
  private static final Set<Operation> UNEQUAL_BLOCKS =
      EnumSet.of(Operation.ALL_GATHER_V, Operation.REDUCE_SCATTER_V);

  /** The defaults are for the caches of a machine; a slow network wants longer segments. */
  private static final List<AlgOptions> OPTIONS =
      List.of(
          AlgOptions.none(),
          new AlgOptions(Map.of("segment-bytes", "262144")),
          new AlgOptions(Map.of("algorithm", "one-stage")));

  private record Case(Operation operation, int ranks) {

    static Stream<Case> without(Set<Operation> excluded) {
      return Stream.of(Operation.values())
          .filter(operation -> !UNBOUNDED.contains(operation) && !excluded.contains(operation))
          .flatMap(
              operation ->
                  Stream.of(2, 3, 4, 6, 8, 13, 16).map(ranks -> new Case(operation, ranks)));
    }

    /** The fastest simulation of a vector of some bytes. */
    Simulation fastest(long bytes) {
      return Algorithm.all().stream()
          .filter(algorithm -> algorithm.operation() == operation)
          .flatMap(algorithm -> steps(algorithm, bytes))
          .map(BoundTest::simulate)
          .min(Comparator.comparing(Simulation::time))
          .orElseThrow();
    }

    private Stream<Step<?>> steps(Algorithm algorithm, long bytes) {
      CollectiveCase c = CollectiveCase.of(operation, Topology.flat(ranks)).withCount(count(bytes));
      return OPTIONS.stream()
          .filter(options -> takes(algorithm, options))
          .flatMap(options -> algorithm.step(SharedRequest.of(c.withOptions(options))).stream());
    }

    private static boolean takes(Algorithm algorithm, AlgOptions options) {
      try {
        options.check(algorithm.executor().parameters());
        return true;
      } catch (TuttiException e) {
        return false;
      }
    }

    /** Elements of a vector, or of a block where each rank has one. */
    private long count(long bytes) {
      long elements = bytes / 4;
      return switch (operation) {
        case ALL_REDUCE, REDUCE, BROADCAST, SCAN, EXCLUSIVE_SCAN -> elements;
        default -> Math.max(1, elements / ranks);
      };
    }
  }

  private static <P extends OpParam> Simulation simulate(Step<P> step) {
    GroupPlan plan =
        new PlanRecorder().withSources(false).record("bound", step.executor(), step.param());
    return Simulator.of(MODEL).run(plan, step.param());
  }

  static Stream<Case> shortVectors() {
    return Case.without(NOT_LOGARITHMIC);
  }

  @ParameterizedTest
  @MethodSource("shortVectors")
  void aShortVectorTakesNoMoreThanTheLogarithmOfMessages(Case c) {
    int rounds = 32 - Integer.numberOfLeadingZeros(c.ranks - 1);
    assertThat(c.fastest(8).time()).isLessThanOrEqualTo((long) (TOLERANCE * rounds * ALPHA));
  }

  static Stream<Case> longVectors() {
    return Case.without(UNEQUAL_BLOCKS);
  }

  @ParameterizedTest
  @MethodSource("longVectors")
  void aLongVectorTakesNoMoreThanTheBytesOfTheBusiestRank(Case c) {
    assertThat(c.fastest(LONG).boundRatio()).isBetween(1.0, TOLERANCE);
  }
}
