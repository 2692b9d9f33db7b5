package dev.tutti.testkit.junit;

import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.function.Predicate;

/** What an author says about the cases that an executor refuses. */
sealed interface Refusals {

  /** The author says of each case whether it is refused, and the executor must agree. */
  record Declared(Predicate<CollectiveCase> isRefused) implements Refusals {}

  /** Nobody says anything: a refusal leaves its case out. */
  record Undeclared() implements Refusals {}
}
