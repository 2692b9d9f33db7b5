package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.TestExecutors;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Plans for new counts, made from those for others; and algorithms chosen for classes of sizes. */
class ClonedPlansTest {

  private static final int RANKS = 3;

  private final Emitting plain = new Emitting(count -> true, 1);

  private static CollectiveCall sum(long count) {
    return CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, count);
  }

  @Test
  void aNewCountGivesRightResultsInAllWaysOfCalling() {
    try (Context context =
            Context.builder().algorithm("two-stage", new TestExecutors.TwoStage()).open();
        Group group = context.createGroup(RANKS);
        Arena arena = Arena.ofShared()) {
      Random random = new Random(7);
      MemorySegment[] memory = new MemorySegment[2 * RANKS];
      for (int i = 0; i < memory.length; i++) {
        memory[i] = arena.allocate(ValueLayout.JAVA_INT, 20_000);
      }
      for (int call = 0; call < 200; call++) {
        // Fewer elements than ranks, and slices with and without tiles.
        int count = random.nextInt(call % 4 == 0 ? 8 : call % 4 == 1 ? 20_000 : 2_000);
        boolean inPlace = call % 3 == 0;
        MemorySegment[] inputs = new MemorySegment[RANKS];
        MemorySegment[] outputs = new MemorySegment[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
          inputs[rank] = memory[rank].asSlice(0, 4L * count);
          outputs[rank] = inPlace ? inputs[rank] : memory[RANKS + rank].asSlice(0, 4L * count);
          for (int i = 0; i < count; i++) {
            inputs[rank].setAtIndex(ValueLayout.JAVA_INT, i, call + rank * i);
          }
        }
        if (call % 2 == 0) {
          group.request(sum(count)).buffers(inputs, outputs).run();
        } else {
          group.run(
              rank ->
                  rank.allReduce(
                      inputs[rank.rank()], outputs[rank.rank()], DataType.INT32, ReduceOp.SUM));
        }
        for (int rank = 0; rank < RANKS; rank++) {
          for (int i = 0; i < count; i++) {
            assertThat(outputs[rank].getAtIndex(ValueLayout.JAVA_INT, i))
                .isEqualTo(3 * call + 3 * i);
          }
        }
      }
      PlanCacheStats stats = group.planCache();
      assertThat(stats.clones()).isGreaterThan(100);
      assertThat(stats.structures()).isBetween(2, 20);
      assertThat(stats.clones() + stats.structures()).isGreaterThanOrEqualTo(stats.plans());
      assertThat(stats.bytes()).isPositive();
    }
  }

  @Test
  void oneOfManyIsAskedForANewCount() {
    Emitting dear = new Emitting(count -> true, 5);
    try (Context context =
            Context.builder().algorithm("plain", plain).algorithm("dear", dear).open();
        Group group = context.createGroup(RANKS)) {
      assertThat(group.request(sum(1000)).plan().actionCount()).isEqualTo(RANKS);
      int before = plain.planned.get();
      int compared = dear.planned.get();
      for (int count = 1001; count < 1010; count++) {
        String digest = group.request(sum(count)).plan().digest();
        try (Group other = context.createGroup(RANKS)) {
          assertThat(other.request(sum(count)).algorithm("plain").plan().digest())
              .isEqualTo(digest);
        }
      }
      // Nine plans, each once here and once for the other group.
      assertThat(plain.planned.get() - before).isEqualTo(2 * 9 * RANKS);
      assertThat(dear.planned).hasValue(compared);
      assertThat(group.planCache().clones()).isEqualTo(9);
      assertThat(group.planCache().structures()).isEqualTo(1);
    }
  }

  @Test
  void theChoiceSaysOfWhatSizeItIs() {
    try (Context context = Context.builder().algorithm("plain", plain).open();
        Group group = context.createGroup(RANKS)) {
      assertThat(group.request(sum(1000)).explain().request())
          .isEqualTo("allreduce of 4000 bytes on 3 ranks, graph, direct, chosen as for 3072 bytes");
      group.request(sum(1000)).plan();
      assertThat(group.request(sum(1001)).explain().request())
          .contains("\n  plan: made from the plan for 4000 bytes");
      assertThat(group.request(sum(1024)).explain().request())
          .startsWith("allreduce of 4096 bytes on 3 ranks, graph, direct\n  plan: ");
    }
  }

  @Test
  void whyAPlanIsMadeFromNothingIsSaid() {
    Emitting longer = new Emitting(count -> true, 1);
    longer.isLonger = count -> count > 2000;
    try (Context context = Context.builder().algorithm("longer", longer).open();
        Group group = context.createGroup(RANKS)) {
      group.request(sum(1000)).plan();
      assertThat(group.request(sum(2001)).explain().request())
          .contains(
              "\n  plan: planned from scratch, because the plan for 4000 bytes differs: rank 0 has"
                  + " more than 1 actions, near its action 1");
      assertThat(group.request(sum(2001)).plan().actionCount()).isEqualTo(2 * RANKS);
      group.request(sum(2002)).plan();
      group.request(sum(1500)).plan();
      assertThat(group.planCache().structures()).isEqualTo(2);
      assertThat(group.planCache().clones()).isEqualTo(2);
    }
  }

  @Test
  void anAlgorithmOfTheClassThatDoesNotTakeTheCallIsPassedOver() {
    Emitting even = new Emitting(count -> count % 2 == 0, 1);
    Emitting dear = new Emitting(count -> true, 5);
    try (Context context =
            Context.builder().algorithm("even", even).algorithm("dear", dear).open();
        Group group = context.createGroup(RANKS)) {
      assertThat(group.request(sum(1000)).explain().chosen().name()).isEqualTo("even");
      assertThat(group.request(sum(1000)).plan().actionCount()).isEqualTo(RANKS);
      assertThat(group.request(sum(1001)).explain().chosen().name()).isEqualTo("dear");
      assertThat(group.request(sum(1001)).plan().actionCount()).isEqualTo(5 * RANKS);
      assertThat(group.request(sum(1002)).plan().actionCount()).isEqualTo(RANKS);
    }
  }

  @Test
  void whereNoAlgorithmOfTheClassTakesTheCallItIsChosenByItself() {
    Emitting odd = new Emitting(count -> count % 2 == 1, 2);
    try (Context context = Context.builder().algorithm("odd", odd).open();
        Group group = context.createGroup(RANKS)) {
      assertThat(group.request(sum(1001)).plan().actionCount()).isEqualTo(2 * RANKS);
      assertThat(group.request(sum(1001)).explain().chosen().name()).isEqualTo("odd");
      assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> group.request(sum(1000)).plan()))
          .contains("takes no such count");
    }
  }

  /** Earlier calls have no influence, so that equal calls have equal bits in every run. */
  @Test
  void theChoiceDoesNotDependOnWhatWasCalledBefore() {
    Emitting even = new Emitting(count -> count % 2 == 0, 1);
    Emitting dear = new Emitting(count -> true, 5);
    ContextBuilder builder = Context.builder().algorithm("even", even).algorithm("dear", dear);
    try (Context context = builder.open();
        Group up = context.createGroup(RANKS);
        Group down = context.createGroup(RANKS)) {
      for (int count = 1; count < 100; count++) {
        up.request(sum(count)).plan();
        down.request(sum(100 - count)).plan();
      }
      for (int count = 1; count < 100; count++) {
        assertThat(up.request(sum(count)).plan().digest())
            .isEqualTo(down.request(sum(count)).plan().digest());
      }
    }
  }

  @Test
  void rulesGoByTheSizeItself() {
    Emitting dear = new Emitting(count -> true, 5);
    try (Context context =
            Context.builder()
                .algorithm("plain", plain)
                .algorithm("dear", dear)
                .rules(Rules.parse("pin=dear bytes=4004..", "test"))
                .open();
        Group group = context.createGroup(RANKS)) {
      assertThat(group.request(sum(1000)).plan().actionCount()).isEqualTo(RANKS);
      assertThat(group.request(sum(1001)).plan().actionCount()).isEqualTo(5 * RANKS);
      assertThat(group.request(sum(1000)).explain().chosen().name()).isEqualTo("plain");
      assertThat(group.request(sum(1001)).explain().chosen().name()).isEqualTo("dear");
    }
  }

  @Test
  void whatFailsForANewCountSaysSo() {
    Emitting failing = new Emitting(count -> true, 1);
    failing.isBroken = count -> count == 1001;
    try (Context context = Context.builder().algorithm("failing", failing).open();
        Group group = context.createGroup(RANKS)) {
      group.request(sum(1000)).plan();
      assertThat(Errors.message(ErrorCode.EXECUTOR_FAILED, () -> group.request(sum(1001)).plan()))
          .contains("no idea how");
      assertThat(group.request(sum(1002)).plan().actionCount()).isEqualTo(RANKS);
    }
  }

  /** Averages and layouts are joined with other plans, which are made for each count. */
  @Test
  void averagesAreRightForNewCounts() {
    try (Context context =
            Context.builder().algorithm("two-stage", new TestExecutors.TwoStage()).open();
        Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      for (int count : new int[] {1000, 1001}) {
        MemorySegment[] inputs = new MemorySegment[2];
        MemorySegment[] outputs = new MemorySegment[2];
        for (int rank = 0; rank < 2; rank++) {
          inputs[rank] = arena.allocate(ValueLayout.JAVA_INT, count);
          outputs[rank] = arena.allocate(ValueLayout.JAVA_INT, count);
          inputs[rank].fill((byte) (rank + 1));
        }
        group
            .request(sum(count))
            .options(CallOptions.defaults().withAverage(true))
            .buffers(inputs, outputs)
            .run();
        assertThat(outputs[1].getAtIndex(ValueLayout.JAVA_INT, count - 1)).isEqualTo(0x01818181);
        assertThat(
                group
                    .request(sum(count))
                    .options(CallOptions.defaults().withAverage(true))
                    .explain()
                    .request())
            .contains("planned from scratch, because it is joined with copies or divisions");
      }
    }
  }

  /** Copies its input some times, if it takes a count. */
  private static final class Emitting extends CollExecutorBase<AllReduceParam> {
    private final LongPredicate isTaken;
    private final int copies;
    private final AtomicInteger planned = new AtomicInteger();
    private LongPredicate isLonger = count -> false;
    private LongPredicate isBroken = count -> false;

    Emitting(LongPredicate isTaken, int copies) {
      this.isTaken = isTaken;
      this.copies = copies;
    }

    @Override
    public Support supports(AllReduceParam param) {
      return Support.when(isTaken.test(param.count()), "takes no such count");
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      planned.incrementAndGet();
      if (isBroken.test(param.count())) {
        throw new IllegalStateException("no idea how");
      }
      int all = isLonger.test(param.count()) ? copies + 1 : copies;
      DeviceMem output = resources.paramOutputMem();
      for (int i = 0; i < all; i++) {
        resources.mainStream().copy(output, resources.paramInputMem());
      }
    }
  }
}
