package dev.tutti.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerWriterTest {

  private final List<String> pieces = new ArrayList<>();

  @Test
  void everyLineIsAPiece() {
    PrintWriter writer = new PrintWriter(new AnswerWriter(pieces::add), true);

    writer.println("one");
    writer.print("two");
    writer.println();
    writer.print("three");

    assertThat(pieces).containsExactly("one\n", "two\n");
    writer.close();
    assertThat(pieces).containsExactly("one\n", "two\n", "three");
  }

  @Test
  void aCharacterOfTwoHalvesIsNotTornApart() {
    AnswerWriter writer = new AnswerWriter(pieces::add);
    String text = "x".repeat(8191) + "🎼" + "y".repeat(8190) + "🎼";

    writer.write(text.toCharArray(), 0, text.length());
    writer.close();

    assertThat(String.join("", pieces)).isEqualTo(text);
    assertThat(pieces)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            piece -> {
              assertThat(Character.isLowSurrogate(piece.charAt(0))).isFalse();
              assertThat(Character.isHighSurrogate(piece.charAt(piece.length() - 1))).isFalse();
            });
  }
}
