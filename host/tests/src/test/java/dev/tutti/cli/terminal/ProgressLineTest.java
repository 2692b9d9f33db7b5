package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.plan.work.Work;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ManualClock clock = new ManualClock();

  private Terminal terminal(boolean isWatched) {
    return new Terminal(new PrintWriter(out), new PrintWriter(err), isWatched, isWatched);
  }

  private ProgressLine line(boolean isWatched) {
    return new ProgressLine(terminal(isWatched), true, clock);
  }

  private String shown() {
    String all = err.toString().replace("\u001b[?7l", "").replace("\u001b[?7h\r", "");
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
  void aLineThatIsTooLongIsCutSoThatItCanBeErased() {
    try (ProgressLine line = line(true)) {
      line.show("planning");
    }
    assertThat(err.toString()).contains("\u001b[?7lplanning\u001b[?7h\r");
  }

  @Test
  void otherTextReplacesTheLine() {
    Terminal terminal = terminal(true);
    try (ProgressLine line = new ProgressLine(terminal, true, clock)) {
      line.show(1, 4, "ring");
      terminal.out().println("{\"algorithm\":\"ring\"}");
      assertThat(shown()).isEmpty();
      line.show(2, 4, "tree");
      terminal.err().println("tutti: a note");
      assertThat(shown()).isEqualTo("tutti: a note\n");
    }
    assertThat(out).hasToString("{\"algorithm\":\"ring\"}\n");
    assertThat(shown()).isEqualTo("tutti: a note\n");
  }

  @Test
  void longWorkOfTheThreadIsShown() {
    try (ProgressLine _ = line(true)) {
      try (Work work = Work.begin("planning ring", 4)) {
        work.step();
        assertThat(err.toString()).as("a moment is not long").isEmpty();
        clock.advance(Duration.ofSeconds(1));
        work.step();
        assertThat(shown()).isEqualTo("[############............] 50%: planning ring");
        try (Work part = Work.begin("recording", 10)) {
          clock.advance(Duration.ofSeconds(3));
          part.reach(5);
          assertThat(shown())
              .isEqualTo("[###############.........] 62% (2 s left): planning ring: recording");
        }
      }
      assertThat(shown()).isEmpty();
    }
  }

  @Test
  void longWorkRefinesTheShareOfTheCurrentPart() {
    try (ProgressLine line = line(true)) {
      line.show(1, 4, "cases");
      try (Work work = Work.begin("checking", 2)) {
        clock.advance(Duration.ofSeconds(10));
        work.step();
        assertThat(shown())
            .isEqualTo("[#########...............] 1 of 4 (17 s left): cases, checking");
      }
      assertThat(shown()).as("the case ends next").contains("1 of 4");
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void workThatIsDoneAgainDoesNotGoBack() {
    try (ProgressLine _ = line(true);
        Work work = Work.begin("planning", 4)) {
      clock.advance(Duration.ofSeconds(1));
      work.reach(3);
      clock.advance(Duration.ofSeconds(3));
      work.reach(1);
      assertThat(shown()).isEqualTo("[##################......] 75% (1 s left): planning");
    }
  }

  @Test
  void aLineOfACommandHidesTheOneOfAllCommands() {
    Terminal terminal = terminal(true);
    try (ProgressLine _ = new ProgressLine(terminal, true, clock)) {
      try (ProgressLine line = new ProgressLine(terminal, true, clock);
          Work work = Work.begin("checking", 2)) {
        line.show(0, 2, "cases");
        clock.advance(Duration.ofSeconds(1));
        work.step();
        assertThat(shown()).endsWith("0 of 2: cases, checking");
      }
      try (Work work = Work.begin("writing", 2)) {
        work.step();
        assertThat(shown()).as("shown only after a moment").isEmpty();
        clock.advance(Duration.ofSeconds(1));
        work.step();
        assertThat(shown()).endsWith("100%: writing");
      }
    }
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
