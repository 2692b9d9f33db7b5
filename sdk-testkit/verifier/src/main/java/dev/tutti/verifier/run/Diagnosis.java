package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a group has failed. All its ranks get the same diagnosis. Its text is made when
 * someone asks for it, because it needs source lines, and most runs with faults ask for none.
 * Thread-safe.
 */
public final class Diagnosis {

  private final Supplier<Told> teller;
  private @Nullable Told told;

  /** What a diagnosis says. */
  record Told(int rank, String message, List<ActionRef> chain) {

    /** Takes an immutable copy. */
    Told {
      chain = List.copyOf(chain);
    }
  }

  /**
   * A diagnosis.
   *
   * @param teller called once at most; must not depend on anything that changes later
   */
  Diagnosis(Supplier<Told> teller) {
    this.teller = teller;
  }

  private synchronized Told told() {
    Told known = told;
    if (known == null) {
      known = teller.get();
      told = known;
    }
    return known;
  }

  /** The rank that is the root cause; the chain of waits ends at it. */
  public int rank() {
    return told().rank;
  }

  /**
   * The chain of waits up to the root cause, in one line: each rank, the action at which it waits,
   * and the rank that it waits for.
   */
  public String message() {
    return told().message;
  }

  /** The actions that the message names; the first one is the waiting action. */
  public List<ActionRef> chain() {
    return told().chain;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Diagnosis that && told().equals(that.told());
  }

  @Override
  public int hashCode() {
    return told().hashCode();
  }

  @Override
  public String toString() {
    return message();
  }
}
