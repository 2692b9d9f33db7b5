package dev.tutti.verifier.planning;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import java.util.Optional;

/**
 * What executors declare about an operation.
 *
 * @param determinism the determinism that they promise
 * @param cost the declared cost; empty if they declare none
 */
public record Declared(Determinism determinism, Optional<Cost> cost) {

  /** No promise and no cost. */
  public static final Declared NOTHING = new Declared(Determinism.NONE, Optional.empty());
}
