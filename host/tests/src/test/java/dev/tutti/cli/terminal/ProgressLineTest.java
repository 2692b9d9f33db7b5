package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final StringWriter err = new StringWriter();
  private final ManualClock clock = new ManualClock();

  private ProgressLine line(boolean isWatched) {
    Terminal terminal =
        new Terminal(
            new PrintWriter(new StringWriter()), new PrintWriter(err), isWatched, isWatched);
    return new ProgressLine(terminal, true, clock);
  }

  private String shown() {
    String all = err.toString();
    return all.substring(all.lastIndexOf("\u001b[K") + 3);
  }

  @Test
  void theBarTellsTheShareAndLaterTheRateAndTheRest() {
    ProgressLine line = line(true);

    line.show(0, 40, "ring");
    assertThat(shown()).isEqualTo("[........................] 0 of 40: ring");
    clock.advance(Duration.ofSeconds(1));
    line.show(10, 40, "ring");
    assertThat(shown()).isEqualTo("[######..................] 10 of 40: ring");
    clock.advance(Duration.ofSeconds(4));
    line.show(20, 40, "tree");
    assertThat(shown())
        .isEqualTo("[############............] 20 of 40 (4.00 a second, 5 s left): tree");
    clock.advance(Duration.ofSeconds(70));
    line.show(25, 40, "tree");
    assertThat(shown()).endsWith("25 of 40 (45 s left): tree");
  }

  @Test
  void otherWorkHasAnEstimateOfItsOwn() {
    ProgressLine line = line(true);
    line.show(0, 4, "ring");
    clock.advance(Duration.ofMinutes(10));
    line.show(3, 4, "ring");
    assertThat(shown()).endsWith("3 of 4 (3 min 20 s left): ring");

    line.show(0, 4, "tree");
    clock.advance(Duration.ofSeconds(4));
    line.show(1, 4, "tree");
    assertThat(shown()).endsWith("1 of 4 (12 s left): tree");
    line.show(2, 8, "bruck");
    assertThat(shown()).endsWith("2 of 8: bruck");
  }

  @Test
  void aLineStaysUntilItCanBeRead() {
    ProgressLine line = line(true);

    assertThat(line.isDue()).isTrue();
    line.show(1, 9, "runs");
    assertThat(line.isDue()).isFalse();
    clock.advance(Duration.ofMillis(100));
    assertThat(line.isDue()).isTrue();
  }

  @Test
  void nothingIsShownIfNobodyWatches() {
    try (ProgressLine line = line(false)) {
      clock.advance(Duration.ofSeconds(1));
      assertThat(line.isDue()).isFalse();
      line.show(1, 9, "runs");
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aClosedLineStaysEmpty() {
    ProgressLine line = line(true);
    line.show(1, 4, "ring");
    line.close();
    line.show(2, 4, "ring");

    assertThat(shown()).isEmpty();
  }
}
