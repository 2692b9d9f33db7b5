package dev.tutti.cli.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says whether a command is for the host that serves, another process, and which one that is. */
public interface LiveTarget {

  /** Who carries a command out. */
  enum Where {
    /** This process. */
    HERE,
    /** The host that serves, or this process if none does. */
    SERVED_OR_HERE,
    /** The host that serves. */
    SERVED
  }

  /** Who carries this one out, by its options. */
  Where where();

  /** The state directory of the host; null if none is known. */
  @Nullable Path state(Hosts hosts);

  /** Whether the command can only be carried out by who has the state directory. */
  default boolean needsState() {
    return true;
  }

  /**
   * What is left to do here once the host has carried the command out.
   *
   * @param pid the process of the host
   */
  default void afterwards(long pid) {}
}
