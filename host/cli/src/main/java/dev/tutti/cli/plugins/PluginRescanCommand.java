package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;

/** Scans the plugins directory. */
@Command(
    name = "rescan",
    description = "Looks at the plugins directory at once, and prints what has changed.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins rescan"})
final class PluginRescanCommand extends PluginCommand {

  PluginRescanCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.changes(plugins.rescan());
  }
}
