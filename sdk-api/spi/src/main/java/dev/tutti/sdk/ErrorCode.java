package dev.tutti.sdk;

/**
 * The stable codes of all errors. The {@link #id()} and the meaning of a code never change. The set
 * is open: later versions may add codes.
 */
public enum ErrorCode {
  /** An argument is out of its range or contradicts another one. */
  INVALID_ARGUMENT("TUTTI-101"),
  /** A name is not known; the message suggests the nearest one. */
  UNKNOWN_NAME("TUTTI-102"),
  /** A reduction does not support the data type. */
  UNSUPPORTED_TYPE("TUTTI-103"),
  /** A rank or a number of ranks is out of range. */
  INVALID_RANK("TUTTI-104"),
  /** A count is negative, or its size in bytes does not fit in 63 bits. */
  INVALID_COUNT("TUTTI-105"),
  /** A buffer is smaller than the operation needs, read-only where it is written, or misaligned. */
  BUFFER_TOO_SMALL("TUTTI-106"),
  /** Two buffers of one call overlap where they must not. */
  BUFFER_OVERLAP("TUTTI-107"),
  /** A buffer's memory is not available: its arena is closed, or only another thread may use it. */
  BUFFER_UNAVAILABLE("TUTTI-108"),
  /** A slice or an action reaches beyond its memory. */
  OUT_OF_BOUNDS("TUTTI-109"),
  /** A rule for choosing algorithms, or a file of such rules, breaks the format. */
  INVALID_RULES("TUTTI-110"),

  /**
   * No algorithm supports the request, or the named algorithm does not. The message gives the
   * reason.
   */
  UNSUPPORTED("TUTTI-201"),
  /**
   * An executor requested something that cannot be provided, or used something that it did not
   * request.
   */
  RESOURCE_MISMATCH("TUTTI-202"),
  /** Two ranks disagree about a link: one side is missing or names other memory. */
  LINK_MISMATCH("TUTTI-203"),
  /** An executor threw while it computed its resources or its plan. */
  EXECUTOR_FAILED("TUTTI-204"),
  /** A plan cannot finish under any schedule; the message holds the cycle of waits. */
  DEADLOCK("TUTTI-205"),
  /** A plan, or a plan file, breaks the format. */
  INVALID_PLAN("TUTTI-206"),
  /** An executor emitted more actions than are allowed. */
  PLAN_TOO_LARGE("TUTTI-207"),

  /** A wait passed its deadline. The message shows which rank waits for which. */
  DEADLINE_EXCEEDED("TUTTI-301"),
  /** An object was used in a state that does not allow it: closed, not started, started twice. */
  INVALID_STATE("TUTTI-302"),
  /** The group was poisoned by an earlier failure and can only be closed. */
  GROUP_POISONED("TUTTI-303"),
  /** The ranks of a group called different operations. */
  CALL_MISMATCH("TUTTI-304"),
  /** A callback or a kernel failed while a plan ran. */
  RUN_FAILED("TUTTI-305"),
  /** Not enough memory of the needed kind. */
  OUT_OF_MEMORY("TUTTI-306"),
  /** A result differs from the independently computed one. */
  WRONG_RESULT("TUTTI-307"),
  /** A file or another output cannot be written. */
  OUTPUT_UNWRITABLE("TUTTI-308"),

  /** No host answers on its control socket, or the host does not accept the command. */
  HOST_UNREACHABLE("TUTTI-309"),
  /** A run or a call was cancelled. */
  CANCELLED("TUTTI-310"),
  /** The body of a capture failed, so nothing was captured. The group remains usable. */
  CAPTURE_ABANDONED("TUTTI-311"),
  /** A wait was interrupted. The awaited operation continues. */
  INTERRUPTED("TUTTI-312"),
  /** The process of another rank has ended; its group can only be closed. */
  PEER_LOST("TUTTI-313"),
  /** A process cannot join the other ranks of its job, or they do not join in time. */
  JOB_REFUSED("TUTTI-314"),

  /** A plugin jar is missing, unreadable or not a jar. */
  PLUGIN_UNREADABLE("TUTTI-401"),
  /** A plugin's manifest is missing or breaks the format. */
  PLUGIN_MANIFEST("TUTTI-402"),
  /** A plugin needs another version of the SPI than the host provides. */
  PLUGIN_SPI_VERSION("TUTTI-403"),
  /** A provider cannot be loaded or instantiated. */
  PLUGIN_PROVIDER("TUTTI-404"),
  /** Two providers offer one algorithm name for one operation. */
  PLUGIN_DUPLICATE("TUTTI-405"),
  /** A jar contains classes of the SPI's own packages. */
  PLUGIN_SHADOWS_SPI("TUTTI-406"),
  /**
   * A plugin's classes refer to something that does not exist, or that its manifest does not
   * request.
   */
  PLUGIN_LINK("TUTTI-407"),
  /** A plugin's signature is missing, wrong or made with a key that is not trusted. */
  PLUGIN_SIGNATURE("TUTTI-408"),
  /** An algorithm of a plugin breaks a rule of the testkit, so the host rejects it. */
  PLUGIN_REJECTED("TUTTI-409"),
  /** A plugin did something at run time that its manifest does not request. */
  PLUGIN_GUARD("TUTTI-410"),
  /** The state directory of a host is in use, cannot be written or is damaged. */
  PLUGIN_STATE("TUTTI-411"),
  /** The plugin is unloaded, so its algorithms are no longer available. */
  PLUGIN_REMOVED("TUTTI-412");

  private final String id;

  ErrorCode(String id) {
    this.id = id;
  }

  /** The stable code, for example {@code "TUTTI-101"}. */
  public String id() {
    return id;
  }

  @Override
  public String toString() {
    return id;
  }
}
