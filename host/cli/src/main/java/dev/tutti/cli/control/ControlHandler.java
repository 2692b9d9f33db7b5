package dev.tutti.cli.control;

import java.io.PrintWriter;

/** Carries commands out, several at once. */
@FunctionalInterface
public interface ControlHandler {

  /**
   * Carries out one command on the calling thread, which it has for itself. What it prints is sent
   * at once; printing throws as soon as the client is gone, so that the command ends.
   *
   * @return the exit code of the command
   */
  int handle(ControlRequest request, PrintWriter out, PrintWriter err);
}
