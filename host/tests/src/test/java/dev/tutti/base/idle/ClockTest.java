package dev.tutti.base.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class ClockTest {

  private static final long PATIENCE = 1_000;
  private static final long PAUSE = 100;

  private final TickingClock ticking = new TickingClock(Duration.ZERO);

  @Test
  void theClockOfTheMachineDoesNotSleepUntilATimeThatHasPassed() {
    Clock.system().parkUntil(this, System.nanoTime() - 1);
    Clock.system().parkUntil(this, System.nanoTime());
    Clock.system().park(this, 0);
  }

  @Test
  void theClockOfTheMachineSleepsAtMostUntilItsTime() {
    long end = Clock.system().nanoTime() + 1_000_000;
    while (Clock.system().nanoTime() - end < 0) {
      Clock.system().parkUntil(this, end);
    }
    assertThat(Clock.system().nanoTime()).isLessThanOrEqualTo(System.nanoTime());
  }

  @Test
  void aWaitEndsWhenItsConditionHolds() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(ticking.awaitUntil(() -> looks.incrementAndGet() == 4, PATIENCE, PAUSE)).isTrue();
    assertThat(ticking.sleeps()).isEqualTo(3);
    assertThat(ticking.nanoTime()).isEqualTo(3 * PAUSE);
  }

  @Test
  void aWaitLooksOnceMoreWhenItsTimeIsOver() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(ticking.awaitUntil(() -> looks.incrementAndGet() < 0, PATIENCE, PAUSE)).isFalse();
    assertThat(looks).hasValue(12);
    assertThat(ticking.nanoTime()).isEqualTo(PATIENCE + PAUSE);
  }

  @Test
  void aWaitWhoseConditionHoldsAtOnceDoesNotSleep() {
    assertThat(ticking.awaitUntil(() -> true, 0, PAUSE)).isTrue();
    assertThat(ticking.sleeps()).isZero();
  }

  @Test
  void anInterruptEndsAWaitAndIsKept() {
    Thread.currentThread().interrupt();
    boolean isSo = ticking.awaitUntil(() -> false, PATIENCE, PAUSE);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(isSo).isFalse();
    assertThat(ticking.sleeps()).isZero();
  }

  @Test
  void aClockOfATestWakesItsSleepersWhenTheirTimeHasCome() throws Exception {
    ManualClock clock = new ManualClock();
    FutureTask<Boolean> wait =
        new FutureTask<>(() -> clock.awaitUntil(() -> clock.nanoTime() == PAUSE, PATIENCE, PAUSE));
    Thread.ofPlatform().daemon().start(wait);
    clock.awaitSleepers(1);
    assertThat(wait).isNotDone();
    clock.advance(Duration.ofNanos(PAUSE));
    assertThat(wait.get()).isTrue();
  }
}
