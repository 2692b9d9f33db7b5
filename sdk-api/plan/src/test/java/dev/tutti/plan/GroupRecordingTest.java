package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupRecordingTest {

  private static List<RankProgram> programs(
      CollExecutorBase<AllReduceParam> executor, int ranks, long count) {
    Topology topology = Topology.flat(ranks);
    return IntStream.range(0, ranks)
        .mapToObj(
            rank ->
                RankProgram.of(
                    executor,
                    new AllReduceParam(
                        CommInfo.of(rank, topology), DataType.INT32, ReduceOp.SUM, count)))
        .toList();
  }

  private static ScriptedExecutor ring(BiConsumer<Integer, AlgResourceResponse> body) {
    return new ScriptedExecutor(
        param ->
            AlgResourceRequest.of(OpCommTransport.ring(param.comm(), CommPlane.COMBINED, IN, OUT)),
        (param, resources) -> body.accept(param.comm().rank(), resources));
  }

  private static void assertSameSources(RankPlan actual, RankPlan expected) {
    assertThat(actual.hasSources()).isEqualTo(expected.hasSources());
    for (int action = 0; action < expected.actionCount(); action++) {
      assertThat(actual.source(action)).isEqualTo(expected.source(action));
    }
  }

  // ---- prepare

  @Test
  void preparingAsksEveryRankAndPlansNone() {
    List<String> asked = new ArrayList<>();
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param -> {
              asked.add("request " + param.comm().rank());
              return AlgResourceRequest.none();
            },
            (param, resources) -> asked.add("plan " + param.comm().rank()));
    GroupRecording recording = new PlanRecorder().prepare("asked", programs(executor, 2, 1));

    assertThat(recording.name()).isEqualTo("asked");
    assertThat(recording.rankSize()).isEqualTo(2);
    assertThat(asked).containsExactly("request 0", "request 1");

    asked.clear();
    recording.rank(1, false);
    assertThat(asked).containsExactly("plan 1");

    asked.clear();
    assertThat(recording.again().apply(1).rank()).isEqualTo(1);
    assertThat(asked).containsExactly("request 1", "plan 1");

    asked.clear();
    recording.plan();
    assertThat(asked).containsExactly("plan 0", "plan 1");
  }

  @Test
  void linksAreCheckedBeforeAnythingIsPlanned() {
    ScriptedExecutor oneSided =
        new ScriptedExecutor(
            param ->
                param.comm().rank() == 0
                    ? AlgResourceRequest.of(
                        OpCommTransport.ring(param.comm(), CommPlane.COMBINED, IN, OUT))
                    : AlgResourceRequest.none(),
            (param, resources) -> {});

    assertRefused(
        () -> new PlanRecorder().prepare("x", programs(oneSided, 2, 1)),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 1 in combined sub-communicator 0, but"
            + " rank 1 does not ask for the reverse");
  }

  // ---- one rank

  @Test
  void sourcesOnDemandEqualThoseRecordedAtOnce() {
    List<RankProgram> programs = programs(new RingAllReduce(), 5, 12);
    GroupPlan with = new PlanRecorder().record("ring", programs);
    GroupRecording recording = new PlanRecorder().withSources(false).prepare("ring", programs);
    GroupPlan without = recording.plan();

    assertThat(without.rank(3).hasSources()).isFalse();
    for (int rank = 0; rank < 5; rank++) {
      RankPlan again = recording.rank(rank, true);
      assertThat(again).isEqualTo(without.rank(rank)).isEqualTo(with.rank(rank));
      assertSameSources(again, with.rank(rank));
      assertThat(recording.rank(rank, false).hasSources()).isFalse();
    }
  }

  @Test
  void ranksThatAreAskedAgainGiveTheSamePlansInAnyOrder() {
    GroupRecording recording =
        new PlanRecorder().prepare("ring", programs(new RingAllReduce(), 5, 12));
    GroupPlan plan = recording.plan();
    IntFunction<RankPlan> recorder = recording.again();
    for (int rank : new int[] {4, 0, 0, 2, 1, 3}) {
      assertThat(recorder.apply(rank)).isEqualTo(plan.rank(rank));
      assertThat(recorder.apply(rank).hasSources()).isFalse();
    }
    assertRefused(
        () -> recorder.apply(5), ErrorCode.INVALID_RANK, "rank must be 0 to 4. Actual: 5");
  }

  @Test
  void aRankThatIsNotThereIsRefused() {
    GroupRecording recording =
        new PlanRecorder().prepare("x", programs(new RingAllReduce(), 3, 12));

    assertRefused(
        () -> recording.rank(3, true), ErrorCode.INVALID_RANK, "rank must be 0 to 2. Actual: 3");
    assertRefused(
        () -> recording.rank(-1, true), ErrorCode.INVALID_RANK, "rank must be 0 to 2. Actual: -1");
  }

  @Test
  void aRankAloneFailsAsItDoesInItsGroup() {
    ScriptedExecutor failing =
        ring(
            (rank, resources) -> {
              throw new IllegalStateException("no " + rank);
            });
    GroupRecording recording = new PlanRecorder().prepare("x", programs(failing, 3, 1));

    TuttiException refusal = refusalOf(() -> recording.rank(2, false));
    assertThat(refusal.code()).isEqualTo(ErrorCode.EXECUTOR_FAILED);
    assertThat(refusal)
        .hasMessageContaining("failed for rank 2")
        .hasMessageEndingWith("java.lang.IllegalStateException: no 2");
  }

  // ---- workers

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 64})
  void thePlansDoNotDependOnTheNumberOfWorkers(int workers) {
    List<RankProgram> programs = programs(new RingAllReduce(), 20, 1001);
    GroupPlan alone = new PlanRecorder().record("ring", programs);
    GroupPlan together = new PlanRecorder().withWorkers(workers).record("ring", programs);

    assertThat(together).isEqualTo(alone);
    assertThat(together.digest()).isEqualTo(alone.digest());
    for (int rank = 0; rank < 20; rank++) {
      assertSameSources(together.rank(rank), alone.rank(rank));
    }
  }

  @RepeatedTest(20)
  void theErrorDoesNotDependOnTheNumberOfWorkers() {
    ScriptedExecutor failing =
        ring(
            (rank, resources) -> {
              if (rank % 7 == 5) {
                resources.subComm(CommPlane.COMBINED).right().post(resources.mainStream(), 99);
              }
            });
    List<RankProgram> programs = programs(failing, 40, 1);
    TuttiException alone = refusalOf(() -> new PlanRecorder().record("x", programs));
    TuttiException together =
        refusalOf(() -> new PlanRecorder().withWorkers(4).record("x", programs));

    assertThat(together.code()).isEqualTo(alone.code());
    assertThat(together.getMessage())
        .isEqualTo(alone.getMessage())
        .contains("failed for rank 5")
        .endsWith("ask for more with notifyNum. Actual: 99");
  }

  @RepeatedTest(20)
  void theErrorOfARequestDoesNotDependOnTheNumberOfWorkers() {
    ScriptedExecutor failing =
        new ScriptedExecutor(
            param -> param.comm().rank() < 3 ? AlgResourceRequest.none() : null,
            (param, resources) -> {});

    assertRefused(
        () -> new PlanRecorder().withWorkers(4).prepare("x", programs(failing, 40, 1)),
        ErrorCode.EXECUTOR_FAILED,
        "calcResRequest of dev.tutti.plan.ScriptedExecutor returned null for rank 3; return"
            + " AlgResourceRequest.none() if nothing is needed");
  }

  @Test
  void thereIsAtLeastOneWorker() {
    assertRefused(
        () -> new PlanRecorder().withWorkers(0),
        ErrorCode.INVALID_ARGUMENT,
        "there must be one worker or more. Actual: 0");
  }

  @Test
  void settingsDoNotForgetEachOther() {
    ScriptedExecutor endless =
        ring(
            (rank, resources) -> {
              while (true) {
                resources.subComm(CommPlane.COMBINED).right().post(resources.mainStream(), 0);
              }
            });
    PlanRecorder recorder =
        new PlanRecorder().withMaxActions(10).withSources(false).withWorkers(2).withSources(false);

    assertThat(refusalOf(() -> recorder.record("x", programs(endless, 4, 1))))
        .hasMessageEndingWith("rank 0 emitted more than 10 actions; is there an endless loop?");
  }

  @Test
  void anInterruptedCallerIsToldSo() {
    GroupRecording recording =
        new PlanRecorder().withWorkers(2).prepare("x", programs(new RingAllReduce(), 3, 12));
    Thread.currentThread().interrupt();
    TuttiException refusal = refusalOf(recording::plan);

    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_STATE);
    assertThat(recording.plan().rankSize()).isEqualTo(3);
  }

  // ---- what ranks share

  @Test
  void ranksThatDoTheSameShareTheirActions() {
    GroupPlan plan =
        new PlanRecorder().withSources(false).record("ring", programs(new RingAllReduce(), 64, 64));
    Set<Actions> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    plan.ranks().forEach(rank -> identities.add(rank.actions()));

    assertThat(identities).hasSize(1);
    assertThat(new HashSet<>(plan.ranks())).as("but they are not equal").hasSize(64);
  }

  @Test
  void whatIsSharedDoesNotMakeDifferentRanksAlike() {
    GroupPlan plan = new PlanRecorder().record("ring", programs(new RingAllReduce(), 7, 64));

    for (int rank = 0; rank < 7; rank++) {
      RankPlan own = plan.rank(rank);
      int left = (rank + 6) % 7;
      int right = (rank + 1) % 7;
      assertThat(own.linkPeer(own.link(1))).as("READY goes to the left").isEqualTo(left);
      assertThat(own.linkPeer(own.link(2))).as("and comes from the right").isEqualTo(right);
      assertThat(own.dstRank(0)).isEqualTo(rank);
      assertThat(own.srcRank(5, 0)).isEqualTo(left);
      assertThat(own.describe(5)).contains("rank " + left + "'s ");
    }
  }

  /** A long plan, then many short ones: the first must not affect the others. */
  @Test
  void aRankSeesNothingOfTheRankBefore() {
    ScriptedExecutor executor =
        ring(
            (rank, resources) -> {
              var comm = resources.subComm(CommPlane.COMBINED);
              for (int i = 0; i < (rank == 0 ? 500 : rank); i++) {
                comm.link((rank + (i % 2 == 0 ? 1 : 3)) % 4).post(resources.mainStream(), i % 3);
                resources
                    .mainStream()
                    .copy(
                        resources.paramOutputMem().slice(i, 1),
                        resources.paramInputMem().slice(2 * i, 1));
              }
            });
    GroupRecording recording = new PlanRecorder().prepare("x", programs(executor, 4, 1000));
    GroupPlan plan = recording.plan();

    for (int rank = 0; rank < 4; rank++) {
      assertThat(plan.rank(rank)).isEqualTo(recording.rank(rank, false));
      assertSameSources(plan.rank(rank), recording.rank(rank, true));
    }
  }

  @Test
  void offsetsAboveTwoGibibytesAreRecorded() {
    long elements = 3L << 30;
    GroupPlan plan =
        new PlanRecorder()
            .withSources(false)
            .record("large", programs(new RingAllReduce(), 4, elements));
    RankPlan rank = plan.rank(3);

    assertThat(rank.bytes(0)).isEqualTo(elements * 4);
    assertThat(rank.bytes(5)).isEqualTo(elements);
    assertThat(rank.dstOffset(5)).isEqualTo(rank.srcOffset(5, 0)).isEqualTo(2 * elements);
    assertThat(PlanJson.fromJson(PlanJson.toJson(plan))).isEqualTo(plan);
  }
}
