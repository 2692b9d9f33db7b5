package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a pin. */
@Command(
    name = "unpin",
    description = "Lets the newest version of a plugin serve again.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins unpin org.example.my-plugin"})
final class PluginUnpinCommand extends PluginCommand {

  @Parameters(paramLabel = "<plugin>", description = "The id of the plugin.")
  private String plugin = "";

  PluginUnpinCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.status(plugins.unpin(plugin));
  }
}
