package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.host.HostNews;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What comes from a jar does nothing to a terminal, however it is printed. */
class TerminalTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Terminal terminal(boolean isWatched) {
    return new Terminal(new PrintWriter(out), new PrintWriter(err), isWatched, isWatched);
  }

  /** Every character that does something to some terminal. */
  private static String hostile() {
    StringBuilder text = new StringBuilder("a");
    for (char c = 0; c < 0x20; c++) {
      text.append(c);
    }
    for (char c = 0x7f; c <= 0xa0; c++) {
      text.append(c);
    }
    return text.append("\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\ufdd0z")
        .toString();
  }

  @Test
  void controlCharactersAreShown() {
    Terminal terminal = terminal(true);
    terminal.out().println("\u001b[31mclean\u001b[0m\r\u009b2J\u202e!");
    terminal.err().print("\u001b]0;title\u0007");
    terminal.err().append('\u001b').append("\b").flush();

    assertThat(out.toString()).isEqualTo("\\u001b[31mclean\\u001b[0m\\u000d\\u009b2J\\u202e!\n");
    assertThat(err.toString()).isEqualTo("\\u001b]0;title\\u0007\\u001b\\u0008");
  }

  @Test
  void noneOfThemIsLeft() {
    Terminal terminal = terminal(true);
    terminal.out().print(hostile());
    terminal.out().write(hostile().toCharArray());

    assertThat(out.toString().replace("\n", "").replace("\t", ""))
        .matches("[\\x20-\\x7e\u00a0]*")
        .contains("\\ufdd0");
  }

  @Test
  void theTerminalItselfMayColour() {
    Terminal terminal = terminal(true);
    terminal.out().print(terminal.bold("a\u001b[8mb") + terminal.red("") + terminal.green("c"));
    assertThat(out.toString())
        .isEqualTo("\u001b[1ma\\u001b[8mb\u001b[0m\u001b[31m\u001b[0m\u001b[32mc\u001b[0m");
    try (ProgressLine progress = new ProgressLine(terminal, true)) {
      progress.show("at\u001b[2J");
    }
    assertThat(err.toString()).isEqualTo("\r\u001b[K\u001b[?7lat\\u001b[2J\u001b[?7h\r\r\u001b[K");
  }

  @Test
  void aMarkCannotBeGuessed() {
    String other = terminal(true).bold("x");
    Terminal terminal = terminal(true);
    terminal.out().print(other);
    assertThat(out.toString()).startsWith("\\ufdd0").doesNotContain("\u001b");
  }

  @Test
  void aHostMayColourAndNothingElse() {
    Terminal terminal = terminal(true);
    PrintWriter remote = new PrintWriter(new RemoteOutput(terminal, terminal.out()));
    remote.print("\u001b[1mb\u001b[0m\u001b[2J\u001b[8m\r\u001b[K\u001b[?7lp\u001b[?7h\r");
    remote.flush();
    assertThat(out.toString())
        .isEqualTo("\u001b[1mb\u001b[0m\\u001b[2J\\u001b[8m\r\u001b[K\u001b[?7lp\u001b[?7h\r");

    Terminal file = terminal(false);
    PrintWriter intoFile = new PrintWriter(new RemoteOutput(file, file.err()));
    intoFile.print("\u001b[1mb\u001b[0m\r\u001b[K");
    intoFile.flush();
    assertThat(err.toString()).isEqualTo("\\u001b[1mb\\u001b[0m\\u000d\\u001b[K");
  }

  @Test
  void jsonStaysWhatItWas() {
    String json = new JsonLine().put("key", hostile()).toString();
    terminal(false).out().println(json);
    assertThat(JsonMapper.shared().readTree(out.toString()))
        .isEqualTo(JsonMapper.shared().readTree(json));
  }

  @Test
  void aTextCannotForgeALine() {
    Terminal terminal = terminal(false);
    Table table = new Table("plugin", "reason");
    table.row("a", "bad\n13:01:20  b serves");
    table.print(terminal);
    assertThat(out.toString()).hasLineCount(2).contains("bad\\n13:01:20");
    assertThat(new HostNews.Item(Instant.EPOCH, "x\ny").toString()).endsWith("x\\ny");
  }
}
