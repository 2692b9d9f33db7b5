package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Rolls back to the previous version. */
@Command(
    name = "rollback",
    description =
        "Serves the previous version of a plugin again. The current one comes back only"
            + " if it is installed again.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins rollback org.example.my-plugin"})
final class PluginRollbackCommand extends PluginCommand {

  @Parameters(paramLabel = "<plugin>", description = "The id of the plugin.")
  private String plugin = "";

  PluginRollbackCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.status(plugins.rollback(plugin));
  }
}
