package dev.tutti.cli.control;

import java.io.PrintWriter;

/** Runs commands, several at once. */
@FunctionalInterface
public interface ControlHandler {

  /**
   * Runs one command on the calling thread, which serves no other command. Its output is sent at
   * once. Printing throws as soon as the client is gone, which ends the command.
   *
   * @return the exit code of the command
   */
  int handle(ControlRequest request, PrintWriter out, PrintWriter err);
}
