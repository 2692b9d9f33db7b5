package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import dev.tutti.sdk.Operation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An operation by its requested name. A transfer between two ranks has three names: send, receive
 * and sendreceive.
 *
 * @param label the requested name, in the spelling of this program
 * @param operation the operation; SEND for a transfer
 */
public record OperationName(String label, Operation operation) {

  private static final String TRANSFER = "sendreceive";

  /** The short names of MPI and of other libraries. */
  private static final Map<String, String> ALIASES =
      Map.of(
          "bcast", "broadcast",
          "recv", "receive",
          "exscan", "exclusivescan",
          "reducescatterblock", "reducescatter");

  private static final Set<Operation> REDUCING =
      EnumSet.of(
          Operation.ALL_REDUCE,
          Operation.REDUCE,
          Operation.REDUCE_SCATTER,
          Operation.REDUCE_SCATTER_V,
          Operation.SCAN,
          Operation.EXCLUSIVE_SCAN);

  private static final Set<Operation> ROOTED =
      EnumSet.of(
          Operation.REDUCE,
          Operation.BROADCAST,
          Operation.GATHER,
          Operation.GATHER_V,
          Operation.SCATTER,
          Operation.SCATTER_V);

  private static final Set<Operation> POSSIBLY_IN_PLACE =
      EnumSet.of(
          Operation.ALL_REDUCE,
          Operation.REDUCE,
          Operation.BROADCAST,
          Operation.SCAN,
          Operation.EXCLUSIVE_SCAN);

  private static final Set<Operation> WHOLE_VECTOR =
      EnumSet.of(
          Operation.ALL_REDUCE,
          Operation.REDUCE,
          Operation.BROADCAST,
          Operation.SEND,
          Operation.RECEIVE,
          Operation.BATCH_SEND_RECV,
          Operation.SCAN,
          Operation.EXCLUSIVE_SCAN);

  /** The operation with a name; letter case, hyphens and underscores do not matter. */
  public static OperationName of(String text) {
    return find(text).orElseThrow(() -> Names.unknown("operation", text, labels()));
  }

  /** The same, but empty if there is no such operation. */
  public static Optional<OperationName> find(String text) {
    String spelled = text.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    String wanted = ALIASES.getOrDefault(spelled, spelled);
    if (wanted.equals(TRANSFER) || wanted.equals(Operation.RECEIVE.label())) {
      return Optional.of(new OperationName(wanted, Operation.SEND));
    }
    return Stream.of(Operation.values())
        .filter(operation -> operation.label().equals(wanted))
        .map(operation -> new OperationName(wanted, operation))
        .findFirst();
  }

  /** All names. */
  static List<String> labels() {
    List<String> labels = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      labels.add(operation.label());
      if (operation == Operation.RECEIVE) {
        labels.add(TRANSFER);
      }
    }
    return labels;
  }

  public boolean isTransfer() {
    return operation == Operation.SEND;
  }

  public boolean isReduction() {
    return REDUCING.contains(operation);
  }

  /** Whether each rank gets the reduction over the ranks before it, with or without itself. */
  public boolean isScan() {
    return operation == Operation.SCAN || operation == Operation.EXCLUSIVE_SCAN;
  }

  public boolean hasRoot() {
    return ROOTED.contains(operation);
  }

  public boolean hasData() {
    return operation != Operation.BARRIER;
  }

  public boolean canBeInPlace() {
    return POSSIBLY_IN_PLACE.contains(operation);
  }

  /** Whether a count is for the full vector of a rank; otherwise it is for one rank's block. */
  public boolean countsWholeVector() {
    return WHOLE_VECTOR.contains(operation);
  }
}
