package dev.tutti.plugins.catalogue;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Algorithms follow one another on one group, with nothing in between: no signal of one-bit
 * notifies is lost, and no memory of the group is used by two operations at once.
 */
class SequenceTest {

  private static final List<Algorithm> ALGORITHMS = Algorithm.all();

  /** Two ranks take part in a transfer; a batch is checked for it, for it has the same messages. */
  private static final Set<Operation> TRANSFERS = EnumSet.of(Operation.SEND, Operation.RECEIVE);

  /** More than the default segments of pipelines hold, and several CCL buffers. */
  private static final long SEVERAL_SEGMENTS = 20_000;

  static Stream<CommInfo> groups() {
    return Stream.of("2", "3", "4", "5", "2+2", "2+3")
        .map(topology -> CommInfo.of(0, Topology.parse(topology)).withCclBufferSize(16 << 10))
        .flatMap(comm -> Stream.of(WorkflowMode.values()).map(comm::withMode))
        .flatMap(comm -> Stream.of(Protocol.values()).map(comm::withProtocol));
  }

  @ParameterizedTest
  @MethodSource("groups")
  void anyAlgorithmMayFollowAnyOther(CommInfo comm) {
    List<Step<?>> steps = new ArrayList<>();
    for (Algorithm algorithm : ALGORITHMS) {
      CollectiveCase c = CollectiveCase.of(algorithm.operation(), comm.topology()).withComm(comm);
      for (int root = 0; root < comm.rankSize(); root++) {
        for (long count : List.of(1L, 64L, SEVERAL_SEGMENTS)) {
          addStep(steps, algorithm, c.withRoot(root).withCount(count));
        }
      }
    }
    check(comm, steps.stream().distinct().toList());
  }

  @ParameterizedTest
  @MethodSource("groups")
  void soMayOperationsOfAnyKindInARow(CommInfo comm) {
    Random random = new Random(comm.toString().hashCode());
    for (int i = 0; i < 10; i++) {
      List<Step<?>> steps = new ArrayList<>();
      while (steps.size() < 12) {
        Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
        addStep(steps, algorithm, anyCase(algorithm.operation(), comm, random));
      }
      check(comm, steps);
    }
  }

  private static CollectiveCase anyCase(Operation operation, CommInfo comm, Random random) {
    long[] counts = {0, 1, comm.rankSize() - 1, 64, 1000, SEVERAL_SEGMENTS};
    return CollectiveCase.of(operation, comm.topology())
        .withComm(comm)
        .withCount(counts[random.nextInt(counts.length)])
        .withRoot(random.nextInt(comm.rankSize()))
        .withInPlace(random.nextBoolean())
        .withSeed(random.nextInt(2));
  }

  private static void addStep(List<Step<?>> steps, Algorithm algorithm, CollectiveCase c) {
    if (!TRANSFERS.contains(algorithm.operation())) {
      algorithm.step(SharedRequest.of(c)).ifPresent(steps::add);
    }
  }

  /** A sequence has its pairs in one order. */
  private static void check(CommInfo comm, List<Step<?>> steps) {
    VirtualCluster cluster =
        VirtualCluster.builder(comm.topology())
            .mode(comm.mode())
            .protocol(comm.protocol())
            .cclBufferSize(comm.cclBufferSize())
            .build();
    assertThat(cluster.checkSequence(steps.toArray(Step<?>[]::new))).isClean();
    assertThat(cluster.checkSequence(steps.reversed().toArray(Step<?>[]::new))).isClean();
  }
}
