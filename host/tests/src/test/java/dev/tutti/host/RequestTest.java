package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestTest {

  private static final int RANKS = 3;
  private static final int COUNT = 5;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);

  @AfterEach
  void close() {
    context.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  private RequestBuilder sum() {
    return group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 16})
  void reducesForAnyNumberOfRanks(int ranks) {
    Group other = context.createGroup(ranks);
    MemorySegment[] in = Floats.filled(arena, ranks, COUNT);
    MemorySegment[] out = Floats.zeros(arena, ranks, COUNT);

    other.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM).run();

    for (MemorySegment each : out) {
      assertThat(Floats.values(each)).isEqualTo(Floats.sums(ranks, COUNT));
    }
  }

  @Test
  void runsAnyNumberOfTimesOnWhatTheBuffersHoldThen() {
    try (Request request = sum().build()) {
      for (int run = 1; run <= 3; run++) {
        inputs[0].setAtIndex(ValueLayout.JAVA_FLOAT, 0, 100 * run);
        request.run();
        assertThat(Floats.values(outputs[2])[0]).isEqualTo(100 * run + 2 + 3);
      }
    }
  }

  @Test
  void isStartedAndAwaited() {
    try (Request request = sum().build()) {
      request.start();
      request.await(Duration.ofMinutes(5));
      request.start();
      Await.spin(request::test);
      assertThat(Floats.values(outputs[0])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void cannotBeStartedTwiceOrAwaitedBeforeOrClosedDuringARun() {
    Request request = sum().build();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::await))
        .isEqualTo(
            "cannot wait for the request (allreduce of 5 float32, sum): it is not started; start it"
                + " first");
    request.start();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::start))
        .isEqualTo(
            "cannot start the request (allreduce of 5 float32, sum): it is running; wait for its"
                + " end first");
    Errors.message(ErrorCode.INVALID_STATE, request::close);
    Errors.message(ErrorCode.INVALID_STATE, () -> request.rebind(inputs, outputs));
    request.await();
    request.close();
    request.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::run)).contains("it is closed");
  }

  @Test
  void isRefusedWhileTheGroupRunsAnother() {
    Request first = sum().build();
    Request second = sum().build();
    first.start();

    assertThat(Errors.message(ErrorCode.INVALID_STATE, second::run))
        .startsWith("the group is running allreduce of 5 float32, sum; a group runs one operation");
    Errors.message(ErrorCode.INVALID_STATE, group::close);
    Errors.message(ErrorCode.INVALID_STATE, context::close);

    first.await();
    second.run();
  }

  @Test
  void isClosedWithItsGroupAndItsContext() {
    Request request = sum().build();
    group.close();
    group.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::run)).contains("it is closed");
    assertThat(Errors.message(ErrorCode.INVALID_STATE, () -> sum().build()))
        .isEqualTo("the group is closed; create another one");
    context.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, () -> context.createGroup(2)))
        .isEqualTo("the context is closed; open another one");
    Errors.message(ErrorCode.INVALID_STATE, () -> context.allocate(8));
  }

  @Test
  void isInPlaceWhenInputsAreTheOutputs() {
    try (Request request =
        group.allReduce(inputs, inputs, DataType.FLOAT32, ReduceOp.SUM).build()) {
      request.run();
      assertThat(request.isInPlace()).isTrue();
      assertThat(request.isStaged()).isFalse();
      for (MemorySegment each : inputs) {
        assertThat(Floats.values(each)).isEqualTo(Floats.sums(RANKS, COUNT));
      }
    }
  }

  @Test
  void isInPlaceOnTheRootForReduceAndBroadcast() {
    MemorySegment[] rootOnly = {null, inputs[1], null};
    try (Request request =
        group.reduce(inputs, rootOnly, DataType.FLOAT32, ReduceOp.SUM, 1).build()) {
      request.run();
      assertThat(request.isInPlace()).isTrue();
      assertThat(Floats.values(inputs[1])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
    try (Request request = group.broadcast(rootOnly, inputs, DataType.FLOAT32, 1).build()) {
      request.run();
      assertThat(request.isInPlace()).isTrue();
      assertThat(Floats.values(inputs[2])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void doesNothingForACountOfZero() {
    MemorySegment[] none = new MemorySegment[RANKS];
    group
        .request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 0))
        .buffers(none, none)
        .run();
    group.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 0)).run();
    group.barrier().run();
  }

  @Test
  void leavesTheRestOfLargerBuffersAlone() {
    MemorySegment[] wide = Floats.zeros(arena, RANKS, COUNT + 1);
    for (MemorySegment each : wide) {
      each.setAtIndex(ValueLayout.JAVA_FLOAT, COUNT, -1);
    }
    group
        .request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, COUNT))
        .buffers(inputs, wide)
        .run();
    assertThat(Floats.values(wide[1])).startsWith(Floats.sums(RANKS, COUNT)).endsWith(-1f);
  }

  @Test
  void copiesArraysInAndOutOnEveryRun() {
    MemorySegment[] in = Floats.heap(RANKS, COUNT);
    MemorySegment[] out = Floats.heap(RANKS, COUNT);
    try (Request request = group.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM).build()) {
      request.run();
      assertThat(request.isStaged()).isTrue();
      assertThat(Floats.values(out[0])).isEqualTo(Floats.sums(RANKS, COUNT));
      in[0].setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, 1001);
      request.run();
      assertThat(Floats.values(out[2])[0]).isEqualTo(1006);
    }
  }

  @Test
  void copiesArraysInPlaceToo() {
    MemorySegment[] in = Floats.heap(RANKS, COUNT);
    try (Request request = group.allReduce(in, in, DataType.FLOAT32, ReduceOp.SUM).build()) {
      request.run();
      assertThat(request.isInPlace()).isTrue();
      assertThat(Floats.values(in[1])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void copiesMemoryOfConfinedArenasAndTakesReadOnlyInputs() {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment[] in = Floats.filled(confined, RANKS, COUNT);
      in[0] = in[0].asReadOnly();
      in[1] = MemorySegment.ofArray(Floats.values(in[1])).asReadOnly();
      group.allReduce(in, outputs, DataType.FLOAT32, ReduceOp.SUM).run();
      assertThat(Floats.values(outputs[0])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void keepsWhatAnExclusiveScanLeavesOnRankZero() {
    MemorySegment[] in = Floats.heap(RANKS, 1);
    MemorySegment[] out = Floats.heap(RANKS, 1);
    out[0].setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, -7);
    group.exclusiveScan(in, out, DataType.FLOAT32, ReduceOp.SUM).run();
    assertThat(Floats.values(out[0])).containsExactly(-7);
    assertThat(Floats.values(out[1])).containsExactly(1);
    assertThat(Floats.values(out[2])).containsExactly(3);
  }

  @Test
  void runsOnOtherBuffersAfterRebind() {
    MemorySegment[] other = Floats.zeros(arena, RANKS, COUNT);
    MemorySegment[] arrays = Floats.heap(RANKS, COUNT);
    try (Request request = sum().build()) {
      request.rebind(inputs, other);
      request.run();
      assertThat(Floats.values(other[0])).isEqualTo(Floats.sums(RANKS, COUNT));
      assertThat(Floats.values(outputs[0])).containsOnly(0);

      request.rebind(arrays, outputs);
      request.run();
      assertThat(request.isStaged()).isTrue();
      assertThat(Floats.values(outputs[0])).isEqualTo(Floats.sums(RANKS, COUNT));

      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> request.rebind(inputs, inputs)))
          .isEqualTo(
              "the request is not in place, and its new buffers must be too; otherwise build"
                  + " another request");
      request.run();
    }
  }

  @Test
  void refusesMemoryThatWasFreedSinceItWasBuilt() {
    Request request = sum().build();
    request.run();
    arena.close();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::run))
        .isEqualTo(
            "the memory of a buffer was freed; keep its arena open while requests use it, or rebind"
                + " the request");
    assertThat(group.isPoisoned()).isFalse();
  }

  @Test
  void sharesPlansBetweenRequestsOfOneShape() {
    sum().build().close();
    sum().deadline(Duration.ofSeconds(3)).build().close();
    assertThat(group.planCache().plans()).isEqualTo(1);
    assertThat(group.planCache().hits()).isEqualTo(1);
    group.allReduce(inputs, inputs, DataType.FLOAT32, ReduceOp.SUM).build().close();
    group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.MAX).build().close();
    assertThat(group.planCache().plans()).isEqualTo(3);
    assertThat(group.planCache().misses()).isEqualTo(3);
  }

  @Test
  void aRunThatPassesItsDeadlineEndsTheUseOfItsGroupOnly() {
    int count = 4 << 20;
    Group other = context.createGroup(4);
    MemorySegment[] in = Floats.filled(arena, 4, count);
    MemorySegment[] out = Floats.zeros(arena, 4, count);
    Request request =
        other
            .allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM)
            .deadline(Duration.ofNanos(1))
            .build();

    Errors.message(ErrorCode.DEADLINE_EXCEEDED, request::run);

    assertThat(other.isPoisoned()).isTrue();
    assertThat(Errors.message(ErrorCode.GROUP_POISONED, request::run))
        .startsWith(
            "the group is unusable after an earlier failure and can only be closed; the failure"
                + " was: ");
    Errors.message(ErrorCode.GROUP_POISONED, () -> other.barrier().build());
    other.close();
    sum().run();
  }

  @Test
  void tellsWhatItRuns() {
    try (Request request = sum().algorithm("embedded:pull").tag("gradients").build()) {
      assertThat(request.algorithm().qualifiedName()).isEqualTo("embedded:pull");
      assertThat(request.call())
          .isEqualTo(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, COUNT));
      assertThat(request.plan().rankSize()).isEqualTo(RANKS);
      assertThat(request.options().tag()).isEqualTo("gradients");
      assertThat(request.plan()).isEqualTo(sum().tag("gradients").plan());
    }
    assertThat(sum().explain().chosen().name()).isEqualTo("pull");
  }

  @Test
  void transfersBetweenTwoRanks() {
    MemorySegment out = arena.allocate(20);
    try (Request request = group.sendReceive(inputs[2], out, DataType.FLOAT32, 2, 0).build()) {
      request.run();
      assertThat(Floats.values(out)).isEqualTo(Floats.values(inputs[2]));
      assertThat(request.algorithm().operation()).isEqualTo(Operation.SEND);
    }
  }

  @Test
  void takesEveryOperationOfTheGeneralForm() {
    for (Operation operation : Operation.values()) {
      switch (operation) {
        case REDUCE_SCATTER_V, ALL_GATHER_V, GATHER_V, SCATTER_V, ALL_TO_ALL_V, BATCH_SEND_RECV ->
            Errors.message(
                ErrorCode.INVALID_ARGUMENT,
                () -> CollectiveCall.of(operation, RANKS, DataType.INT32, ReduceOp.MAX, 4, 1));
        default -> {
          CollectiveCall call =
              CollectiveCall.of(operation, RANKS, DataType.INT32, ReduceOp.MAX, 4, 1);
          MemorySegment[] in = Floats.zeros(arena, RANKS, 4 * RANKS);
          MemorySegment[] out = Floats.zeros(arena, RANKS, 4 * RANKS);
          group.request(call).buffers(in, out).run();
        }
      }
    }
  }

  @Test
  void seesTheCountsOfTheVFormsAsEachRankDoes() {
    CollectiveCall call =
        CollectiveCall.allToAllV(
            DataType.INT8, List.of(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L), List.of(7L, 8L, 9L)));
    MemorySegment[] in = Floats.zeros(arena, RANKS, 6);
    MemorySegment[] out = Floats.zeros(arena, RANKS, 6);
    try (Request request = group.request(call).buffers(in, out).build()) {
      request.run();
      assertThat(request.plan().rank(1).memSize(TransportMemType.PARAM_INPUT)).isEqualTo(4 + 5 + 6);
      assertThat(request.plan().rank(1).memSize(TransportMemType.PARAM_OUTPUT))
          .isEqualTo(2 + 5 + 8);
    }
  }
}
