package dev.tutti.base.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which threads spin, and which begin with yielding. */
final class WaitingTest {

  private final ManualClock clock = new ManualClock();

  private Waiting on(int processors) {
    return new Waiting(clock, processors);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, false",
    "1, 2, false",
    "2, 1, true",
    "2, 2, true",
    "2, 3, false",
    "64, 64, true",
    "64, 65, false"
  })
  void aCoreIsFreeIfAllThreadsOfAWaitCanRunAtTheSameTime(
      int processors, int threads, boolean isFree) {
    assertThat(on(processors).hasFreeCore(threads)).isEqualTo(isFree);
  }

  @Test
  void allSpinWhereACoreIsFree() {
    assertThat(on(4).helper(4, 2_000, 3)).isEqualTo(new IdleStrategy(clock, 0, 2_000, 0, 3));
    assertThat(on(4).caller(4, 3)).isEqualTo(new IdleStrategy(clock, 256, 0, 0, 3));
    assertThat(on(4).seat(4)).isEqualTo(new IdleStrategy(clock, 256, 0, 50, 0));
    assertThat(on(4).meeting(4)).isEqualTo(new IdleStrategy(clock, 200, 0, 50, 300_000, 1_000_000));
    assertThat(on(4).barrier(4)).isEqualTo(new IdleStrategy(clock, 200, 0, 0, 1_000_000));
    assertThat(on(4).listLooks()).isEqualTo(64);
  }

  @Test
  void nobodySpinsWhereNoneIsFree() {
    assertThat(on(4).helper(5, 2_000, 3)).isEqualTo(new IdleStrategy(clock, 0, 0, 0, 3));
    assertThat(on(4).caller(5, 3)).isEqualTo(new IdleStrategy(clock, 0, 0, 0, 3));
    assertThat(on(4).seat(5)).isEqualTo(new IdleStrategy(clock, 0, 0, 50, 0));
    assertThat(on(4).meeting(5)).isEqualTo(new IdleStrategy(clock, 200, 0, 50, 0, 1_000_000));
    assertThat(on(4).barrier(5)).isEqualTo(new IdleStrategy(clock, 0, 0, 0, 1_000_000));
  }

  @Test
  void aThreadLooksAtLeastOnceWhetherItsListMayGoOn() {
    assertThat(on(1).listLooks()).isEqualTo(1);
    assertThat(on(2).listLooks()).isEqualTo(64);
  }
}
