package dev.tutti.testkit.junit;

import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.function.Predicate;

/** An author's declaration of the cases that an executor refuses. */
sealed interface Refusals {

  /** The author declares for each case whether it is refused, and the executor must agree. */
  record Declared(Predicate<CollectiveCase> isRefused) implements Refusals {}

  /** There is no declaration: the test skips a refused case. */
  record Undeclared() implements Refusals {}
}
