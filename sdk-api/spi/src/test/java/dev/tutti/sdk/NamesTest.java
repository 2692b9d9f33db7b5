package dev.tutti.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {

  @Test
  void whatIsRepeatedIsCutAndCounted() {
    assertThat(Names.shown("a".repeat(80))).isEqualTo("a".repeat(80));
    assertThat(Names.shown("a".repeat(70_000))).isEqualTo("a".repeat(80) + "… (70000 characters)");
    assertThat(Names.shown("a".repeat(79) + "\ud83d\ude00" + "b"))
        .isEqualTo("a".repeat(79) + "… (82 characters)");
  }

  @Test
  void aNameThatIsBegunIsSuggested() {
    List<String> known = List.of("run", "benchmark", "bench", "verify");

    assertThat(Names.unknown("command", "ben", known))
        .hasMessageContaining("did you mean 'bench'?");
    assertThat(Names.unknown("command", "rnu", known)).hasMessageContaining("did you mean 'run'?");
    assertThat(Names.unknown("command", "be", known).getMessage()).doesNotContain("did you mean");
  }

  @Test
  void anUnknownNameAndTheKnownOnesAreCut() {
    assertThat(Names.unknown("thing", "x".repeat(1 << 20), List.of("a", "b")))
        .hasMessage("unknown thing '" + "x".repeat(80) + "… (1048576 characters)' (known: a, b)");
    assertThat(Names.unknown("thing", "x", Collections.nCopies(5000, "name")).getMessage())
        .hasSizeLessThan(1000)
        .endsWith("… (5000 names))");
  }

  @Test
  void everyMessageCutsWhatItQuotesAndWhatIsEndless() {
    String text = "y".repeat(1 << 20);
    assertThat(new TuttiException(ErrorCode.INVALID_ARGUMENT, "%d is not '%s' of %s", 3, text, "a"))
        .hasMessage("3 is not '" + "y".repeat(256) + "… (1048576 characters)' of a");
    assertThat(new TuttiException(ErrorCode.INVALID_ARGUMENT, "%s", List.of(text)).getMessage())
        .hasSizeLessThan(1 << 15)
        .endsWith("… (1048578 characters)");
  }
}
