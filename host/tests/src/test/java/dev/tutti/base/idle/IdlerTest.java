package dev.tutti.base.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tutti.sdk.TuttiException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdlerTest {

  private static final Clock UNUSED =
      new Clock() {
        @Override
        public long nanoTime() {
          throw new AssertionError("nobody may look at the clock");
        }

        @Override
        public void parkUntil(Object blocker, long untilNanos) {
          throw new AssertionError("the waiter parks by itself");
        }
      };

  private static final Duration SLOW = Duration.ofMillis(1);

  private static List<IdlePhase> phases(Idler idler, int count) {
    return Stream.generate(idler::idle).limit(count).toList();
  }

  @Test
  void spinsThenYieldsThenParks() {
    Idler idler = new IdleStrategy(UNUSED, 3, 0, 2, 0).newIdler();
    assertThat(phases(idler, 7))
        .containsExactly(
            IdlePhase.SPIN,
            IdlePhase.SPIN,
            IdlePhase.SPIN,
            IdlePhase.YIELD,
            IdlePhase.YIELD,
            IdlePhase.PARK,
            IdlePhase.PARK);
  }

  @Test
  void yieldsAtOnceWhileNoSpinCanHelp() {
    Idler idler = new IdleStrategy(UNUSED, 2, 0, 2, 0).newIdler();
    assertThat(idler.idle(false)).isEqualTo(IdlePhase.YIELD);
    assertThat(idler.idle(true)).isEqualTo(IdlePhase.SPIN);
    assertThat(idler.idle(false)).isEqualTo(IdlePhase.YIELD);
    assertThat(idler.idle(true)).isEqualTo(IdlePhase.SPIN);
    assertThat(idler.idle(true)).as("both spins are used up").isEqualTo(IdlePhase.PARK);
  }

  @Test
  void beginsWithSpinningAgainWhenItIsReset() {
    Idler idler = new IdleStrategy(UNUSED, 1, 0, 1, 0).newIdler();
    for (int wait = 0; wait < 3; wait++) {
      idler.reset();
      assertThat(phases(idler, 3)).containsExactly(IdlePhase.SPIN, IdlePhase.YIELD, IdlePhase.PARK);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 1_000})
  void goesByTimeFromItsFirstLookAtTheClock(long start) {
    ManualClock clock = new ManualClock(start);
    Idler idler = new IdleStrategy(clock, 0, 2_000, 0, 100_000).newIdler();
    for (int wait = 0; wait < 2; wait++) {
      idler.reset();
      assertThat(phases(idler, 1_000)).containsOnly(IdlePhase.SPIN);
      clock.advance(Duration.ofNanos(1_999));
      assertThat(idler.idle()).isEqualTo(IdlePhase.SPIN);
      clock.advance(Duration.ofNanos(1));
      assertThat(phases(idler, 1_000)).containsOnly(IdlePhase.YIELD);
      clock.advance(Duration.ofNanos(99_999));
      assertThat(idler.idle()).isEqualTo(IdlePhase.YIELD);
      clock.advance(Duration.ofNanos(1));
      assertThat(phases(idler, 10)).containsOnly(IdlePhase.PARK);
    }
  }

  @Test
  void beginsToMeasureTimeWhenItHasSpunAsOftenAsItShould() {
    ManualClock clock = new ManualClock();
    Idler idler = new IdleStrategy(clock, 2, 0, 0, 100).newIdler();
    assertThat(phases(idler, 2)).containsOnly(IdlePhase.SPIN);
    clock.advance(Duration.ofSeconds(1));
    assertThat(idler.idle()).isEqualTo(IdlePhase.YIELD);
    clock.advance(Duration.ofNanos(100));
    assertThat(idler.idle()).isEqualTo(IdlePhase.PARK);
  }

  @Test
  void yieldsUntilBothLimitsAreReached() {
    ManualClock clock = new ManualClock();
    Idler idler = new IdleStrategy(clock, 0, 0, 3, 100).newIdler();
    assertThat(idler.idle()).isEqualTo(IdlePhase.YIELD);
    clock.advance(Duration.ofNanos(100));
    assertThat(phases(idler, 3)).containsExactly(IdlePhase.YIELD, IdlePhase.YIELD, IdlePhase.PARK);
    idler.reset();
    assertThat(phases(idler, 50)).containsOnly(IdlePhase.YIELD);
  }

  /** On a machine with busy processors, a yield takes a time slice of another thread. */
  @Test
  void parksAtOnceForAWhileAfterASlowYield() {
    Idler idler =
        new IdleStrategy(new TickingClock(SLOW), 16, 0, 2, 0, SLOW.toNanos() - 1).newIdler();
    idler.reset();
    assertThat(idle(idler)).isEqualTo(List.of(16, 1));
    for (int wait = 0; wait < 63; wait++) {
      idler.reset();
      assertThat(idle(idler)).isEqualTo(List.of(16 >> Math.min(wait + 1, 4), 0));
    }
    idler.reset();
    assertThat(idle(idler)).isEqualTo(List.of(16, 1));
  }

  /** Each slow yield costs a time slice, so they become rare; fast ones bring them back. */
  @Test
  void yieldsLessAndLessOftenAsLongAsYieldsAreSlow() {
    long[] step = {SLOW.toNanos()};
    Clock clock =
        new Clock() {
          private long now;

          @Override
          public long nanoTime() {
            return now += step[0];
          }

          @Override
          public void parkUntil(Object blocker, long untilNanos) {
            throw new AssertionError("the waiter parks by itself");
          }
        };
    Idler idler = new IdleStrategy(clock, 0, 0, 1, 0, SLOW.toNanos() - 1).newIdler();
    assertThat(waitsUntilItYieldsAgain(idler)).isEqualTo(1);
    for (int pause : new int[] {64, 128, 256, 512, 1024, 2048, 4096, 8192, 8192}) {
      assertThat(waitsUntilItYieldsAgain(idler)).isEqualTo(pause);
    }
    step[0] = 1;
    assertThat(waitsUntilItYieldsAgain(idler)).as("after the last slow one").isEqualTo(8192);
    assertThat(waitsUntilItYieldsAgain(idler)).isEqualTo(1);
    step[0] = SLOW.toNanos();
    assertThat(waitsUntilItYieldsAgain(idler)).isEqualTo(1);
    assertThat(waitsUntilItYieldsAgain(idler)).as("after two fast ones").isEqualTo(2048);
  }

  /** The number of waits until one yields. */
  private static int waitsUntilItYieldsAgain(Idler idler) {
    int waits = 0;
    IdlePhase phase;
    do {
      idler.reset();
      waits++;
      phase = idler.idle();
    } while (phase == IdlePhase.PARK);
    return waits;
  }

  @Test
  void yieldsAsOftenAsItShouldWhereYieldsAreFast() {
    Idler idler = new IdleStrategy(new TickingClock(SLOW), 16, 0, 2, 0, SLOW.toNanos()).newIdler();
    for (int wait = 0; wait < 70; wait++) {
      idler.reset();
      assertThat(idle(idler)).isEqualTo(List.of(16, 2));
    }
  }

  @Test
  void spinsInFullAgainOnceThatHelps() {
    Idler idler =
        new IdleStrategy(new TickingClock(SLOW), 16, 0, 2, 0, SLOW.toNanos() - 1).newIdler();
    for (int wait = 0; wait < 5; wait++) {
      idler.reset();
      idle(idler);
    }
    idler.reset();
    assertThat(idler.idle()).isEqualTo(IdlePhase.SPIN);
    idler.reset();
    assertThat(idle(idler)).isEqualTo(List.of(16, 0));
  }

  /** Idles until it is time to park; how often it spun, and how often it yielded. */
  private static List<Integer> idle(Idler idler) {
    int spins = 0;
    int yields = 0;
    for (IdlePhase phase = idler.idle(); phase != IdlePhase.PARK; phase = idler.idle()) {
      spins += phase == IdlePhase.SPIN ? 1 : 0;
      yields += phase == IdlePhase.YIELD ? 1 : 0;
    }
    return List.of(spins, yields);
  }

  @Test
  void parksAtOnceWithoutLimits() {
    assertThat(new IdleStrategy(UNUSED, 0, 0, 0, 0).newIdler().idle()).isEqualTo(IdlePhase.PARK);
  }

  @Test
  void allocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    Idler counted = new IdleStrategy(UNUSED, 3, 0, 2, 0).newIdler();
    Idler timed = new IdleStrategy(Clock.system(), 0, 20, 0, 20).newIdler();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 10 && least > 0; attempt++) {
      long before = threads.getThreadAllocatedBytes(self);
      for (int wait = 0; wait < 1_000; wait++) {
        idleThrough(counted);
        idleThrough(timed);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
    }
    assertThat(least).isZero();
  }

  private static void idleThrough(Idler idler) {
    idler.reset();
    for (int i = 0; i < 8; i++) {
      idler.idle();
    }
  }

  @Test
  void refusesNegativeLimits() {
    assertThatThrownBy(() -> new IdleStrategy(UNUSED, 1, 2, -3, 4))
        .isInstanceOf(TuttiException.class)
        .hasMessage(
            "spins, spinNanos, yields, yieldNanos and slowYieldNanos must be 0 or more. Actual: 1,"
                + " 2, -3, 4, 0");
  }
}
