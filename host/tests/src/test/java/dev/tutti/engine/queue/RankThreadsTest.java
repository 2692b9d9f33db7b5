package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import org.junit.jupiter.api.Test;

class RankThreadsTest {

  private final RankThreads threads = new RankThreads(2, Clock.system(), null);

  @Test
  void aThreadAttendsToItsRankWhileItWaitsAwake() {
    assertThat(threads.isAttended(0)).isFalse();
    threads.attend(0);
    assertThat(threads.isAttended(0)).isTrue();
    assertThat(threads.isAttended(1)).isFalse();
    threads.lieDown(0);
    assertThat(threads.isAttended(0)).isFalse();
    threads.getUp(0);
    assertThat(threads.isAttended(0)).isTrue();
    threads.turnAway(0);
    assertThat(threads.isAttended(0)).isFalse();
  }

  @Test
  void sleepersAreCounted() {
    threads.lieDown(1);
    assertThat(threads.doAnySleep()).isTrue();
    threads.getUp(1);
    assertThat(threads.doAnySleep()).isFalse();
    threads.joins(0, 1);
    assertThat(threads.doAnySleep()).isTrue();
    threads.leaves();
    assertThat(threads.doAnySleep()).isFalse();
  }
}
