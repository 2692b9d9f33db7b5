package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MutantsTest {

  /** Rank 0 sends to ranks 1 and 2, on one slave stream for each. */
  private static final GroupPlan PLAN = plan();

  private static final List<Mutant> ALL = mutants(PLAN);

  private static GroupPlan plan() {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(3)).build();
    return cluster.record(
        Algorithms.flatBroadcast(), new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0));
  }

  private static List<Mutant> mutants(GroupPlan plan) {
    List<Mutant> mutants = new ArrayList<>();
    Mutants.of(plan, DataType.INT32, ReduceOp.SUM, () -> true, mutants::add);
    return mutants;
  }

  private static List<String> of(Operator operator, int rank, int action) {
    return ALL.stream()
        .filter(m -> m.operator() == operator && m.rank() == rank && m.action() == action)
        .map(Mutant::text)
        .toList();
  }

  private static int find(int rank, String text) {
    RankPlan plan = PLAN.rank(rank);
    return IntStream.range(0, plan.actionCount())
        .filter(action -> plan.describe(action).equals(text))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyMutantDiffersFromTheOriginalInOneRank() {
    for (Mutant mutant : ALL) {
      for (int rank = 0; rank < PLAN.rankSize(); rank++) {
        assertThat(mutant.plan().rank(rank).equals(PLAN.rank(rank)))
            .as(mutant.toString())
            .isEqualTo(rank != mutant.rank());
      }
    }
  }

  @Test
  void noTwoMutantsAreTheSamePlan() {
    Set<GroupPlan> known = new HashSet<>();
    for (Mutant mutant : ALL) {
      assertThat(known.add(mutant.plan())).as(mutant.toString()).isTrue();
    }
  }

  @Test
  void everyActionOfAMutantKnowsWhereItComesFrom() {
    for (Mutant mutant : ALL) {
      RankPlan original = PLAN.rank(mutant.rank());
      RankPlan changed = mutant.plan().rank(mutant.rank());
      assertThat(mutant.origins()).hasSize(changed.actionCount());
      for (int action = 0; action < changed.actionCount(); action++) {
        int origin = mutant.origin(mutant.rank(), action);
        boolean isChanged =
            origin == mutant.action()
                && mutant.operator() != Operator.SWAP
                && mutant.operator() != Operator.DUPLICATE;
        assertThat(changed.describe(action) + changed.stream(action))
            .as(mutant.toString())
            .matches(
                text ->
                    isChanged || text.equals(original.describe(origin) + original.stream(origin)));
      }
    }
  }

  @Test
  void anActionThatMovesDataIsChangedInEveryOperand() {
    int copy = find(1, "copy param-output[0+40] = rank 0's param-input[0+40]");

    assertThat(of(Operator.SHIFT, 1, copy))
        .extracting(text -> text.substring(text.indexOf("' ") + 2))
        .containsExactly(
            "with its destination at rank 1 param-output[4, 44)",
            "with its source 0 at rank 0 param-input[4, 44)");
    assertThat(of(Operator.SIZE, 1, copy))
        .extracting(text -> text.substring(text.indexOf("' ") + 2))
        .containsExactly("with 36 bytes", "with 44 bytes");
    assertThat(of(Operator.PEER, 1, copy))
        .extracting(text -> text.substring(text.indexOf("' ") + 2))
        .containsExactly(
            "with its destination at rank 0 param-output[0, 40)",
            "with its destination at rank 2 param-output[0, 40)",
            "with its source 0 at rank 1 param-input[0, 40)",
            "with its source 0 at rank 2 param-input[0, 40)");
    assertThat(of(Operator.REDUCTION, 1, copy))
        .extracting(text -> text.substring(text.indexOf("' ") + 2))
        .containsExactly("as a reduction with sum");
    assertThat(of(Operator.TYPE, 1, copy)).isEmpty();
  }

  @Test
  void aReductionIsChangedInTypeAndOperation() {
    RankPlan plan = PLAN.rank(1);
    int copy = find(1, "copy param-output[0+40] = rank 0's param-input[0+40]");
    RankPlan reducing =
        new RankPlanBuilder(plan)
            .reduceFrom(
                0,
                plan.dst(copy),
                List.of(plan.dst(copy), plan.src(copy, 0)),
                DataType.INT32,
                ReduceOp.SUM)
            .build();
    List<Mutant> mutants =
        mutants(new GroupPlan("", false, List.of(PLAN.rank(0), reducing, PLAN.rank(2)))).stream()
            .filter(mutant -> mutant.rank() == 1)
            .toList();

    assertThat(mutants)
        .filteredOn(mutant -> mutant.operator() == Operator.TYPE)
        .extracting(mutant -> mutant.plan().rank(1).dataType(0))
        .containsExactlyInAnyOrder(
            java.util.Arrays.stream(DataType.values())
                .filter(type -> type != DataType.INT32)
                .toArray(DataType[]::new));
    assertThat(mutants)
        .filteredOn(mutant -> mutant.operator() == Operator.REDUCTION)
        .extracting(mutant -> mutant.plan().rank(1).describe(0))
        .hasSize(ReduceOp.values().length - 1 + 2)
        .contains(
            "copy param-output[0+40] = param-output[0+40]",
            "copy param-output[0+40] = rank 0's param-input[0+40]");
  }

  @Test
  void aSyncGoesToEveryOtherNotifyAndLinkAndTurnsAround() {
    int post = find(0, "post FIN to rank 1");

    assertThat(of(Operator.NOTIFY, 0, post))
        .containsExactly(
            "'post FIN to rank 1' on notify 0",
            "'post FIN to rank 1' on notify 2",
            "'post FIN to rank 1' turned into an await");
    assertThat(of(Operator.PEER, 0, post))
        .containsExactly("'post FIN to rank 1' on the link to rank 2");
  }

  @Test
  void anActionMovesToEveryOtherStreamAndToANewOne() {
    int post = find(0, "post FIN to rank 1");

    assertThat(of(Operator.STREAM, 0, post))
        .containsExactly(
            "'post FIN to rank 1' on stream 0",
            "'post FIN to rank 1' on stream 2",
            "'post FIN to rank 1' on a new stream");
  }

  @Test
  void swapsAreWithTheNextActionOfTheSameStream() {
    for (Mutant mutant : ALL) {
      if (mutant.operator() == Operator.SWAP) {
        RankPlan plan = PLAN.rank(mutant.rank());
        int other = mutant.origins().get(mutant.action());
        assertThat(plan.stream(other)).isEqualTo(plan.stream(mutant.action()));
        assertThat(IntStream.range(mutant.action() + 1, other))
            .noneMatch(between -> plan.stream(between) == plan.stream(other));
      }
    }
  }

  @Test
  void onlyWantedMutantsAreMade() {
    List<Mutant> wanted = new ArrayList<>();
    int[] asked = {0};
    Mutants.of(PLAN, DataType.INT32, ReduceOp.SUM, () -> asked[0]++ % 3 == 0, wanted::add);

    assertThat(asked[0]).isEqualTo(ALL.size());
    assertThat(wanted).hasSize((ALL.size() + 2) / 3);
  }

  @Test
  void plansWithNestedPlansHaveNone() {
    GroupPlan nested = GroupPlan.sequence("twice", List.of(PLAN, PLAN));

    assertThatThrownBy(() -> mutants(nested)).hasMessage("there are no mutants of NESTED actions");
  }
}
