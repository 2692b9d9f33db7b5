package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Operation;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the algorithm for the other side of a transfer. */
public final class TransferPeers {

  private TransferPeers() {}

  /**
   * The other side: a receive for a send, and vice versa. Prefers the same plugin and name, then
   * the same plugin, then the same name, then any.
   *
   * @param all the algorithms to choose from
   * @return null for other operations, and if there is none
   */
  public static @Nullable Algorithm of(Algorithm algorithm, List<Algorithm> all) {
    Arguments.require(algorithm, "algorithm");
    Arguments.require(all, "all");
    Operation other = other(algorithm.operation());
    return all.stream()
        .filter(each -> each.operation() == other)
        .min(
            Comparator.comparing((Algorithm each) -> !each.plugin().equals(algorithm.plugin()))
                .thenComparing(each -> !each.name().equals(algorithm.name())))
        .orElse(null);
  }

  /** RECEIVE for SEND, SEND for RECEIVE, else null. */
  public static @Nullable Operation other(Operation operation) {
    Arguments.require(operation, "operation");
    return operation == Operation.SEND
        ? Operation.RECEIVE
        : operation == Operation.RECEIVE ? Operation.SEND : null;
  }
}
