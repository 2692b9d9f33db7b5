package dev.tutti.cli;

import dev.tutti.cli.catalogue.AlgorithmCatalogue;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that lets a shell complete commands, options and their values. */
@Command(
    name = "completion",
    description = {
      "Prints a script that lets a shell complete commands, options and values.",
      "",
      "The script contains the names of the algorithms in the plugins directory. Print it again"
          + " after you have added some."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti completion bash > ~/.local/share/bash-completion/completions/tutti",
      "  tutti completion zsh > ~/.tutti.zsh           # and in ~/.zshrc: source ~/.tutti.zsh",
      "  tutti completion fish > ~/.config/fish/completions/tutti.fish"
    })
final class CompletionCommand implements Callable<Integer> {

  /** The shells that have completion. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    static Shell of(String text) {
      for (Shell shell : values()) {
        if (shell.label().equalsIgnoreCase(text)) {
          return shell;
        }
      }
      throw Names.unknown("shell", text, values(), Shell::label);
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
      return label();
    }
  }

  private static final Duration PLANNING_LIMIT = Duration.ofSeconds(10);

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(paramLabel = "<shell>", description = "bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    new CompletionValues(algorithms(), root).addTo(root);
    String script =
        switch (shell) {
          // The bash script also works in zsh: it makes zsh behave like bash while zsh reads it.
          case BASH, ZSH -> AutoComplete.bash(root.getCommandName(), root);
          case FISH -> FishCompletion.of(root);
        };
    terminal.help().print(script);
    terminal.help().flush();
    return ExitCode.OK;
  }

  private List<String> algorithms() {
    try (AlgorithmCatalogue catalogue =
        AlgorithmCatalogue.ofHost(hosts, List.of(), PLANNING_LIMIT)) {
      return catalogue.algorithms().stream().map(Algorithm::name).distinct().sorted().toList();
    } catch (TuttiException e) {
      terminal.err().println("tutti: the script has no names of algorithms: " + e.getMessage());
      return List.of();
    }
  }
}
