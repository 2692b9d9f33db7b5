package dev.tutti.cli.control;

import java.nio.file.Path;
import java.util.List;

/**
 * A command for a host.
 *
 * @param arguments the arguments of the command line
 * @param directory the absolute directory that relative paths among them start from
 * @param hasColours whether its results may be coloured
 * @param showsProgress whether a user watches its progress
 */
public record ControlRequest(
    List<String> arguments, Path directory, boolean hasColours, boolean showsProgress) {

  /** Takes an immutable copy. */
  public ControlRequest {
    arguments = List.copyOf(arguments);
  }
}
