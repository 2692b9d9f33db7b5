package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GroupPlanCheckTest {

  private static final GroupPlan PAIR = pair(Protocol.DIRECT);

  private static GroupPlan pair(Protocol protocol) {
    return Pair.record(protocol, true, side -> {}, side -> {});
  }

  /** The pair with actions of rank 0 that every recording would refuse. */
  private static GroupPlan with(GroupPlan pair, Consumer<RankPlanBuilder> actions) {
    RankPlanBuilder builder = new RankPlanBuilder(pair.rank(0));
    actions.accept(builder);
    return new GroupPlan("built", pair.inPlace(), List.of(builder.build(), pair.rank(1)));
  }

  private static DeviceMem mem(int rank, TransportMemType type, long offset) {
    return new DeviceMem(rank, type, offset, 8);
  }

  static List<GroupPlan> plans() {
    List<GroupPlan> plans = new ArrayList<>(SamplePlans.all());
    plans.add(PAIR);
    return plans;
  }

  @ParameterizedTest
  @MethodSource("plans")
  void aRecordedPlanPasses(GroupPlan plan) {
    assertThatCode(plan::check).doesNotThrowAnyException();
  }

  @Test
  void anOperandBeyondItsMemoryIsOutOfBounds() {
    GroupPlan plan = with(PAIR, b -> b.copy(0, mem(0, OUT, 0), mem(1, IN, 57)));

    assertRefused(
        plan::check,
        ErrorCode.OUT_OF_BOUNDS,
        "rank 0 action 0 'copy param-output[0+8] = rank 1's param-input[57+8]': rank 1"
            + " param-input[57, 65) reaches beyond that memory, which has 64 bytes");
  }

  @Test
  void anOperandOfARankThatIsNotThereIsOutOfBounds() {
    GroupPlan plan = with(PAIR, b -> b.copy(0, mem(0, OUT, 0), mem(2, IN, 0)));

    assertRefused(
        plan::check,
        ErrorCode.OUT_OF_BOUNDS,
        "rank 0 action 0 'copy param-output[0+8] = rank 2's param-input[0+8]': the group has 2"
            + " ranks. Actual operand: rank 2 param-input[0, 8)");
  }

  @Test
  void operandsThatOverlapAreRefused() {
    GroupPlan plan = with(PAIR, b -> b.copy(0, mem(0, OUT, 4), mem(0, OUT, 0)));

    assertRefused(
        plan::check,
        ErrorCode.BUFFER_OVERLAP,
        "rank 0 action 0 'copy param-output[4+8] = param-output[0+8]': source and destination must"
            + " not overlap. Actual: rank 0 param-output[0, 8), rank 0 param-output[4, 12)");
  }

  @Test
  void memoryOfAPeerMustBeRegisteredByALink() {
    GroupPlan plan = with(PAIR, b -> b.copy(0, mem(0, OUT, 0), mem(1, IN, 0)));
    GroupPlan unregistered =
        with(PAIR, b -> b.copy(0, mem(0, OUT, 0), mem(1, TransportMemType.SCRATCH, 0)));

    assertThatCode(plan::check).doesNotThrowAnyException();
    assertRefused(
        unregistered::check,
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 action 0 'copy param-output[0+8] = rank 1's scratch[0+8]': no link registers scratch"
            + " memory of rank 1; ask for it in calcResRequest");
  }

  @Test
  void aFusedReductionLoadsFromPeersOverDirectLinksOnly() {
    GroupPlan plan =
        with(
            pair(Protocol.RDMA),
            b ->
                b.reduceFrom(
                    0,
                    mem(0, OUT, 0),
                    List.of(mem(0, IN, 0), mem(1, IN, 0)),
                    DataType.INT32,
                    ReduceOp.SUM));

    assertRefused(
        plan::check,
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 action 0 '"
            + plan.rank(0).describe(0)
            + "': no direct link registers param-input memory of rank 1; ask for it in"
            + " calcResRequest");
  }

  @Test
  void anActionMovesDataFromOrToItsOwnRank() {
    GroupPlan plan = with(PAIR, b -> b.copy(0, mem(1, OUT, 0), mem(1, IN, 0)));

    assertRefused(
        plan::check,
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 action 0 '"
            + plan.rank(0).describe(0)
            + "': source or destination must be memory of rank 0. Actual: rank 1 param-input[0, 8),"
            + " rank 1 param-output[0, 8)");
  }

  @Test
  void aLinkNeedsItsReverse() {
    GroupPlan plan = with(PAIR, b -> b.withoutLink(0));

    assertRefused(
        plan::check,
        ErrorCode.LINK_MISMATCH,
        "rank 1: the link to rank 0 in combined sub-communicator 0 must have its reverse at rank 0,"
            + " with equal protocol, ack, notifies, input and output");
  }

  @Test
  void bothEndsOfALinkAreAlike() {
    GroupPlan plan =
        new GroupPlan("built", false, List.of(PAIR.rank(0), pair(Protocol.RDMA).rank(1)));

    assertRefused(
        plan::check,
        ErrorCode.LINK_MISMATCH,
        "rank 0: the link to rank 1 in combined sub-communicator 0 must have its reverse at rank 1,"
            + " with equal protocol, ack, notifies, input and output");
  }

  @Test
  void aNestedPlanIsCheckedWhereItStands() {
    GroupPlan broken = with(PAIR, b -> b.copy(0, mem(0, OUT, 57), mem(0, IN, 0)));
    GroupPlan plan = GroupPlan.sequence("nested", List.of(PAIR, broken));

    assertRefused(
        plan::check,
        ErrorCode.OUT_OF_BOUNDS,
        "rank 0 nested plan 1 action 0 'copy param-output[57+8] = param-input[0+8]': rank 0"
            + " param-output[57, 65) reaches beyond that memory, which has 64 bytes");
  }
}
