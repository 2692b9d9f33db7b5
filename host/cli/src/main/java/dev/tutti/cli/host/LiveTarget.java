package dev.tutti.cli.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says whether a command is for the host that serves, another process, and which one that is. */
public interface LiveTarget {

  /** Runs a command. */
  enum Where {
    /** This process. */
    HERE,
    /** The host that serves, or this process if none does. */
    SERVED_OR_HERE,
    /** The host that serves. */
    SERVED
  }

  /** Chooses what runs this command, by its options. */
  Where where();

  /** The state directory of the host; null if none is known. */
  @Nullable Path state(Hosts hosts);

  /** Whether the command can only be carried out by who has the state directory. */
  default boolean needsState() {
    return true;
  }

  /**
   * The remaining work here once the host has run the command.
   *
   * @param pid the process of the host
   */
  default void afterwards(long pid) {}
}
