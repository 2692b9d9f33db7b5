package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Explains the last decision about a plugin. */
@Command(
    name = "why",
    description = "Explains in one paragraph why a plugin is served, or is not.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins why dev.tutti.ring", "  tutti plugins why my-plugin-1.0.jar"})
final class PluginWhyCommand extends PluginCommand {

  @Parameters(
      paramLabel = "<plugin>",
      description = "The id of a plugin, or the name of a file in the plugins directory.")
  private String plugin = "";

  PluginWhyCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.paragraph(plugin, plugins.why(plugin));
  }
}
