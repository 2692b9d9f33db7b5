package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** Where the buffers of the ranks live. */
public enum MemoryKind {
  /** In Java arrays, which the engine copies. */
  HEAP,
  /** In plain native memory. */
  NATIVE,
  /** In native memory of the context, on pages that are there before the first use. */
  REGISTERED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static MemoryKind fromLabel(String label) {
    for (MemoryKind kind : values()) {
      if (kind.label().equalsIgnoreCase(label)) {
        return kind;
      }
    }
    throw Names.unknown("kind of memory", label, values(), MemoryKind::label);
  }

  @Override
  public String toString() {
    return label();
  }
}
