package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations of ranks that are started without waiting; one thread plays all ranks. */
@Timeout(600)
final class RankRequestTest {

  private static final int RANKS = 3;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    context.close();
  }

  private List<RankRequest> requests(Function<RankHandle, RankRequest> of) {
    List<RankRequest> requests = new ArrayList<>();
    CallOptions options = CallOptions.defaults().withLongerBuffers(true);
    for (int rank = 0; rank < RANKS; rank++) {
      requests.add(of.apply(group.rank(rank).with(options)));
    }
    return requests;
  }

  private List<RankRequest> barriers() {
    return requests(rank -> rank.requests().barrier());
  }

  private static MemorySegment ints(int... values) {
    return MemorySegment.ofArray(values);
  }

  private static int[] values(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }

  /** The ranks' arrays are copied to memory that peers reach, and back. */
  @Test
  void gapsInTheOutputKeepTheirContents() {
    Layout everySecond = Layout.vector(3, 1, 2);
    CallOptions options = CallOptions.defaults().withLayouts(Layout.contiguous(), everySecond);
    for (int round = 1; round <= 2; round++) {
      List<RankRequest> requests = new ArrayList<>();
      List<MemorySegment> outputs = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        outputs.add(ints(-1 * round, -2, -3, -4, -5));
        requests.add(
            group
                .rank(rank)
                .with(options)
                .requests()
                .allReduce(ints(1, 2, 3), outputs.get(rank), DataType.INT32, ReduceOp.SUM));
      }
      requests.forEach(RankRequest::start);
      requests.forEach(RankRequest::await);

      assertThat(outputs)
          .allSatisfy(output -> assertThat(values(output)).containsExactly(3, -2, 6, -4, 9));
    }
  }

  @Test
  void startsEveryOperationWithoutWaiting() {
    MemorySegment[] outputs = new MemorySegment[RANKS];
    List<Function<RankHandle, RankRequest>> operations =
        List.of(
            r -> r.requests().barrier(),
            r ->
                r.requests()
                    .allReduce(ints(r.rank()), outputs[r.rank()], DataType.INT32, ReduceOp.SUM),
            r ->
                r.requests()
                    .reduce(ints(r.rank()), outputs[r.rank()], DataType.INT32, ReduceOp.MAX, 1),
            r ->
                r.requests()
                    .reduceScatter(
                        ints(1, 2, 3),
                        outputs[r.rank()].asSlice(0, 4),
                        DataType.INT32,
                        ReduceOp.SUM),
            r -> r.requests().scan(ints(1), outputs[r.rank()], DataType.INT32, ReduceOp.SUM),
            r ->
                r.requests()
                    .exclusiveScan(ints(1), outputs[r.rank()], DataType.INT32, ReduceOp.SUM),
            r -> r.requests().broadcast(outputs[r.rank()], DataType.INT32, 2),
            r -> r.requests().allGather(ints(r.rank()), outputs[r.rank()], DataType.INT32),
            r -> r.requests().gather(ints(r.rank()), outputs[r.rank()], DataType.INT32, 0),
            r ->
                r.requests()
                    .scatter(ints(4, 5, 6), outputs[r.rank()].asSlice(0, 4), DataType.INT32, 0),
            r -> r.requests().allToAll(ints(r.rank(), 8, 9), outputs[r.rank()], DataType.INT32));
    int[][] expectedOnRank1 = {
      {0, 0, 1}, {3, 0, 1}, {2, 0, 1}, {6, 0, 1}, {2, 0, 1}, {1, 0, 1}, {0, 0, 2}, {0, 1, 2},
      {0, 0, 1}, {5, 0, 1}, {8, 8, 8}
    };
    for (int i = 0; i < operations.size(); i++) {
      for (int rank = 0; rank < RANKS; rank++) {
        outputs[rank] = ints(0, 0, rank);
      }
      List<RankRequest> requests = requests(operations.get(i));
      requests.forEach(RankRequest::start);
      requests.forEach(RankRequest::await);
      assertThat(values(outputs[1])).as("%s", requests.get(1)).isEqualTo(expectedOnRank1[i]);
    }
  }

  @Test
  void transfersAndOperationsWithCountsPerRankAreRequestsToo() {
    MemorySegment got = ints(0, 0);
    RankRequest receive = group.rank(2).requests().receive(got, DataType.INT32, 0).start();
    assertThat(receive.test()).isFalse();
    RankRequest send = group.rank(0).requests().send(ints(7, 8), DataType.INT32, 2).start();
    Await.until(send::test);
    receive.await();
    assertThat(values(got)).containsExactly(7, 8);

    List<Long> row = List.of(1L, 0L, 1L);
    CollectiveCall call = CollectiveCall.allToAllV(DataType.INT32, List.of(row, row, row));
    MemorySegment[] out = {ints(0, 0, 0), ints(), ints(0, 0, 0, 0)};
    List<RankRequest> all =
        requests(r -> r.requests().of(call, ints(r.rank(), 10 + r.rank()), out[r.rank()]));
    all.forEach(RankRequest::start);
    all.forEach(each -> Await.until(each::test));
    CollectiveCall other =
        CollectiveCall.allToAllV(DataType.INT32, List.of(row, row, List.of(1L, 0L, 2L)));
    all.get(0).start();
    all.get(1).start();
    RankRequest odd = group.rank(2).requests().of(other, ints(0, 0, 0), out[2]).start();
    assertThat(Errors.message(ErrorCode.CALL_MISMATCH, odd::await))
        .contains("rank 2 differs from rank 0 in its counts of rank 2 at 2: expected 1, actual 2");
    Errors.message(ErrorCode.CALL_MISMATCH, all.get(0)::await);
    Errors.message(ErrorCode.CALL_MISMATCH, all.get(1)::await);
  }

  @Test
  void aRequestIsStartedAgain() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] data = Floats.filled(arena, RANKS, 1);
      List<RankRequest> all =
          requests(
              r ->
                  r.requests()
                      .allReduce(data[r.rank()], data[r.rank()], DataType.FLOAT32, ReduceOp.MAX));
      for (int round = 0; round < 10; round++) {
        data[round % RANKS].setAtIndex(ValueLayout.JAVA_FLOAT, 0, 100 + round);
        for (RankRequest each : all) {
          assertThat(each.isRunning()).isFalse();
          each.start();
          assertThat(each.isRunning()).isTrue();
        }
        for (RankRequest each : all) {
          Await.until(each::test);
        }
        assertThat(Floats.values(data[0])).containsExactly(100 + round);
      }
    }
  }

  @Test
  void aRequestSaysWithWhatItRan() {
    List<RankRequest> barriers = barriers();
    assertThat(barriers.getFirst().algorithm()).isEmpty();
    assertThat(barriers.getFirst().mode()).isEmpty();
    barriers.forEach(RankRequest::start);
    barriers.forEach(RankRequest::await);
    assertThat(barriers)
        .allSatisfy(
            each -> {
              assertThat(each.algorithm().orElseThrow().name()).isEqualTo("pull");
              assertThat(each.mode()).contains(WorkflowMode.GRAPH);
            });
  }

  @Test
  void bringsArraysBackWhenTheRankItselfHasSeenTheEnd() {
    MemorySegment[] data = {ints(1), ints(2), ints(3)};
    List<RankRequest> all =
        requests(
            r ->
                r.requests()
                    .allReduce(data[r.rank()], data[r.rank()], DataType.INT32, ReduceOp.SUM));
    all.forEach(RankRequest::start);
    assertThat(values(data[0])).containsExactly(1);
    all.get(0).await();
    assertThat(values(data[0])).containsExactly(6);
    assertThat(values(data[1])).containsExactly(2);
    all.get(1).await();
    all.get(2).await();
    assertThat(values(data[1])).containsExactly(6);
  }

  @Test
  void refusesWhatItsStateDoesNotAllow() {
    List<RankRequest> all = barriers();
    RankRequest first = all.getFirst();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, first::test))
        .isEqualTo("cannot test the barrier of rank 0: it is not started; start it first");
    Errors.message(ErrorCode.INVALID_STATE, first::await);
    assertThat(first.cancel()).isFalse();
    first.start();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, first::start))
        .isEqualTo(
            "cannot start the barrier of rank 0 again: it is under way; wait for its end first");
    assertThat(first.test()).isFalse();
    all.subList(1, RANKS).forEach(RankRequest::start);
    all.forEach(RankRequest::await);
    group.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, first::start))
        .isEqualTo("the group is closed; create another one");
    assertThat(Errors.message(ErrorCode.INVALID_STATE, first::start))
        .isEqualTo("the group is closed; create another one");
  }

  @Test
  void refusesATransferThatTheRankTakesNoPartIn() {
    CollectiveCall call = CollectiveCall.sendReceive(DataType.INT8, 0, 0, 1);
    assertThat(
            Errors.message(
                ErrorCode.INVALID_RANK, () -> group.rank(2).requests().of(call, null, null)))
        .isEqualTo(
            "rank 2 takes no part in a transfer from rank 0 to rank 1; only those two call it");
  }

  @Test
  void aCancelledOperationEndsForAllRanksAlsoForThoseThatStartItLater() {
    List<RankRequest> all = barriers();
    all.get(0).start();
    all.get(1).start();
    assertThat(all.get(1).cancel()).isTrue();
    assertThat(all.get(0).cancel()).as("it is over").isFalse();
    String message = "rank 1 cancelled operation 1, barrier, before all ranks had started it";
    assertThat(Errors.message(ErrorCode.CANCELLED, all.get(0)::await)).isEqualTo(message);
    assertThat(Errors.message(ErrorCode.CANCELLED, all.get(1)::await)).isEqualTo(message);
    // The next operation of the two does not meet the first one of the third.
    all.get(0).start();
    all.get(1).start();
    all.get(2).start();
    assertThat(all.get(0).test()).isFalse();
    assertThat(Errors.message(ErrorCode.CANCELLED, all.get(2)::await)).isEqualTo(message);
    all.get(2).start();
    all.forEach(each -> Await.until(each::test));
    assertThat(group.isPoisoned()).isFalse();
  }

  @Test
  void aRankThatNeverComesAfterManyCancelledOperationsIsNotRememberedForEver() {
    RankRequest first = group.rank(0).requests().barrier();
    String refused = null;
    for (int i = 0; i < 5_000 && refused == null; i++) {
      Throwable thrown = catchThrowable(first::start);
      if (thrown == null) {
        assertThat(first.cancel()).isTrue();
        Errors.message(ErrorCode.CANCELLED, first::await);
      } else {
        refused = thrown.getMessage();
      }
    }
    assertThat(refused).contains("a rank is 1024 operations behind the others");
    // All ranks learn of each operation that was given up, in order.
    for (int rank = 1; rank < RANKS; rank++) {
      RankRequest late = group.rank(rank).requests().barrier();
      for (int i = 1; i <= 1024; i++) {
        assertThat(Errors.message(ErrorCode.CANCELLED, late.start()::await))
            .startsWith("rank 0 cancelled operation " + i + ",");
      }
    }
    group.run(RankHandle::barrier);
  }

  @Test
  void anOperationThatNotAllHaveStartedInTimeEndsForAll() {
    ManualClock clock = new ManualClock();
    Duration minute = Duration.ofMinutes(1);
    CallOptions soon = CallOptions.defaults().withDeadline(minute);
    try (Context slow =
            SampleAlgorithms.addTo(Context.builder()).waiting(new Waiting(clock, 2)).open();
        Group waiting = slow.createGroup(RANKS)) {
      RankRequest first = waiting.rank(0).with(soon).requests().barrier().start();
      RankRequest second = waiting.rank(1).requests().barrier().start();
      assertThat(first.test()).isFalse();
      clock.advance(minute);
      assertThat(first.test()).isFalse();
      clock.advance(Duration.ofNanos(1));
      String late = Errors.message(ErrorCode.DEADLINE_EXCEEDED, first::test);
      assertThat(late).startsWith("rank 0 waited 60000 ms in operation 1, barrier, for 1");
      assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, second::await)).isEqualTo(late);
      assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, waiting.rank(2)::barrier))
          .isEqualTo(late);
      Errors.message(ErrorCode.GROUP_POISONED, waiting.rank(2)::barrier);
    }
  }

  @Test
  void aRankThatWaitsIsLateWhenItsTimeIsOverAndNotBefore() throws Exception {
    ManualClock clock = new ManualClock();
    Duration minute = Duration.ofMinutes(1);
    CallOptions soon = CallOptions.defaults().withDeadline(minute);
    try (Context slow =
            SampleAlgorithms.addTo(Context.builder()).waiting(new Waiting(clock, 2)).open();
        Group waiting = slow.createGroup(RANKS)) {
      RankRequest first = waiting.rank(0).with(soon).requests().barrier().start();
      FutureTask<String> late =
          new FutureTask<>(() -> Errors.message(ErrorCode.DEADLINE_EXCEEDED, first::await));
      // Some of the time has passed before it begins to wait.
      clock.advance(minute.dividedBy(2));
      Thread.ofPlatform().daemon().start(late);
      clock.awaitSleepers(1);
      clock.advance(minute.dividedBy(2).minusNanos(1));
      clock.awaitSleepers(1);
      assertThat(waiting.isPoisoned()).isFalse();
      clock.advance(Duration.ofNanos(1));
      assertThat(late.get()).startsWith("rank 0 waited 60000 ms in operation 1, barrier, for 2");
    }
  }

  @Test
  void anOperationThatABodyLeavesBehindEndsForAll() {
    List<String> messages = new CopyOnWriteArrayList<>();
    CountDownLatch isTold = new CountDownLatch(1);
    group.run(
        rank -> {
          if (rank.rank() == 2) {
            Await.latch(isTold);
          }
          RankRequest request = rank.requests().barrier().start();
          if (rank.rank() != 1) {
            messages.add(Errors.message(ErrorCode.INVALID_STATE, request::await));
            isTold.countDown();
          }
        });
    assertThat(messages)
        .hasSize(2)
        .containsOnly("rank 1 has ended its body without waiting for its barrier");
    group.run(RankHandle::barrier);
  }

  @Test
  void closingTheGroupEndsWhatWasStarted() {
    RankRequest first = group.rank(0).requests().barrier().start();
    group.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, first::await))
        .isEqualTo("the group is closed; create another one");
    assertThat(first.isRunning()).isFalse();
  }

  @Test
  void memoryThatIsFreedBetweenStartAndRunIsAnErrorOfAll() {
    Arena arena = Arena.ofShared();
    MemorySegment[] data = Floats.filled(arena, RANKS, 4);
    List<RankRequest> all =
        requests(
            r ->
                r.requests()
                    .allReduce(data[r.rank()], data[r.rank()], DataType.FLOAT32, ReduceOp.SUM));
    all.get(0).start();
    all.get(1).start();
    arena.close();
    String message = Errors.message(ErrorCode.BUFFER_UNAVAILABLE, all.get(2)::start);
    assertThat(message).startsWith("the memory of the input of rank 2 was freed");
    assertThat(Errors.message(ErrorCode.CALL_MISMATCH, all.get(0)::await)).endsWith(message);
    assertThat(Errors.message(ErrorCode.CALL_MISMATCH, all.get(1)::await)).endsWith(message);
    group.run(RankHandle::barrier);
  }

  /** The first call is planned meanwhile, on the virtual thread of the last rank to start. */
  @Test
  void virtualThreadsThatAskAgainAndAgainLeaveRoomForOthers() {
    int ranks = 8 * Runtime.getRuntime().availableProcessors();
    try (Group many = context.createGroup(ranks)) {
      many.run(
          rank -> {
            for (int count = 1; count <= 3; count++) {
              int[] sum = new int[count];
              RankRequest request =
                  rank.requests()
                      .allReduce(
                          ints(new int[count]),
                          MemorySegment.ofArray(sum),
                          DataType.INT32,
                          ReduceOp.SUM)
                      .start();
              Await.spin(request::test);
            }
          });
    }
  }
}
