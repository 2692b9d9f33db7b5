package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import java.util.List;

/**
 * Why a group has failed; the same for all its ranks. Immutable.
 *
 * @param rank the rank that is the root cause: the one that all others wait for in the end
 * @param message which rank waits at which action for which other rank, up to the root cause, in
 *     one line
 * @param chain the actions that the message names, the first of them waiting
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
