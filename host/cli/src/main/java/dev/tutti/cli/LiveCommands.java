package dev.tutti.cli;

import dev.tutti.cli.control.ControlHandler;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveHost;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.terminal.Terminal;
import java.io.PrintWriter;

/**
 * The command line within the host that serves.
 *
 * @param hosts gives this host, and opens no others
 * @param host runs the commands
 */
record LiveCommands(Hosts hosts, LiveHost host) implements ControlHandler {

  @Override
  public int handle(ControlRequest request, PrintWriter out, PrintWriter err) {
    Terminal terminal = new Terminal(out, err, request.hasColours(), request.showsProgress());
    Session session = new Session(host, String.join(" ", request.arguments()));
    return new Cli(terminal, hosts.within(session), request.directory())
        .run(request.arguments().toArray(String[]::new));
  }
}
