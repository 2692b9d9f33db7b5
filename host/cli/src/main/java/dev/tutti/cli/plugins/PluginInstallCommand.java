package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Installs a plugin. */
@Command(
    name = "install",
    description = "Checks a jar, copies it into the plugins directory, and serves it.",
    footerHeading = "%nExamples:%n",
    footer = {"  tutti plugins install target/my-plugin-1.0.jar"})
final class PluginInstallCommand extends PluginCommand {

  @Parameters(paramLabel = "<jar>", description = "The jar of a plugin.")
  private Path jar = Path.of("");

  PluginInstallCommand(Terminal terminal, Hosts hosts) {
    super(terminal, hosts);
  }

  @Override
  void check() {
    requireJar(jar);
  }

  @Override
  void run(PluginManager plugins, PluginPrinter printer) {
    printer.status(plugins.install(jar));
  }
}
