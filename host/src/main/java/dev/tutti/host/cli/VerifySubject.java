package dev.tutti.host.cli;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.host.plugin.Partners;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm with what it needs to be checked.
 *
 * @param algorithm the algorithm
 * @param partner the other side of a transfer; null for other operations, and if there is none
 */
record VerifySubject(Algorithm algorithm, @Nullable Algorithm partner) {

  /**
   * The subjects of a selection. Each send gets the receive of its plugin and name, or else of its
   * plugin, or else of its name, or else any; a receive that is checked with its send is no subject
   * of its own.
   *
   * @param selected what is to be checked
   * @param all what partners are chosen from
   */
  static List<VerifySubject> of(List<Algorithm> selected, List<Algorithm> all) {
    List<VerifySubject> subjects = new ArrayList<>();
    List<Algorithm> covered = new ArrayList<>();
    for (Algorithm algorithm : selected) {
      Algorithm partner = Partners.of(algorithm, all);
      if (!covered.contains(algorithm)) {
        subjects.add(new VerifySubject(algorithm, partner));
      }
      if (algorithm.operation() == Operation.SEND && partner != null) {
        covered.add(partner);
      }
    }
    return subjects;
  }

  Operation operation() {
    return algorithm.operation();
  }

  /** Whether the other side of a transfer is missing. */
  boolean lacksPartner() {
    return partner == null && Partners.other(operation()) != null;
  }

  List<CollExecutorBase<?>> executors() {
    return partner == null
        ? List.of(algorithm.executor())
        : List.of(algorithm.executor(), partner.executor());
  }

  /** The algorithm, and the other side of its transfer. */
  String label() {
    return partner == null
        ? algorithm.qualifiedName()
        : algorithm.qualifiedName()
            + " with "
            + partner.operation().label()
            + " "
            + partner.qualifiedName();
  }
}
