package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RankPlanBuilderTest {

  /** Rank 0 with 3 streams, 5 notifies, and links 0 of 3 and 1 of 7 notifies to rank 1. */
  private static final RankPlan LIKE = SamplePlans.everything().rank(0);

  private static final DeviceMem HERE = new DeviceMem(0, OUT, 0, 8);
  private static final DeviceMem THERE = new DeviceMem(1, IN, 0, 8);

  private static RankPlanBuilder builder() {
    return new RankPlanBuilder(LIKE);
  }

  private static void assertBroken(ThrowingCallable call, String message) {
    assertRefused(call, ErrorCode.INVALID_PLAN, "plan of rank 0: " + message);
  }

  // ---- the same again

  static List<GroupPlan> plans() {
    return SamplePlans.all();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void aPlanAppendedToItsOwnResourcesIsTheSamePlan(GroupPlan group) {
    for (RankPlan plan : group.ranks()) {
      RankPlan again = new RankPlanBuilder(plan).appendAll(plan).build();

      assertThat(again).isEqualTo(plan).hasSameHashCodeAs(plan).hasToString(plan.toString());
      assertThat(again.hasSources()).isEqualTo(plan.hasSources());
      for (int action = 0; action < plan.actionCount(); action++) {
        assertThat(again.source(action)).isEqualTo(plan.source(action));
      }
    }
    List<RankPlan> ranks =
        group.ranks().stream()
            .map(plan -> new RankPlanBuilder(plan).appendAll(plan).build())
            .toList();
    assertThat(new GroupPlan("", group.inPlace(), ranks).digest()).isEqualTo(group.digest());
  }

  /** From a few different actions to more than bytes and chars have codes for. */
  @RepeatedTest(30)
  void whatIsAddedAtRandomIsReadBack(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int count = random.nextInt(1, 300);
    long offsetBound = random.nextBoolean() ? 1L << 20 : 1L << 50;
    List<RandomActions.Action> actions = RandomActions.of(LIKE, count, offsetBound, random);
    RankPlanBuilder builder = builder();
    actions.forEach(action -> action.addTo(builder));
    RankPlan plan = builder.build();

    assertThat(plan.actionCount()).isEqualTo(count).isEqualTo(builder.actionCount());
    for (int action = 0; action < count; action++) {
      assertThat(RandomActions.read(plan, action)).isEqualTo(actions.get(action));
    }
    RankPlan again = builder().appendAll(plan).build();
    assertThat(again).isEqualTo(plan).hasSameHashCodeAs(plan);
    assertThat(digest(again)).isEqualTo(digest(plan));
    if (count > 1) {
      RankPlanBuilder shorter = builder();
      actions.subList(0, count - 1).forEach(action -> action.addTo(shorter));
      assertThat(shorter.build()).isNotEqualTo(plan);
    }
  }

  private static String digest(RankPlan plan) {
    return new GroupPlan("", false, List.of(plan)).digest();
  }

  @Test
  void aBuilderCanGoOnAfterItHasBuilt() {
    RankPlanBuilder builder = builder().copy(0, HERE, THERE);
    RankPlan one = builder.build();
    RankPlan two = builder.post(1, 0, Link.FIN).build();

    assertThat(one.actionCount()).isEqualTo(1);
    assertThat(Pair.actions(two))
        .containsExactly(
            "copy param-output[0+8] = rank 1's param-input[0+8]", "post FIN to rank 1");
  }

  @Test
  void onlyActionsWithALineHaveOne() {
    RankPlan plan =
        builder()
            .post(0, RankPlan.NO_LINK, 0)
            .post(0, RankPlan.NO_LINK, 1)
            .source("A.b(A.java:1)")
            .post(0, RankPlan.NO_LINK, 2)
            .build();

    assertThat(plan.hasSources()).isTrue();
    assertThat(plan.source(0)).isEqualTo("?");
    assertThat(plan.source(1)).isEqualTo("A.b(A.java:1)");
    assertThat(plan.source(2)).isEqualTo("?");
    assertBroken(
        () -> builder().source("A.b(A.java:1)"),
        "there is no action yet that could have the source line A.b(A.java:1)");
  }

  /** The same form with another link, peer, kind of memory or offset is another plan. */
  @Test
  void plansThatDifferInOneThingAreNotEqual() {
    DeviceMem elsewhere = new DeviceMem(2, IN, 0, 8);
    List<RankPlan> plans =
        List.of(
            builder().post(0, 0, 1).build(),
            builder().post(0, 1, 1).build(),
            builder().post(0, 1, 2).build(),
            builder().await(0, 1, 2).build(),
            builder().post(1, 1, 2).build(),
            builder().post(0, RankPlan.NO_LINK, 1).build(),
            builder().copy(0, HERE, THERE).build(),
            builder().copy(0, HERE, elsewhere).build(),
            builder().copy(0, HERE, new DeviceMem(1, OUT, 0, 8)).build(),
            builder().copy(0, HERE, new DeviceMem(1, IN, 1, 8)).build(),
            builder().copy(0, new DeviceMem(0, IN, 0, 8), THERE).build(),
            builder().copy(0, new DeviceMem(0, OUT, 1, 8), THERE).build(),
            builder().copy(0, HERE.slice(0, 4), THERE.slice(0, 4)).build(),
            builder().reduce(0, HERE, THERE, DataType.INT8, ReduceOp.SUM).build(),
            builder().reduce(0, HERE, THERE, DataType.INT32, ReduceOp.SUM).build(),
            builder().reduce(0, HERE, THERE, DataType.INT8, ReduceOp.MAX).build(),
            fused(HERE, THERE),
            fused(THERE, HERE),
            fused(HERE, elsewhere),
            fused(HERE, new DeviceMem(1, IN, 1, 8)),
            fused(HERE, THERE, THERE),
            builder().nested(0, new RankPlanBuilder(0).build()).build(),
            builder().nested(0, LIKE).build(),
            builder().memSize(OUT, 65).build(),
            builder().streamCount(4).build(),
            builder().notifyCount(6).build(),
            builder().withoutLink(0).build(),
            builder().withoutLink(1).build());

    for (RankPlan plan : plans) {
      assertThat(plans.stream().filter(plan::equals)).hasSize(1);
    }
    assertThat(plans.stream().map(RankPlanBuilderTest::digest)).doesNotHaveDuplicates();
  }

  private static RankPlan fused(DeviceMem... sources) {
    return builder().reduceFrom(0, HERE, List.of(sources), DataType.INT8, ReduceOp.SUM).build();
  }

  // ---- wrong plans

  @Test
  void wrongOperandsAreTaken() {
    DeviceMem beyond = new DeviceMem(77, TransportMemType.SCRATCH, 1L << 60, 8);
    RankPlan plan =
        builder()
            .copy(0, HERE, beyond)
            .copy(0, beyond, THERE)
            .copy(0, HERE, HERE)
            .reduce(0, HERE, new DeviceMem(0, OUT, 4, 8), DataType.INT32, ReduceOp.SUM)
            .build();

    assertThat(plan.src(0, 0)).isEqualTo(beyond);
    assertThat(plan.dst(1)).isEqualTo(beyond);
    assertThat(plan.src(2, 0)).isEqualTo(plan.dst(2));
    assertThat(plan.srcOffset(3, 0)).isEqualTo(4);
  }

  @Test
  void aLinkWithoutReverseIsTaken() {
    GroupPlan group = SamplePlans.ring();
    RankPlan one = new RankPlanBuilder(group.rank(1)).withoutLink(0).build();
    GroupPlan broken = new GroupPlan("broken", false, List.of(group.rank(0), one));

    assertThat(one.linkCount()).isZero();
    assertThat(GroupPlan.reverseLink(broken.rank(0), broken.rank(1), 0)).isEqualTo(-1);
  }

  // ---- what the plan declares

  @Test
  void memoryCanHaveAnotherSize() {
    RankPlan plan = builder().memSize(OUT, 7).build();

    assertThat(plan.memSize(OUT)).isEqualTo(7);
    assertThat(plan.memSize(IN)).isEqualTo(64);
    assertThat(LIKE.memSize(OUT)).isEqualTo(64);
    assertBroken(
        () -> builder().memSize(OUT, -1),
        "param-output memory must have 0 bytes or more. Actual: -1");
  }

  @Test
  void streamsAreAsManyAsActionsNeedOrMore() {
    assertThat(builder().streamCount(1).build().streamCount()).isEqualTo(1);
    assertThat(builder().streamCount(4096).post(4095, 0, 0).build().stream(0)).isEqualTo(4095);
    assertBroken(
        () -> builder().streamCount(0),
        "it must have 1 to 4096 streams, as its actions name. Actual: 0");
    assertBroken(
        () -> builder().post(1, 0, 0).streamCount(1),
        "it must have 2 to 4096 streams, as its actions name. Actual: 1");
    assertBroken(
        () -> builder().streamCount(4097),
        "it must have 1 to 4096 streams, as its actions name. Actual: 4097");
  }

  @Test
  void notifiesAreAsManyAsActionsNeedOrMore() {
    assertThat(builder().notifyCount(9).post(0, -1, 8).build().notifyCount()).isEqualTo(9);
    assertThat(builder().notifyCount(0).post(0, 1, 6).build().notifyCount()).isZero();
    assertBroken(
        () -> builder().await(0, RankPlan.NO_LINK, 3).notifyCount(3),
        "it must have 4 notifies or more, as its actions name. Actual: 3");
  }

  @Test
  void withoutAStreamTheActionsOfHigherOnesMoveDown() {
    RankPlan plan = builder().post(0, 0, 0).post(2, 0, 1).withoutStream(1).post(1, 0, 2).build();

    assertThat(plan.streamCount()).isEqualTo(2);
    assertThat(plan.stream(0)).isZero();
    assertThat(plan.stream(1)).isEqualTo(1);
    assertThat(plan.stream(2)).isEqualTo(1);
    assertBroken(
        () -> builder().post(1, 0, 0).withoutStream(1),
        "stream 1 cannot be dropped: actions are on it");
    assertBroken(() -> builder().withoutStream(0), "the main stream cannot be dropped");
    assertBroken(
        () -> builder().withoutStream(3),
        "the stream must be one of the 3 that it declares. Actual: 3");
  }

  @Test
  void withoutALinkTheActionsOfHigherOnesMoveDown() {
    RankPlanBuilder builder = builder().post(0, 1, 6).withoutLink(0);
    RankPlan plan = builder.await(0, 0, 5).build();

    assertThat(plan.linkCount()).isEqualTo(1);
    assertThat(plan.link(0)).isZero();
    assertThat(plan.link(1)).isZero();
    assertThat(plan.notify(0)).isEqualTo(6);
    assertThat(plan.linkNotifyCount(0)).isEqualTo(7);
    assertBroken(
        () -> builder().post(0, 1, 6).withoutLink(1),
        "link 1 to rank 1 cannot be dropped: actions are on it");
    assertBroken(
        () -> builder().withoutLink(2),
        "the link must be one of the 2 that it declares. Actual: 2");
  }

  @Test
  void anAppendedActionFindsItsLinkByItsKey() {
    RankPlan from = builder().post(0, 1, 6).post(0, 0, 1).build();
    RankPlanBuilder builder = builder().withoutLink(0);

    assertThat(builder.append(from, 0).build().link(0)).isZero();
    assertBroken(
        () -> builder.append(from, 1),
        "action 1 is on the link to rank 1 in level0 sub-communicator 0, which is not there");
  }

  // ---- what a plan cannot hold

  @Test
  void onlyDeclaredStreamsLinksAndNotifiesCanBeNamed() {
    assertBroken(
        () -> builder().copy(3, HERE, THERE),
        "the stream must be one of the 3 that it declares. Actual: 3");
    assertBroken(
        () -> builder().reduce(-1, HERE, THERE, DataType.INT8, ReduceOp.SUM),
        "the stream must be one of the 3 that it declares. Actual: -1");
    assertBroken(
        () -> builder().nested(3, new RankPlanBuilder(0).build()),
        "the stream must be one of the 3 that it declares. Actual: 3");
    assertBroken(
        () -> builder().post(0, 2, 0), "the link must be one of the 2 that it declares. Actual: 2");
    assertBroken(
        () -> builder().post(0, -2, 0),
        "the link must be one of the 2 that it declares. Actual: -2");
    assertBroken(
        () -> builder().await(0, 1, 7),
        "the notify of a link must be one of the 7 that it declares. Actual: 7");
    assertBroken(
        () -> builder().await(0, RankPlan.NO_LINK, 5),
        "the notify must be one of the 5 that it declares. Actual: 5");
  }

  @Test
  void dataThatHasNoOneSizeIsRefused() {
    DeviceMem empty = new DeviceMem(0, OUT, 0, 0);
    DeviceMem half = new DeviceMem(0, OUT, 8, 2);
    assertBroken(
        () -> builder().copy(0, HERE, half),
        "source and destination must have the same size and must not be empty. Actual: rank 0"
            + " param-output[0, 8) and rank 0 param-output[8, 10)");
    assertBroken(
        () -> builder().copy(0, empty, empty),
        "source and destination must have the same size and must not be empty. Actual: rank 0"
            + " param-output[0, 0) and rank 0 param-output[0, 0)");
    assertBroken(
        () -> builder().reduceFrom(0, HERE, List.of(THERE, half), DataType.INT8, ReduceOp.SUM),
        "source and destination must have the same size and must not be empty. Actual: rank 0"
            + " param-output[0, 8) and rank 0 param-output[8, 10)");
    assertBroken(
        () -> builder().reduce(0, half, half, DataType.INT32, ReduceOp.SUM),
        "a reduction of int32 must cover whole elements of 4 bytes. Actual: 2 bytes");
    assertBroken(
        () -> builder().reduce(0, HERE, THERE, DataType.FLOAT32, ReduceOp.BAND),
        "reduction band takes integer types only. Actual: float32");
    assertBroken(
        () -> builder().reduceFrom(0, HERE, List.of(THERE), DataType.INT8, ReduceOp.SUM),
        "reduceFrom must have two sources or more. Actual: 1");
  }

  @Test
  void aPlanOfAnotherRankCannotBeNested() {
    assertBroken(
        () -> builder().nested(0, new RankPlanBuilder(1).build()),
        "it can only nest plans of its own rank. Actual: rank 1");
  }
}
