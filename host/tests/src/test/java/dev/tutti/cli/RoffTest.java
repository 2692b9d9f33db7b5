package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoffTest {

  private final Roff page = new Roff("a-page", LocalDate.of(2026, 2, 1), "Tutti 1.0-x");

  private String body() {
    String all = page.toString();
    String title = ".TH \"A\\-PAGE\" 1 2026-02-01 \"Tutti 1.0\\-x\" \"Tutti\"\n.nh\n.ad l\n";
    assertThat(all).startsWith(title);
    return all.substring(title.length());
  }

  @Test
  void textBecomesNoRequest() {
    page.text(".state and 'quoted' words");
    page.text("'tutti' C:\\new \"x\" `y` ~/z ^ 1…2 🎵");
    page.example(List.of(".so /etc/passwd", "'br"));

    assertThat(body())
        .isEqualTo(
            """
            \\&.state and \\(aqquoted\\(aq words
            \\(aqtutti\\(aq C:\\enew \\(dqx\\(dq \\(gay\\(ga \\(ti/z \\(ha 1\\[u2026]2 \\[u1F3B5]
            .RS 4
            .EX
            \\&.so /etc/passwd
            \\(aqbr
            .EE
            .RE
            """);
  }

  @Test
  void linesAreBrokenBetweenWordsAndNoneBeginsWithADot() {
    page.text("x".repeat(75) + " .gitignore");
    page.example(List.of("y".repeat(70) + " --long-option .z"));

    assertThat(body())
        .isEqualTo(
            "x".repeat(75)
                + "\n\\&.gitignore\n.RS 4\n.EX\n"
                + "y".repeat(70)
                + " \\\n\\-\\-long\\-option .z\n.EE\n.RE\n");
  }

  @Test
  void optionsAreBoldAndPlaceholdersItalic() {
    page.item("-n, --ranks=<n>[,<n>...]", "As all-reduce; see --[no-]verify and (-h).");

    assertThat(body())
        .isEqualTo(
            """
            .TP
            \\fB\\-n\\fR, \\fB\\-\\-ranks\\fR=\\fI<n>\\fR[,\\fI<n>\\fR...]
            As all\\-reduce; see \\fB\\-\\-[no\\-]verify\\fR and (\\fB\\-h\\fR).
            """);
  }

  @Test
  void helpTextsLoseTheirMarkup() {
    assertThat(
            HelpTexts.paragraphs("@|bold Runs|@ 5 %% of it. More,%nof it.", "", " And @|red x|@"))
        .containsExactly("Runs 5 % of it. More, of it.", "And x");
    assertThat(HelpTexts.firstSentence("@|bold Runs|@ it. More.")).isEqualTo("Runs it.");
  }
}
