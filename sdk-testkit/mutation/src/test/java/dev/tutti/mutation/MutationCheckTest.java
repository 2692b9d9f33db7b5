package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shapes that the reference algorithms do not have: slave streams, chains, relays, barriers. */
class MutationCheckTest {

  private static MutationCheck check(Operation operation, CollExecutorBase<?> executor) {
    return MutationCheck.of(operation, List.of(executor))
        .withRanks(2, 4)
        .within(List.of(WorkflowMode.GRAPH), List.of(Protocol.DIRECT));
  }

  @Test
  void everyMutantOfABroadcastWithSlaveStreamsIsCaught() {
    MutationScore score =
        check(Operation.BROADCAST, Algorithms.flatBroadcast()).withRanks(3, 3).run();

    score.requireAtLeast(1);
    assertThat(score.counts())
        .containsOnlyKeys(
            Operator.DROP,
            Operator.DUPLICATE,
            Operator.SWAP,
            Operator.SHIFT,
            Operator.SIZE,
            Operator.REDUCTION,
            Operator.PEER,
            Operator.NOTIFY,
            Operator.STREAM,
            Operator.LINK,
            Operator.RESOURCE);
  }

  @Test
  void everyMutantOfADirectAllReduceIsCaught() {
    check(Operation.ALL_REDUCE, Algorithms.directAllReduce())
        .withOneIn(3, 1)
        .run()
        .requireAtLeast(1);
  }

  @Test
  void everyMutantOfARingAllGatherIsCaught() {
    MutationCheck.of(new Algorithms.RingAllGather())
        .withRanks(2, 4)
        .withOneIn(30, 1)
        .run()
        .requireAtLeast(1);
  }

  @Test
  void everyMutantOfAChainIsCaught() {
    check(Operation.EXCLUSIVE_SCAN, Algorithms.chainScan()).run().requireAtLeast(1);
  }

  @Test
  void everyMutantOfABarrierIsCaught() {
    check(Operation.BARRIER, Algorithms.meshBarrier()).run().requireAtLeast(1);
  }

  @Test
  void everyMutantOfARelayThroughAThirdRankIsCaught() {
    check(Operation.BROADCAST, Algorithms.relayedBroadcast(true))
        .withRanks(3, 3)
        .run()
        .requireAtLeast(1);
  }

  @Test
  void aSampleIsTheSameForEqualSeeds() {
    MutationCheck check = check(Operation.BARRIER, Algorithms.meshBarrier()).withOneIn(4, 7);

    assertThat(check.run()).isEqualTo(check.run());
    assertThat(check.withOneIn(4, 8).run()).isNotEqualTo(check.run());
  }

  @Test
  void whatIsNotSupportedHasNoMutants() {
    CollExecutorBase<AllReduceParam> picky =
        new Sketch<>(
            param -> Support.when(false, "never"),
            param -> AlgResourceRequest.none(),
            (param, res) -> {});

    assertThat(check(Operation.ALL_REDUCE, picky).run()).isEqualTo(MutationScore.none());
  }

  @Test
  void mutantsAreMadeOfRightPlansOnly() {
    MutationCheck wrong =
        check(Operation.BROADCAST, Algorithms.relayedBroadcast(false)).withRanks(3, 3);

    assertThatThrownBy(wrong::run)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith(
            "mutants are made from correct plans only. Findings in broadcast ranks=3 count=300"
                + " float32 root=0 graph direct ccl=1024 seed=2: [MEM-1");
  }
}
