package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Commands that the documentation shows are understood, and their options are explained. */
class CommandDocsTest {

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @ParameterizedTest
  @ValueSource(strings = {"verify", "simulate", "operating"})
  void everyCommandOfThePageIsUnderstood(String command) throws IOException {
    List<String> lines =
        page(command)
            .lines()
            .map(line -> line.startsWith("$ ") ? line.substring(2) : line)
            .filter(line -> line.startsWith("tutti "))
            .toList();

    assertThat(lines).hasSizeGreaterThan(5);
    for (String line : lines) {
      assertThatCode(() -> commandLine().parseArgs(words(line)))
          .as(line)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "simulate"})
  void everyOptionIsOnThePage(String command) throws IOException {
    String page = page(command);

    assertThat(commandLine().getSubcommands().get(command).getCommandSpec().options())
        .extracting(OptionSpec::longestName)
        .filteredOn(name -> !List.of("--help", "--stacktrace").contains(name))
        .hasSizeGreaterThan(5)
        .allSatisfy(name -> assertThat(page).contains(name));
  }

  @Test
  void theConceptsFitOnOneScreen() throws IOException {
    String page = page("concepts");

    assertThat(Pattern.compile("(?U)\\S*\\w\\S*").matcher(page).results().count())
        .isBetween(300L, 410L);
    assertThat(page.split("!\\[", -1)).as("one picture").hasSize(2);
  }

  private static String page(String command) throws IOException {
    return Files.readString(Path.of("..", "..", "docs", command + ".md"));
  }

  private static CommandLine commandLine() {
    Terminal terminal =
        new Terminal(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false);
    Cli cli = new Cli(terminal, new Hosts(List.of(), Context::builder));
    return cli.commandLine(new Errors(terminal, false));
  }

  /** The words of a line as a shell splits them, without the program and the comment. */
  static String[] words(String line) {
    int comment = line.indexOf(" #");
    Matcher matcher = WORD.matcher(comment < 0 ? line : line.substring(0, comment));
    List<String> words = new ArrayList<>();
    while (matcher.find()) {
      words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    words.removeFirst();
    return words.toArray(String[]::new);
  }
}
