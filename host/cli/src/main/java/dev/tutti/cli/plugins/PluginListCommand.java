package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;

/** Lists the plugins of a host. */
@Command(
    name = "list",
    description = "Lists every version of every plugin that the host knows, and its state.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins list", "  tutti plugins list --state my-plugins.state --json"})
final class PluginListCommand extends PluginCommand {

  PluginListCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.list(plugins);
  }
}
