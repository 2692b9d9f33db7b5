package dev.tutti.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlCharactersTest {

  @Test
  void noCharacterBeginsAnotherLine() {
    assertThat(ControlCharacters.onOneLine("one\ntwo\rthree\tfour"))
        .isEqualTo("one\\ntwo\\rthree\tfour");
  }
}
