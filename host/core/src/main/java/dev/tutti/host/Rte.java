package dev.tutti.host;

/**
 * The runtime environment a host runs in: which ranks are here, and how the others are reached. One
 * per process. Immutable.
 */
public sealed interface Rte permits EmbeddedRte {

  /** All ranks are in this JVM. */
  static Rte embedded() {
    return EmbeddedRte.INSTANCE;
  }

  /** The stable name, for example {@code "embedded"}. */
  String name();

  /** Whether a rank of any group runs in this process. */
  boolean isLocal(int rank);
}
