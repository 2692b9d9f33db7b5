package dev.tutti.cli;

import dev.tutti.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that contains all others. */
@Command(
    name = "tutti",
    description =
        "Runs, measures, verifies, simulates and shows collective-communication"
            + " algorithms from plugins.",
    synopsisSubcommandLabel = "<command>",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti run allreduce              runs, verifies and times an all-reduce of 4 ranks",
      "  tutti bench                      measures it from 8 B to 64 MiB",
      "  tutti perf all_reduce -g 4       measures with the options and the table of nccl-tests",
      "  tutti tune                       measures all algorithms, to choose the fastest",
      "  tutti tune --model               measures the costs of the machine, for the same purpose",
      "  tutti algorithms                 lists the algorithms of the plugins",
      "  tutti plan allreduce --ranks 3   shows what every rank does",
      "  tutti verify ring                proves an algorithm right, or shows what is wrong",
      "  tutti simulate ring --ranks 64   predicts how long it takes on a network",
      "  tutti serve                      runs a host that keeps working while its plugins change",
      "  tutti plugins list               lists its plugins, and the state of each version",
      "  tutti new allreduce my-ring      creates the project of a plugin",
      "  tutti dev my-ring                builds and verifies it each time you save",
      "  tutti help run                   explains a command"
    })
final class TuttiCommand implements Runnable {

  private final Terminal terminal;

  @Spec private CommandSpec spec = CommandSpec.create();

  TuttiCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs if no command is given. */
  @Override
  public void run() {
    spec.commandLine().usage(terminal.out());
  }
}
