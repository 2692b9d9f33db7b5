package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** An option takes the same values in every command that has it. */
class VocabularyTest {

  /** The words of an option, the number of commands that have it at least, and values. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " : ",
      value = {
        "--topology : 10 : 8 8+4 4+4|4+3 2x(4+4) found",
        "--ranks : 8 : 4",
        "--bytes : 6 : 4096 4K 4KiB 4ki 4KB 1 mb",
        "--count : 5 : 4096 4K 4KiB 1MB 1MiB",
        "--ccl-buffer : 8 : 64K 64KiB 1MB",
        "--sizes : 3 : 8,4K,1MB,1MiB",
        "-b : 8 : 8 1KB 1KiB",
        "--min : 3 : 8 1KB 1KiB",
        "--max : 3 : 8 1KB 1KiB",
        "--minbytes : 1 : 8 1KB 1KiB",
        "--type : 6 : half fp16 float bf16 double int32 uint8 f64",
        "--datatype : 1 : half fp16 float bf16 double int32 uint8 f64",
        "--op : 7 : sum add product maximum or",
        "--protocol : 6 : direct rdma",
        "--mode : 6 : graph op-base",
        "--deadline : 4 : 2 500ms 1.5s 2m",
        "--budget : 2 : 2 500ms 1.5s 2m",
        "--seconds : 1 : 2 500ms 1.5s 2m"
      })
  void anOptionTakesTheSameValuesEverywhere(String option, int fewest, String values) {
    CommandLine tutti = commandLine();
    List<String> commands = new ArrayList<>();
    tutti
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().optionsMap().containsKey(option)) {
                commands.add(name);
              }
            });

    assertThat(commands).hasSizeGreaterThanOrEqualTo(fewest);
    for (String command : commands) {
      for (String value : values.split(" (?!mb)")) {
        assertThatCode(() -> parse(tutti, command, option, value))
            .as("%s %s '%s'", command, option, value)
            .doesNotThrowAnyException();
      }
    }
  }

  private static void parse(CommandLine tutti, String command, String option, String value) {
    CommandSpec spec = tutti.getSubcommands().get(command).getCommandSpec();
    List<String> words = new ArrayList<>(List.of(command, option, value));
    if (spec.positionalParameters().stream().anyMatch(each -> each.arity().min() > 0)) {
      words.add("allreduce");
    }
    tutti.parseArgs(words.toArray(String[]::new));
  }

  private static CommandLine commandLine() {
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    Terminal terminal = new Terminal(nowhere, nowhere, false, false);
    return new Cli(terminal, new Hosts(List.of(), Context::builder))
        .commandLine(new Errors(terminal, false));
  }
}
