package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks have many operations in flight; they end in the order in which they were started. */
@Timeout(600)
final class OperationsInFlightTest {

  private static final int RANKS = 3;
  private static final int CAPACITY = 64;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    context.close();
  }

  /** Buckets of a backward pass: all are started, and the last one is awaited first. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bucketsAreReducedWhileOthersAreMade(boolean areArrays) {
    int buckets = 25;
    try (Arena arena = Arena.ofShared()) {
      group.run(
          rank -> {
            List<MemorySegment> data = new ArrayList<>();
            List<RankRequest> requests = new ArrayList<>();
            for (int bucket = 0; bucket < buckets; bucket++) {
              MemorySegment memory =
                  areArrays
                      ? MemorySegment.ofArray(new float[100 + bucket])
                      : arena.allocate(ValueLayout.JAVA_FLOAT, 100 + bucket);
              data.add(memory);
              requests.add(
                  rank.requests().allReduce(memory, memory, DataType.FLOAT32, ReduceOp.SUM));
            }
            for (int step = 0; step < 5; step++) {
              for (int bucket = 0; bucket < buckets; bucket++) {
                fill(data.get(bucket), rank.rank() + bucket + step);
                requests.get(bucket).start();
              }
              requests.reversed().forEach(RankRequest::await);
              for (int bucket = 0; bucket < buckets; bucket++) {
                MemorySegment memory = data.get(bucket);
                int sum = RANKS * (RANKS - 1) / 2 + RANKS * (bucket + step);
                assertThat(memory.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)).containsOnly(sum);
              }
            }
          });
    }
    assertThat(group.planCache().misses()).isEqualTo(buckets);
  }

  private static void fill(MemorySegment memory, float value) {
    for (long i = 0; i < memory.byteSize() / Float.BYTES; i++) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, value);
    }
  }

  @Test
  void transfersAndOperationsOfAllAreInFlightTogether() {
    group.run(
        rank -> {
          int own = rank.rank();
          int[] sum = {own};
          MemorySegment sums = MemorySegment.ofArray(sum);
          int[] got = new int[1];
          RankRequest all =
              rank.requests().allReduce(sums, sums, DataType.INT32, ReduceOp.SUM).start();
          RankRequest transfer =
              own == 2
                  ? null
                  : (own == 0
                          ? rank.requests()
                              .send(MemorySegment.ofArray(new int[] {7}), DataType.INT32, 1)
                          : rank.requests().receive(MemorySegment.ofArray(got), DataType.INT32, 0))
                      .start();
          if (transfer != null) {
            transfer.await();
          }
          all.await();
          assertThat(sum).containsExactly(3);
          assertThat(got).containsExactly(own == 1 ? 7 : 0);
        });
  }

  @Test
  void aStartWaitsWhileTooManyAreInFlightAndSaysSo() throws InterruptedException {
    List<RankRequest> started = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      started.add(group.rank(0).requests().barrier().start());
    }
    AtomicReference<RankRequest> last = new AtomicReference<>();
    Thread more =
        Thread.ofPlatform().start(() -> last.set(group.rank(0).requests().barrier().start()));
    Await.until(() -> more.getState() == Thread.State.TIMED_WAITING);
    GroupStatus status = group.status();
    assertThat(status.ranks().getFirst())
        .satisfies(
            rank -> {
              assertThat(rank.state()).isEqualTo(RankStatus.State.WAITING);
              assertThat(rank.doing())
                  .isEqualTo(
                      "waits in operation 1, barrier, for rank 1, rank 2; cannot start barrier"
                          + " while 64 operations are in flight");
            });
    for (int rank = 1; rank < RANKS; rank++) {
      started.add(group.rank(rank).requests().barrier().start());
    }
    more.join();
    assertThat(last.get().isRunning()).isTrue();
    started.getFirst().await();
    started.get(CAPACITY).await();
    started.get(CAPACITY + 1).await();
  }

  /** The message is about the operation that blocks the others, not about the one to start. */
  @Test
  void aStartThatWaitsTooLongNamesTheOperationThatItWaitsFor() {
    CallOptions soon = CallOptions.defaults().withDeadline(Duration.ofMillis(100));
    try (Group late = context.createGroup(RANKS)) {
      RankRequests requests = late.rank(0).with(soon).requests();
      RankRequest first = requests.barrier().start();
      for (int i = 1; i < CAPACITY; i++) {
        requests.barrier().start();
      }
      MemorySegment data = MemorySegment.ofArray(new int[1]);
      RankRequest more = requests.allReduce(data, data, DataType.INT32, ReduceOp.SUM);
      Thread.currentThread().interrupt();
      assertThat(Errors.message(ErrorCode.INTERRUPTED, more::start))
          .startsWith("the wait of rank 0 for operation 1, barrier, was interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(more.isRunning()).isFalse();
      more.start();
      Errors.message(ErrorCode.GROUP_POISONED, more::await);
      assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, first::await))
          .startsWith("rank 0 waited 100 ms in operation 1, barrier, for 2 of 3 ranks");
    }
  }

  /** Whatever a body leaves behind is forgotten with it, and its copies serve later operations. */
  @Test
  void whatABodyLeavesBehindIsForgotten() {
    int[][] data = new int[RANKS][1];
    List<RankRequest> left = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      MemorySegment own = MemorySegment.ofArray(data[rank]);
      left.add(group.rank(rank).requests().allReduce(own, own, DataType.INT32, ReduceOp.SUM));
    }
    for (int round = 0; round < 3; round++) {
      group.run(
          rank -> {
            if (rank.rank() != 2) {
              left.get(rank.rank()).start();
            }
          });
      assertThat(left).noneMatch(RankRequest::isRunning);
      group.run(
          rank -> {
            data[rank.rank()][0] = rank.rank();
            left.get(rank.rank()).start().await();
            assertThat(data[rank.rank()][0]).isEqualTo(3);
          });
    }
  }

  @Test
  void onlyTheCancelledOneOfManyIsCancelled() {
    List<List<RankRequest>> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      RankRequests requests = group.rank(rank).requests();
      all.add(List.of(requests.barrier(), requests.barrier(), requests.barrier()));
    }
    all.get(0).forEach(RankRequest::start);
    assertThat(all.get(0).get(1).cancel()).isTrue();
    all.get(1).forEach(RankRequest::start);
    all.get(2).forEach(RankRequest::start);
    for (List<RankRequest> own : all) {
      own.get(2).await();
      assertThat(Errors.message(ErrorCode.CANCELLED, own.get(1)::await))
          .isEqualTo("rank 0 cancelled operation 2, barrier, before all ranks had started it");
      own.get(0).await();
    }
  }

  @Test
  void aCallerOfTheWholeGroupTakesTurnsWithItsRanks() {
    for (int i = 0; i < 3; i++) {
      group.run(RankHandle::barrier);
      group.barrier().run();
    }
    RankRequest first = group.rank(0).requests().barrier().start();
    group.barrier().run();
    RankRequest second = group.rank(1).requests().barrier().start();
    group.rank(2).requests().barrier().start().await();
    second.await();
    first.await();
    group.barrier().run();
  }
}
