package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import java.util.List;

/**
 * The reason why a group has failed. All its ranks get the same diagnosis. Immutable.
 *
 * @param rank the rank that is the root cause; the chain of waits ends at it
 * @param message the chain of waits up to the root cause, in one line: each rank, the action at
 *     which it waits, and the rank that it waits for
 * @param chain the actions that the message names; the first one is the waiting action
 */
public record Diagnosis(int rank, String message, List<ActionRef> chain) {

  /** Takes an immutable copy. */
  public Diagnosis {
    chain = List.copyOf(chain);
  }

  @Override
  public String toString() {
    return message;
  }
}
