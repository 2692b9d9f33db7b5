package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes a plugin. */
@Command(
    name = "remove",
    description = "Stops serving a plugin and deletes its jars from the plugins directory.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins remove org.example.my-plugin"})
final class PluginRemoveCommand extends PluginCommand {

  @Parameters(paramLabel = "<plugin>", description = "The id of the plugin.")
  private String plugin = "";

  PluginRemoveCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.changes(plugins.remove(plugin));
  }
}
