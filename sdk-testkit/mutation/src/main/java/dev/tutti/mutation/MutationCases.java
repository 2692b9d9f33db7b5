package dev.tutti.mutation;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.List;

/**
 * The cases whose plans and requests are mutated. Immutable.
 *
 * @param leastRanks the fewest ranks
 * @param mostRanks the most ranks
 * @param options values of the algorithm's parameters
 */
record MutationCases(
    Operation operation,
    int leastRanks,
    int mostRanks,
    List<WorkflowMode> modes,
    List<Protocol> protocols,
    List<AlgOptions> options) {

  private static final long COUNT = 300;

  /** A seed without empty blocks, so that every requested resource is needed. */
  private static final long SEED = 2;

  private static final int CCL_BYTES_FOR_TWO_ROUNDS = 1024;
  private static final int CCL_BYTES_FOR_ONE_ROUND = 2048;
  private static final int MOST_RANKS_WITH_TWO_ROUNDS = 4;

  MutationCases {
    modes = List.copyOf(modes);
    protocols = List.copyOf(protocols);
    options = List.copyOf(options);
  }

  static MutationCases of(Operation operation) {
    return new MutationCases(
        operation,
        2,
        8,
        List.of(WorkflowMode.values()),
        List.of(Protocol.values()),
        List.of(AlgOptions.none()));
  }

  List<CollectiveCase> all() {
    List<CollectiveCase> cases = new ArrayList<>();
    for (int ranks = leastRanks; ranks <= mostRanks; ranks++) {
      CommInfo comm =
          CommInfo.of(0, Topology.flat(ranks))
              .withCclBufferSize(
                  ranks <= MOST_RANKS_WITH_TWO_ROUNDS
                      ? CCL_BYTES_FOR_TWO_ROUNDS
                      : CCL_BYTES_FOR_ONE_ROUND);
      for (WorkflowMode mode : modes) {
        for (Protocol protocol : protocols) {
          addAll(comm.withMode(mode).withProtocol(protocol), cases);
        }
      }
    }
    return cases;
  }

  private void addAll(CommInfo comm, List<CollectiveCase> cases) {
    for (AlgOptions values : options) {
      CollectiveCase c =
          CollectiveCase.of(operation, comm.topology())
              .withComm(comm)
              .withCount(COUNT)
              .withSeed(SEED)
              .withOptions(values);
      cases.add(c);
      if (Traits.canBeInPlace(operation)) {
        cases.add(c.withInPlace(true));
      }
    }
  }
}
