package dev.tutti.cli;

import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints the manual page of a command, or writes those of all commands. */
@Command(
    name = "man",
    description = {
      "Prints the manual page of a command, or writes the pages of all commands.",
      "",
      "'tutti man run' prints the source of a page, which 'man -l -' shows. 'man tutti-run' finds"
          + " written pages in ~/.local/share/man if ~/.local/bin is on the PATH, and those in any"
          + " other directory if MANPATH names it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti man run | man -l -",
      "  tutti man plugins install | man -l -",
      "  tutti man --output ~/.local/share/man",
      "  tutti man --output ~/my-man         # and in ~/.profile: export MANPATH=\"$HOME/my-man:\""
    })
final class ManCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      paramLabel = "<command>",
      arity = "0..*",
      description = "The command as you type it: run, or plugins install. Default: tutti itself.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--output",
      paramLabel = "<dir>",
      description =
          "Writes the pages of all commands into man1 of this directory, and creates it if it does"
              + " not exist.")
  private @Nullable Path output;

  @Spec private CommandSpec spec = CommandSpec.create();

  ManCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    if (output != null) {
      write(output, ManPage.all(spec.root().commandLine(), today).toList());
    } else {
      terminal.help().print(new ManPage(named(), today));
      terminal.help().flush();
    }
    return ExitCode.OK;
  }

  private CommandLine named() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        throw new UnmatchedArgumentException(command, List.of(word));
      }
      command = next;
    }
    return command;
  }

  private void write(Path directory, List<ManPage> pages) {
    if (!words.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--output writes the pages of all commands; leave out '%s'",
          String.join(" ", words));
    }
    Path section = directory.resolve("man1");
    OutputFile.makeDirectory("--output", section);
    pages.forEach(page -> OutputFile.requireReplaceable(file(section, page), "page"));
    for (ManPage page : pages) {
      String text = page.toString();
      OutputFile.replace("--output", file(section, page), file -> file.print(text));
    }
    terminal
        .out()
        .println(
            pages.size()
                + " pages in "
                + section
                + "; one of them: man -M "
                + directory
                + " tutti");
  }

  private static Path file(Path section, ManPage page) {
    return section.resolve(page.name() + ".1");
  }
}
