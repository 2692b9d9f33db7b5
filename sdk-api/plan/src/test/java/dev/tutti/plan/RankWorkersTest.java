package dev.tutti.plan;

import static dev.tutti.plan.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class RankWorkersTest {

  private static final int RANKS = 100;

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everyRankIsDoneOnce(int workers) {
    int ranks = 100_000;
    AtomicIntegerArray done = new AtomicIntegerArray(ranks);
    CountDownLatch allAreHere = new CountDownLatch(workers);
    RankWorkers.forEachRank(
        ranks,
        workers,
        () -> {
          // Makes the threads take ranks at the same time.
          allAreHere.countDown();
          await(allAreHere);
          return done::incrementAndGet;
        });

    for (int rank = 0; rank < ranks; rank++) {
      if (done.get(rank) != 1) {
        fail("rank %d was done %d times", rank, done.get(rank));
      }
    }
  }

  @Test
  void noRanksNeedNoWorkers() {
    RankWorkers.forEachRank(
        0,
        4,
        () -> {
          throw new AssertionError("nobody asked");
        });
  }

  @Test
  void oneWorkerIsTheCallingThread() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    RankWorkers.forEachRank(RANKS, 1, () -> rank -> threads.add(Thread.currentThread()));

    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void eachThreadHasATaskOfItsOwnAndEndsBeforeTheCallDoes() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch allAreHere = new CountDownLatch(3);
    RankWorkers.forEachRank(
        3,
        3,
        () -> {
          threads.add(Thread.currentThread());
          return rank -> {
            allAreHere.countDown();
            await(allAreHere);
          };
        });

    assertThat(threads).hasSize(3).contains(Thread.currentThread());
    threads.remove(Thread.currentThread());
    assertThat(threads).allMatch(thread -> thread.isDaemon() && !thread.isAlive());
  }

  @RepeatedTest(50)
  void theFailureOfTheLowestRankIsReported() {
    assertThatThrownBy(
            () ->
                RankWorkers.forEachRank(
                    RANKS,
                    4,
                    () ->
                        rank -> {
                          if (rank % 10 == 7) {
                            throw new IllegalStateException("rank " + rank);
                          }
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rank 7");
  }

  /** Rank 0 fails only after rank 1 has failed. */
  @Test
  void aLaterFailureOfALowerRankIsReported() {
    CountDownLatch higherFails = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                RankWorkers.forEachRank(
                    2,
                    2,
                    () ->
                        rank -> {
                          if (rank == 0) {
                            await(higherFails);
                          } else {
                            higherFails.countDown();
                          }
                          throw new IllegalStateException("rank " + rank);
                        }))
        .hasMessage("rank 0");
  }

  @Test
  void anErrorOfAHelperReachesTheCaller() {
    Thread caller = Thread.currentThread();
    CountDownLatch helperIsHere = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                RankWorkers.forEachRank(
                    2,
                    2,
                    () ->
                        rank -> {
                          if (Thread.currentThread() == caller) {
                            await(helperIsHere);
                          } else {
                            helperIsHere.countDown();
                            throw new OutOfMemoryError("helper");
                          }
                        }))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("helper");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void anInterruptedCallerStopsBeforeTheNextRank(int workers) {
    Set<Integer> done = ConcurrentHashMap.newKeySet();
    Thread caller = Thread.currentThread();
    assertRefused(
        () ->
            RankWorkers.forEachRank(
                1_000_000,
                workers,
                () ->
                    rank -> {
                      done.add(rank);
                      caller.interrupt();
                    }),
        ErrorCode.INVALID_STATE,
        "the thread that recorded the plans of 1000000 ranks was interrupted; record them again if"
            + " they are still wanted");

    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    assertThat(done).hasSizeLessThan(1_000_000);
  }

  @Test
  void anInterruptWhileTheCallerWaitsReachesTheHelpers() {
    Thread caller = Thread.currentThread();
    CountDownLatch helperIsHere = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    AtomicReference<Throwable> met = new AtomicReference<>();
    TuttiException refusal =
        Refusal.refusalOf(
            () ->
                RankWorkers.forEachRank(
                    2,
                    2,
                    () ->
                        rank -> {
                          if (Thread.currentThread() == caller) {
                            // A wait that the interrupt does not end.
                            while (helperIsHere.getCount() > 0) {
                              Thread.onSpinWait();
                            }
                            return;
                          }
                          helperIsHere.countDown();
                          caller.interrupt();
                          try {
                            never.await();
                          } catch (InterruptedException e) {
                            met.set(e);
                          }
                        }));

    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_STATE);
    assertThat(met.get()).isInstanceOf(InterruptedException.class);
  }
}
