package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RankBarrierTest {

  private static final long MINUTES = 10;

  private final RankBarrier barrier = new RankBarrier(2, Waiting.system());

  private static CompletableFuture<Boolean> comeOnAnotherThread(RankBarrier barrier) {
    return CompletableFuture.supplyAsync(
        () -> barrier.await(barrier.newIdler()), task -> Thread.ofPlatform().daemon().start(task));
  }

  @Test
  void oneThreadDoesNotWaitForAnybody() {
    RankBarrier alone = new RankBarrier(1, new Waiting(new ManualClock(), 1));

    assertThat(alone.await(alone.newIdler())).isTrue();
    assertThat(alone.await(alone.newIdler())).isTrue();
  }

  @Test
  void allLeaveWhenTheLastHasCome() throws Exception {
    for (int round = 0; round < 100; round++) {
      CompletableFuture<Boolean> other = comeOnAnotherThread(barrier);
      assertThat(other).isNotDone();

      assertThat(barrier.await(barrier.newIdler())).isTrue();
      assertThat(other.get(MINUTES, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void nobodyWaitsForAThreadThatHasLeft() throws Exception {
    CompletableFuture<Boolean> waiting = comeOnAnotherThread(barrier);

    barrier.leave();

    assertThat(waiting.get(MINUTES, TimeUnit.MINUTES)).isFalse();
  }

  @Test
  void aThreadThatHasParkedLeavesWithTheOthers() throws Exception {
    TickingClock clock = new TickingClock(Duration.ofMillis(1));
    RankBarrier parking = new RankBarrier(2, new Waiting(clock, 1));
    CompletableFuture<Boolean> waiting = comeOnAnotherThread(parking);
    Await.until(() -> clock.sleeps() > 0);

    assertThat(parking.await(parking.newIdler())).isTrue();
    assertThat(waiting.get(MINUTES, TimeUnit.MINUTES)).isTrue();
  }
}
