package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTasksTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void allPiecesAreAddedUp(int threads) {
    assertThat(ParallelTasks.sum(100, threads, piece -> piece)).isEqualTo(4950);
    assertThat(ParallelTasks.sum(0, threads, piece -> piece)).isZero();
  }

  @Test
  void theFirstPieceThatFailsIsToldWhicheverFailsEarliest() {
    CountDownLatch hasLaterFailed = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                ParallelTasks.sum(
                    10,
                    2,
                    piece -> {
                      if (piece == 0) {
                        Await.latch(hasLaterFailed);
                        throw new IllegalArgumentException("0");
                      }
                      hasLaterFailed.countDown();
                      throw new IllegalArgumentException("later");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0");
  }
}
