package dev.tutti.verifier.capability;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** A permission beyond plain computing that a plugin's manifest can request. The set is closed. */
public enum Capability {
  /** Starts or parks threads, keeps thread-locals, or runs parallel streams. */
  THREADS("threads"),
  /** Reads, writes or looks for files. */
  FILES("files"),
  /** Opens sockets or looks up hosts. */
  NETWORK("network"),
  /** Starts or looks at other processes. */
  PROCESSES("processes"),
  /** Has native methods, loads libraries or calls foreign functions. */
  NATIVE("native"),
  /** Finds or calls classes and members by name; each call is then checked while it runs. */
  REFLECTION("reflection"),
  /** Reads system properties or environment variables. */
  ENVIRONMENT("environment"),
  /** Reads a clock. */
  CLOCK("clock"),
  /** Draws random numbers without a fixed seed. */
  RANDOM("random"),
  /** Reads or writes the console, or logs. */
  CONSOLE("console"),
  /**
   * Has static fields that can change or hold values that can, or has such fields in executors or
   * templates.
   */
  MUTABLE_STATICS("mutable-statics");

  private final String label;

  Capability(String label) {
    this.label = label;
  }

  /** The name in a manifest. */
  public String label() {
    return label;
  }

  /** The capability with a name. */
  public static Optional<Capability> of(String label) {
    for (Capability each : values()) {
      if (each.label.equals(label)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** All names, for messages. */
  public static String labels() {
    return Arrays.stream(values()).map(Capability::label).collect(Collectors.joining(", "));
  }
}
