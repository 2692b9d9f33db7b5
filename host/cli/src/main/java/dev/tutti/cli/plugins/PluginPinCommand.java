package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Pins a plugin to a version. */
@Command(
    name = "pin",
    description = "Serves one version of a plugin, even if newer ones arrive.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins pin org.example.my-plugin 1.0"})
final class PluginPinCommand extends PluginCommand {

  @Parameters(paramLabel = "<plugin>", description = "The id of the plugin.")
  private String plugin = "";

  @Parameters(paramLabel = "<version>", description = "The version to serve.")
  private String version = "";

  PluginPinCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.status(plugins.pin(plugin, version));
  }
}
