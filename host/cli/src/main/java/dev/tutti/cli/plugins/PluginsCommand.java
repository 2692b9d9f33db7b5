package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that contains the commands about plugins. */
@Command(
    name = "plugins",
    description = {
      "Shows and changes the plugins of a host.",
      "",
      "A host that 'tutti serve' has started makes the change at once. If no host runs,"
          + " the change is made in its directories, and the next host starts with it."
    },
    synopsisSubcommandLabel = "<command>",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti plugins list",
      "  tutti plugins install target/my-plugin-1.1.jar",
      "  tutti plugins rollback org.example.my-plugin",
      "  tutti plugins why org.example.my-plugin"
    })
public final class PluginsCommand implements Runnable {

  private final Terminal terminal;

  @Spec private CommandSpec spec = CommandSpec.create();

  public PluginsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The commands below it. */
  public static List<Object> commands(Terminal terminal, Hosts hosts) {
    return List.of(
        new PluginListCommand(terminal, hosts),
        new PluginWhyCommand(terminal, hosts),
        new PluginVerifyCommand(terminal, hosts),
        new PluginInstallCommand(terminal, hosts),
        new PluginRemoveCommand(terminal, hosts),
        new PluginRollbackCommand(terminal, hosts),
        new PluginPinCommand(terminal, hosts),
        new PluginUnpinCommand(terminal, hosts),
        new PluginRescanCommand(terminal, hosts));
  }

  /** Runs if no command is given. */
  @Override
  public void run() {
    spec.commandLine().usage(terminal.out());
  }
}
