package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under the plain model the simulator gives the closed forms of the literature to the picosecond:
 * for p ranks, n bytes, and slices rounded up where p does not divide.
 */
class ClosedFormsTest {

  private static final long ALPHA = 1_500_007;

  /** Whole and broken costs per byte. */
  private static final List<NetworkModel> MODELS =
      List.of(
          NetworkModel.plain(ALPHA, PerByte.of(40), PerByte.of(7)),
          NetworkModel.plain(ALPHA, new PerByte(10, 3), new PerByte(1, 7)),
          NetworkModel.plain(0, PerByte.of(3), PerByte.FREE),
          NetworkModel.plain(ALPHA, PerByte.FREE, PerByte.FREE),
          NetworkModel.plain(0, PerByte.FREE, PerByte.of(11)));

  private static final int[] RANKS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 32, 33, 64};
  private static final long[] COUNTS = {0, 1, 3, 64, 1000, 4096, 99_999};

  /** The time of a message, and of one that is reduced. */
  private static long sent(NetworkModel model, long bytes) {
    return bytes == 0 ? 0 : model.terms(0).latency() + model.terms(0).beta().time(bytes);
  }

  private static long reduced(NetworkModel model, long bytes) {
    return sent(model, bytes) + model.reduction().time(bytes);
  }

  @FunctionalInterface
  private interface ClosedForm {
    long time(NetworkModel model, int ranks, long count);
  }

  private static <P extends OpParam> GroupPlan record(CollExecutorBase<P> executor, P param) {
    return new PlanRecorder().withSources(false).record("plan", executor, param);
  }

  private static <P extends OpParam> void holds(
      CollExecutorBase<P> executor,
      BiFunction<CommInfo, Long, P> request,
      int ranks,
      ClosedForm form) {
    for (long count : COUNTS) {
      P param = request.apply(CommInfo.of(0, Topology.flat(ranks)), count);
      GroupPlan plan = record(executor, param);
      for (NetworkModel model : MODELS) {
        Simulation simulation = Simulator.of(model).run(plan, param);
        assertThat(simulation.time())
            .as("%d ranks, %d elements", ranks, count)
            .isEqualTo(form.time(model, ranks, count));
        assertThat(simulation.time()).isGreaterThanOrEqualTo(simulation.lowerBound());
      }
    }
  }

  private static AllReduceParam allReduce(CommInfo comm, long count) {
    return new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
  }

  private static AllToAllParam allToAll(CommInfo comm, long count) {
    return new AllToAllParam(comm, DataType.FLOAT32, count);
  }

  private static int log2(int ranks) {
    return 32 - Integer.numberOfLeadingZeros(ranks - 1);
  }

  private static long sliceBytes(long count, int parts, int slices) {
    List<Slice> all = Slice.partition(count, parts, 4);
    return all.get(slices - 1).offset() + all.get(slices - 1).size();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 33, 64})
  void aRingTakesTwiceAllButOneStepsOfTheLargestSlice(int ranks) {
    holds(
        Collectives.ring(),
        ClosedFormsTest::allReduce,
        ranks,
        (model, p, count) -> {
          long slice = Math.ceilDiv(count, p) * 4;
          return (p - 1) * (reduced(model, slice) + sent(model, slice));
        });
  }

  @Test
  void recursiveDoublingTakesLogarithmicallyManyStepsOfTheWholeVector() {
    for (int ranks : RANKS) {
      holds(
          Collectives.recursiveDoubling(),
          ClosedFormsTest::allReduce,
          ranks,
          (model, p, count) -> {
            long n = count * 4;
            long fold = p > Collectives.core(p) ? reduced(model, n) + sent(model, n) : 0;
            return log2(Collectives.core(p)) * reduced(model, n) + fold;
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
  void rabenseifnerHalvesAndDoublesTheLargestRange(int ranks) {
    holds(
        Collectives.rabenseifner(),
        ClosedFormsTest::allReduce,
        ranks,
        (model, p, count) -> {
          long time = 0;
          for (int range = p / 2; range >= 1; range /= 2) {
            long bytes = sliceBytes(count, p, range);
            time += reduced(model, bytes) + sent(model, bytes);
          }
          return time;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6, 7, 12, 24, 40})
  void rabenseifnerFoldsTheRanksBeyondAPowerOfTwo(int ranks) {
    int core = Collectives.core(ranks);
    AllReduceParam param = allReduce(CommInfo.of(0, Topology.flat(ranks)), 1000L * core);
    long n = param.inputBytes();
    for (NetworkModel model : MODELS) {
      long expected = reduced(model, n) + sent(model, n);
      for (long bytes = n / 2; bytes >= n / core; bytes /= 2) {
        expected += reduced(model, bytes) + sent(model, bytes);
      }
      GroupPlan plan = record(Collectives.rabenseifner(), param);
      assertThat(Simulator.of(model).run(plan).time()).isEqualTo(expected);
    }
  }

  @Test
  void aBinomialTreeTakesLogarithmicallyManyStepsOfTheWholeVector() {
    for (int ranks : RANKS) {
      holds(
          Collectives.binomialBroadcast(),
          (comm, count) -> new BroadcastParam(comm, DataType.FLOAT32, count, 0),
          ranks,
          (model, p, count) -> log2(p) * sent(model, count * 4));
      holds(
          Collectives.binomialReduce(),
          (comm, count) -> new ReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count, 0),
          ranks,
          (model, p, count) -> log2(p) * reduced(model, count * 4));
    }
  }

  @Test
  void pairwiseExchangeTakesAMessageForEveryOtherRank() {
    for (int ranks : RANKS) {
      holds(
          Collectives.pairwise(),
          ClosedFormsTest::allToAll,
          ranks,
          (model, p, count) -> (p - 1) * sent(model, count * 4));
    }
  }

  @Test
  void bruckDoublesWhatIsGatheredInEachStep() {
    for (int ranks : RANKS) {
      holds(
          Collectives.bruckAllGather(),
          (comm, count) -> new AllGatherParam(comm, DataType.FLOAT32, count),
          ranks,
          (model, p, count) -> {
            long time = 0;
            for (int have = 1; have < p; have *= 2) {
              time += sent(model, Math.min(have, p - have) * count * 4);
            }
            return time;
          });
    }
  }

  @Test
  void bruckSendsEveryBlockAsOftenAsItsDistanceHasBits() {
    for (int ranks : RANKS) {
      holds(
          Collectives.bruckAllToAll(),
          ClosedFormsTest::allToAll,
          ranks,
          (model, p, count) -> {
            long time = 0;
            for (int bit = 1; bit < p; bit *= 2) {
              time += sent(model, Collectives.distances(p, bit).size() * count * 4);
            }
            return time;
          });
    }
  }

  @Test
  void theSummedFormsOfTheTextbookFollowWhereAllDivides() {
    int p = 16;
    long n = 1 << 20;
    long beta = 40;
    long gamma = 7;
    NetworkModel model = NetworkModel.plain(ALPHA, PerByte.of(beta), PerByte.of(gamma));
    AllReduceParam param = allReduce(CommInfo.of(0, Topology.flat(p)), n / 4);
    long shares = n / p * (p - 1);
    assertThat(Simulator.of(model).run(record(Collectives.ring(), param)).time())
        .isEqualTo(2 * (p - 1) * ALPHA + 2 * shares * beta + shares * gamma);
    assertThat(Simulator.of(model).run(record(Collectives.rabenseifner(), param)).time())
        .isEqualTo(2 * 4 * ALPHA + 2 * shares * beta + shares * gamma);
    assertThat(Simulator.of(model).run(record(Collectives.recursiveDoubling(), param)).time())
        .isEqualTo(4 * (ALPHA + n * (beta + gamma)));
  }

  @Test
  void sharedPortsGiveTheSameWhereNoTwoMessagesMeet() {
    for (int ranks : new int[] {2, 5, 8, 16}) {
      AllReduceParam param = allReduce(CommInfo.of(0, Topology.flat(ranks)), 4096);
      for (CollExecutorBase<AllReduceParam> executor :
          List.of(
              Collectives.ring(), Collectives.recursiveDoubling(), Collectives.rabenseifner())) {
        GroupPlan plan = record(executor, param);
        assertThat(Simulator.of(shared()).run(plan).time())
            .isEqualTo(Simulator.of(MODELS.getFirst()).run(plan).time());
      }
    }
  }

  private static NetworkModel shared() {
    return NetworkModel.builder()
        .sharing(Sharing.MAX_MIN)
        .level(CommPlane.LEVEL0, LinkTerms.of(ALPHA, PerByte.of(40)))
        .reduction(PerByte.of(7))
        .build();
  }
}
