package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EquivalenceTest {

  private static final TransportMemType STAGING = TransportMemType.CCL_INPUT;

  /** Each rank stages its input, and adds the other rank's input to its own. */
  private static final GroupPlan PLAN = record(EquivalenceTest::addBoth);

  private static GroupPlan record(BiConsumer<AllReduceParam, AlgResourceResponse> body) {
    CollExecutorBase<AllReduceParam> executor =
        new Sketch<>(param -> Sketch.mesh(param, STAGING, TransportMemType.CCL_OUTPUT), body);
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(3)).build();
    return cluster.record(
        executor, new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 16));
  }

  private static void addBoth(AllReduceParam param, AlgResourceResponse res) {
    Stream main = res.mainStream();
    List<DeviceMem> sources = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      DeviceMem staged =
          rank == param.comm().rank() ? res.cclInputMem() : Sketch.link(res, rank).remote(STAGING);
      sources.add(staged.slice(0, 64));
    }
    main.copy(res.cclInputMem().slice(0, 64), res.paramInputMem());
    Sketch.exchange(param.comm(), res, Link.READY);
    main.reduceFrom(res.paramOutputMem(), sources, param.dataType(), param.reduceOp());
    Sketch.exchange(param.comm(), res, Link.FIN);
  }

  private static boolean isProven(GroupPlan original, Mutant mutant) {
    return new Equivalence(original, Operation.ALL_REDUCE, DataType.FLOAT32).holdsFor(mutant);
  }

  private static Mutant mutant(Operator operator, String text) {
    List<Mutant> found = new ArrayList<>();
    Mutants.of(PLAN, DataType.FLOAT32, ReduceOp.SUM, () -> true, found::add);
    return found.stream()
        .filter(m -> m.rank() == 0 && m.operator() == operator && m.text().contains(text))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isProven(Operator operator, String text) {
    return isProven(PLAN, mutant(operator, text));
  }

  /**
   * The plan with rank 0's actions replaced; the origin of each new action is the action with its
   * number.
   */
  private static Mutant with(GroupPlan original, BiConsumer<RankPlan, RankPlanBuilder> body) {
    RankPlanBuilder builder = new RankPlanBuilder(original.rank(0));
    body.accept(original.rank(0), builder);
    List<RankPlan> ranks = new ArrayList<>(original.ranks());
    ranks.set(0, builder.build());
    GroupPlan changed = new GroupPlan("changed", false, ranks);
    return new Mutant(
        Operator.REDUCTION,
        0,
        0,
        "",
        changed,
        IntStream.range(0, builder.actionCount()).boxed().toList());
  }

  @Test
  void whatIsMovedTwiceIsMovedOnce() {
    assertThat(isProven(Operator.DUPLICATE, "'copy")).isTrue();
    assertThat(isProven(Operator.DUPLICATE, "'reduceFrom")).isTrue();
  }

  @Test
  void theOrderOfTwoPostsDoesNotMatter() {
    assertThat(isProven(Operator.SWAP, "'post READY to rank 1' swapped with 'post")).isTrue();
  }

  @Test
  void aMutantThatGetsStuckIsNotTheSame() {
    assertThat(isProven(Operator.DROP, "'post READY")).isFalse();
    assertThat(isProven(Operator.NOTIFY, "'await READY from rank 1' on notify 2")).isFalse();
  }

  @Test
  void aSignalThatIsLeftOverIsNotTheSame() {
    assertThat(isProven(Operator.DROP, "'await FIN")).isFalse();
  }

  @Test
  void otherBytesAreNotTheSame() {
    assertThat(isProven(Operator.SIZE, "with 60 bytes")).isFalse();
    assertThat(isProven(Operator.REDUCTION, "with max")).isFalse();
    assertThat(isProven(Operator.DROP, "'reduceFrom")).isFalse();
  }

  @Test
  void aNotifyThatIsNotThereIsNotTheSame() {
    GroupPlan plan =
        new GroupPlan(
            "",
            false,
            List.of(
                PLAN.rank(0),
                new RankPlanBuilder(PLAN.rank(1)).withoutLink(0).build(),
                PLAN.rank(2)));
    Mutant mutant = new Mutant(Operator.LINK, 1, 0, "", plan, List.of());

    assertThat(isProven(PLAN, mutant)).isFalse();
  }

  /** Because of rounding, (a + b) + c is not a + (b + c). */
  @Test
  void anotherOrderOfOperandsIsNotTheSame() {
    assertThat(isProven(PLAN, with(PLAN, (old, b) -> withSources(old, b, 0, 1, 2)))).isTrue();
    assertThat(isProven(PLAN, with(PLAN, (old, b) -> withSources(old, b, 1, 0, 2)))).isTrue();
    assertThat(isProven(PLAN, with(PLAN, (old, b) -> withSources(old, b, 2, 1, 0)))).isFalse();
  }

  private static void withSources(RankPlan old, RankPlanBuilder builder, int... order) {
    for (int action = 0; action < old.actionCount(); action++) {
      int reduce = action;
      if (old.kind(action) == ActionKind.REDUCE_FROM) {
        builder.reduceFrom(
            0,
            old.dst(action),
            IntStream.of(order).mapToObj(source -> old.src(reduce, source)).toList(),
            DataType.FLOAT32,
            ReduceOp.SUM);
      } else {
        builder.append(old, action);
      }
    }
  }

  /** Few runs may show it, but the table does: the peers may not have staged their inputs yet. */
  @Test
  void aReadThatNothingOrdersIsNotTheSame() {
    Mutant hasty =
        with(
            PLAN,
            (old, b) -> {
              int read =
                  IntStream.range(0, old.actionCount())
                      .filter(a -> old.kind(a) == ActionKind.REDUCE_FROM)
                      .findFirst()
                      .orElseThrow();
              b.append(old, 0).append(old, 1).append(old, 2).append(old, 3);
              b.append(old, read).append(old, 4);
              for (int action = read + 1; action < old.actionCount(); action++) {
                b.append(old, action);
              }
            });

    PlainOrder order = order(hasty.plan());

    assertThat(order.isSure()).isTrue();
    assertThat(order.agreesWith(order)).isFalse();
    assertThat(isProven(PLAN, hasty)).isFalse();
  }

  private static PlainOrder order(GroupPlan plan) {
    return order(plan, false);
  }

  private static PlainOrder order(GroupPlan plan, boolean isBarrier) {
    return new PlainOrder(FlatPlan.of(plan), (rank, action) -> action, isBarrier);
  }

  @Test
  void theOriginalAgreesWithItself() {
    assertThat(order(PLAN).isSure()).isTrue();
    assertThat(order(PLAN).agreesWith(order(PLAN))).isTrue();
  }

  /** Without the last handshake a rank may stage its next input while others read this one. */
  @Test
  void whatDisturbsTheNextRunOnlyIsSeen() {
    GroupPlan open =
        record(
            (param, res) -> {
              Stream main = res.mainStream();
              main.copy(res.cclInputMem().slice(0, 64), res.paramInputMem());
              Sketch.exchange(param.comm(), res, Link.READY);
              Link next = Sketch.link(res, (param.comm().rank() + 1) % 3);
              next.read(main, res.paramOutputMem(), next.remote(STAGING).slice(0, 64));
            });

    assertThat(order(open).agreesWith(order(open))).isFalse();
    assertThat(order(PLAN).agreesWith(order(PLAN))).isTrue();
  }

  /** On one-bit notifies, the second of two consecutive posts is lost in some schedules. */
  @Test
  void signalsThatCanPileUpAreNotSure() {
    GroupPlan piling =
        record(
            (param, res) -> {
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                Sketch.link(res, 1).post(main, Link.READY);
                Sketch.link(res, 1).post(main, Link.READY);
              } else if (param.comm().rank() == 1) {
                Sketch.link(res, 0).await(main, Link.READY);
                Sketch.link(res, 0).await(main, Link.READY);
              }
            });

    assertThat(order(piling).isSure()).isFalse();
  }

  /** Rank 0 posts again after rank 1's slave has answered, but rank 1 may ask before its slave. */
  @Test
  void aSignalThatAnotherStreamCanTakeIsNotSure() {
    CollExecutorBase<AllReduceParam> racing =
        new Sketch<>(
            param -> Sketch.mesh(param).withStreamNum(1).withNotifyNum(2),
            (param, res) -> {
              Stream main = res.mainStream();
              Stream slave = res.slaveStreams().getFirst();
              main.fork(res.slaveStreams());
              switch (param.comm().rank()) {
                case 0 -> {
                  Link link = Sketch.link(res, 1);
                  link.post(main, Link.READY);
                  link.await(main, Link.FIN);
                  link.post(main, Link.READY);
                }
                case 1 -> {
                  Link link = Sketch.link(res, 0);
                  link.await(slave, Link.READY);
                  link.post(slave, Link.FIN);
                  Sketch.link(res, 2).await(main, Link.READY);
                  link.await(main, Link.READY);
                }
                default -> Sketch.link(res, 1).post(main, Link.READY);
              }
              main.join(res.slaveStreams());
            });
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(3)).build();
    GroupPlan plan =
        cluster.record(
            racing, new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 16));

    assertThat(order(plan).isSure()).isFalse();
  }

  /** Rank 1 leaves as soon as rank 0 has entered, and does not wait for rank 2. */
  @Test
  void aBarrierIsWhereEveryRankMeetsEveryOther() {
    GroupPlan gap =
        record(
            (param, res) -> {
              if (param.comm().rank() < 2) {
                Link link = Sketch.link(res, 1 - param.comm().rank());
                link.post(res.mainStream(), Link.READY);
                link.await(res.mainStream(), Link.READY);
              }
            });

    assertThat(order(gap, false).agreesWith(order(gap, false))).isTrue();
    assertThat(order(gap, true).agreesWith(order(gap, true))).isFalse();
    assertThat(order(PLAN, true).agreesWith(order(PLAN, true))).isTrue();
  }
}
