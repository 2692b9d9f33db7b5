package dev.tutti.plugins.catalogue;

import dev.tutti.mutation.CorpusCheck;
import dev.tutti.mutation.CorpusScore;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The standard matrix finds wrong algorithms out, whatever they were made of. */
class CorpusTest {

  /** A sample; docs/mutation.md has more. */
  private static final int WRONG_OF_EACH = 8;

  private static final double LEAST_SHARE = 0.98;

  @Test
  void theStandardMatrixFindsOutWhatItPromises() {
    CorpusScore score = CorpusScore.none();
    for (Algorithm algorithm : Algorithm.all()) {
      if (algorithm.operation() != Operation.RECEIVE) {
        CorpusCheck check =
            CorpusCheck.of(withPartner(algorithm).toArray(CollExecutorBase<?>[]::new));
        score = score.plus(check.run(WRONG_OF_EACH, algorithm.picture().hashCode()));
      }
    }

    score.requireAtLeast(LEAST_SHARE);
  }

  /** An algorithm, and that of the other half of a transfer. */
  private static List<CollExecutorBase<?>> withPartner(Algorithm algorithm) {
    List<CollExecutorBase<?>> executors = new ArrayList<>(List.of(algorithm.executor()));
    if (algorithm.operation() == Operation.SEND) {
      Algorithm.all().stream()
          .filter(other -> other.operation() == Operation.RECEIVE)
          .filter(other -> other.name().equals(algorithm.name()))
          .forEach(other -> executors.add(other.executor()));
    }
    return executors;
  }
}
