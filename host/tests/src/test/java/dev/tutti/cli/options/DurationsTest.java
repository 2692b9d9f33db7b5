package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

  private final Durations durations = new Durations();

  @Test
  void secondsNeedNoUnit() {
    assertThat(durations.convert("2")).isEqualTo(Duration.ofSeconds(2));
    assertThat(durations.convert("0.3s")).isEqualTo(Duration.ofMillis(300));
    assertThat(durations.convert("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(durations.convert("20us")).isEqualTo(Duration.ofNanos(20_000));
    assertThat(durations.convert("2m")).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void whatIsNoTimeIsRefused() {
    for (String text : new String[] {"", "-1s", "1h", "soon"}) {
      assertThatThrownBy(() -> durations.convert(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessage(
              "'%s' is not a time such as 500ms, 1.5s or 2m (seconds without a unit)", text);
    }
  }

  @Test
  void aTimeOfTooManyDigitsIsTooLarge() {
    for (String text : new String[] {"1234567890", "99999999999999999999s", "1234567890.5ms"}) {
      assertThatThrownBy(() -> durations.convert(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessage("'%s' is too large; the number of a time has at most nine digits", text);
    }
    assertThat(durations.convert("123456789.123456789s"))
        .isEqualTo(Duration.ofSeconds(123456789, 123456789));
  }
}
