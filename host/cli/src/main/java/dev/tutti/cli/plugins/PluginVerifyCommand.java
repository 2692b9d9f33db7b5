package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks whether a host would admit a jar. */
@Command(
    name = "verify",
    description = {
      "Checks a jar as a host does before it serves it, and changes nothing.",
      "",
      "'tutti verify' checks the algorithms of a jar more thoroughly."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins verify target/my-plugin-1.0.jar"})
final class PluginVerifyCommand extends PluginCommand {

  @Parameters(paramLabel = "<jar>", description = "The jar of a plugin.")
  private Path jar = Path.of("");

  PluginVerifyCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  /** Opens an empty host, so that the author of a jar needs no running one. */
  @Override
  PluginUse open(Hosts from) {
    return EmptyHost.open(from);
  }

  @Override
  public boolean needsState() {
    return false;
  }

  @Override
  void check() {
    requireJar(jar);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.status(plugins.verify(jar));
  }
}
