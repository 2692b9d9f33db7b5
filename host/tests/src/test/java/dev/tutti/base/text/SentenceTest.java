package dev.tutti.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.LOCALE)
class SentenceTest {

  @Test
  void numbersHaveTheSameDigitsEverywhere() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat("%d".formatted(12)).as("what it protects from").isNotEqualTo("12");
      assertThat(Sentence.of("%d of %.1f %s", 12, 3.5, "ms")).isEqualTo("12 of 3.5 ms");
    } finally {
      Locale.setDefault(before);
    }
  }
}
