package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void numbersKeepTheirFirstDigits() {
    assertThat(Text.number(0)).isEqualTo("0");
    assertThat(Text.number(0.00007123)).isEqualTo("7.1e-05");
    assertThat(Text.number(0.0461)).isEqualTo("0.046");
    assertThat(Text.number(7.5)).isEqualTo("7.50");
    assertThat(Text.number(133.14)).isEqualTo("133.1");
    assertThat(Text.number(12432.6)).isEqualTo("12433");
    assertThat(Text.number(Double.NaN)).isEqualTo("-");
  }

  @Test
  void oneThingIsNotSeveral() {
    assertThat(Text.count(1, "rank")).isEqualTo("1 rank");
    assertThat(Text.count(0, "rank")).isEqualTo("0 ranks");
  }
}
