package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettlingTest {

  private final Settling settling = new Settling(3);

  private void add(double... times) {
    for (double time : times) {
      settling.add(time);
    }
  }

  @Test
  void timesThatFallHaveNotSettled() {
    add(100, 90, 80, 70, 60, 50);

    assertThat(settling.isSettled()).isFalse();
  }

  @Test
  void timesHaveSettledWhenEnoughInARowAreNotClearlyBelowTheBest() {
    add(100, 50, 51, 49);
    assertThat(settling.isSettled()).isFalse();

    add(60);
    assertThat(settling.isSettled()).isTrue();
  }

  @Test
  void oneMuchBetterTimeBeginsAnew() {
    add(100, 100, 100, 20, 20, 20);
    assertThat(settling.isSettled()).isFalse();

    add(20);
    assertThat(settling.isSettled()).isTrue();
  }
}
