package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** The memory of the ranks' buffers. */
public enum MemoryKind {
  /** Java arrays, which the engine copies. */
  HEAP,
  /** Plain native memory. */
  NATIVE,
  /** Native memory of the context, whose pages are present before the first use. */
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
