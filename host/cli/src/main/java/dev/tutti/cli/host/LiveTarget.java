package dev.tutti.cli.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Decides whether a command is for the host that serves, and for which one. */
public interface LiveTarget {

  /** The place where a command runs. */
  enum Where {
    /** This process. */
    HERE,
    /** The host that serves, or this process if none does. */
    SERVED_OR_HERE,
    /** The host that serves. */
    SERVED
  }

  /** The place where this command runs, by its options. */
  Where where();

  /** The state directory of the host; null if none is known. */
  @Nullable Path state(Hosts hosts);

  /** Whether only the process that holds the state directory can run the command. */
  default boolean needsState() {
    return true;
  }

  /**
   * Does the remaining work in this process after the host has run the command successfully.
   *
   * @param pid the process of the host
   */
  default void afterwards(long pid) {}
}
