package dev.tutti.verifier.planning;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import java.util.Optional;

/**
 * What executors say about an operation.
 *
 * @param determinism what they promise about bits
 * @param cost what it costs; empty if they do not say
 */
public record Declared(Determinism determinism, Optional<Cost> cost) {

  /** Promises nothing, says nothing. */
  public static final Declared NOTHING = new Declared(Determinism.NONE, Optional.empty());
}
