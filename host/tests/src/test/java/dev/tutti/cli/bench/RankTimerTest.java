package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.Waiting;
import dev.tutti.cli.options.Callers;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankTimerTest {

  private static final int RANKS = 3;
  private static final int FAILING_RANK = 1;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    group.close();
    context.close();
  }

  private RankTimer timer(Callers callers, List<@Nullable Runnable> calls) {
    return new RankTimer(group, calls, callers, Waiting.system());
  }

  /** Measures everything, for as short a time as possible. */
  private static void measure(RankTimer timer) {
    timer.runOnce();
    timer.warmUp(Duration.ofNanos(1));
    timer.micros(Duration.ofNanos(1), null);
    timer.backToBackMicros(Duration.ofNanos(1));
  }

  @Test
  void allRanksMakeTheSameNumberOfCalls() {
    AtomicIntegerArray made = new AtomicIntegerArray(RANKS);
    List<@Nullable Runnable> calls = new ArrayList<>();
    for (int i = 0; i < RANKS; i++) {
      int rank = i;
      calls.add(() -> made.incrementAndGet(rank));
    }

    RankTimer timer = timer(Callers.THREADS, calls);
    timer.runOnce();
    assertThat(made).hasToString("[1, 1, 1]");
    measure(timer);

    assertThat(made.get(0)).isGreaterThan(10);
    assertThat(made.get(1)).isEqualTo(made.get(0));
    assertThat(made.get(2)).isEqualTo(made.get(0));
  }

  @Test
  void noRankIsAheadOfTheOthersByACall() {
    AtomicIntegerArray made = new AtomicIntegerArray(RANKS);
    AtomicInteger ahead = new AtomicInteger();
    List<@Nullable Runnable> calls = new ArrayList<>();
    for (int i = 0; i < RANKS; i++) {
      int rank = i;
      calls.add(
          () -> {
            int own = made.incrementAndGet(rank);
            for (int other = 0; other < RANKS; other++) {
              ahead.accumulateAndGet(Math.abs(own - made.get(other)), Math::max);
            }
          });
    }

    timer(Callers.THREADS, calls).micros(Duration.ofMillis(20), null);

    assertThat(ahead.get()).isLessThanOrEqualTo(1);
  }

  @Test
  void aRankThatTakesNoPartIsNotWaitedFor() {
    AtomicInteger made = new AtomicInteger();
    RankTimer timer =
        timer(Callers.THREADS, Arrays.asList(null, made::incrementAndGet, made::incrementAndGet));

    measure(timer);

    assertThat(made.get()).isPositive().isEven();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void eachRankHasAThreadOfTheKindThatWasAskedFor(Callers callers) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Runnable call = () -> threads.add(Thread.currentThread());

    timer(callers, Collections.nCopies(RANKS, call)).runOnce();

    assertThat(threads)
        .hasSize(RANKS)
        .allMatch(thread -> thread.isVirtual() == (callers == Callers.VIRTUAL));
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void theErrorOfARankEndsTheMeasurementWhereOthersWaitForItsCall(Callers callers) {
    IllegalStateException failure = new IllegalStateException("the third call");
    RankTimer timer = timer(callers, failingCalls(failure, true));

    assertThatThrownBy(() -> measure(timer)).isSameAs(failure);
    assertThat(group.isPoisoned()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void theErrorOfARankEndsTheMeasurementWhereOthersWaitForTheNextRound(Callers callers) {
    AssertionError failure = new AssertionError("the third call");
    RankTimer timer = timer(callers, failingCalls(failure, false));

    assertThatThrownBy(() -> measure(timer)).isSameAs(failure).hasNoSuppressedExceptions();
  }

  /** Calls of which one rank's third fails. */
  private List<@Nullable Runnable> failingCalls(Throwable failure, boolean areCollective) {
    List<@Nullable Runnable> calls = new ArrayList<>();
    for (int i = 0; i < RANKS; i++) {
      int rank = i;
      AtomicInteger made = new AtomicInteger();
      calls.add(
          () -> {
            if (rank == FAILING_RANK && made.incrementAndGet() == 3) {
              RankTimerTest.<RuntimeException>raise(failure);
            }
            if (areCollective) {
              group.rank(rank).barrier();
            }
          });
    }
    return calls;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
