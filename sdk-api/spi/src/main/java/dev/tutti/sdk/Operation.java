package dev.tutti.sdk;

import java.util.Locale;

/**
 * The operations a group can perform. The set is open: a {@code switch} in plugin code needs a
 * {@code default}. On wires and in files an operation is written as its {@link #label()}.
 */
public enum Operation {
  /** Every rank gets the reduction of all inputs. */
  ALL_REDUCE("allreduce"),
  /** The root gets the reduction of all inputs. */
  REDUCE("reduce"),
  /** Rank r gets block r of the reduction of all inputs. */
  REDUCE_SCATTER("reducescatter"),
  /** {@link #REDUCE_SCATTER} with blocks of different sizes. */
  REDUCE_SCATTER_V("reducescatterv"),
  /** Every rank gets the inputs of all ranks, in rank order. */
  ALL_GATHER("allgather"),
  /** {@link #ALL_GATHER} with blocks of different sizes. */
  ALL_GATHER_V("allgatherv"),
  /** Every rank gets the root's buffer. */
  BROADCAST("broadcast"),
  /** The root gets the inputs of all ranks, in rank order. */
  GATHER("gather"),
  /** {@link #GATHER} with blocks of different sizes. */
  GATHER_V("gatherv"),
  /** Rank r gets block r of the root's input. */
  SCATTER("scatter"),
  /** {@link #SCATTER} with blocks of different sizes. */
  SCATTER_V("scatterv"),
  /** Rank r gets block r of every rank's input, in rank order. */
  ALL_TO_ALL("alltoall"),
  /** {@link #ALL_TO_ALL} with blocks of different sizes. */
  ALL_TO_ALL_V("alltoallv"),
  /** One rank's half of a point-to-point transfer: it sends. */
  SEND("send"),
  /** One rank's half of a point-to-point transfer: it receives. */
  RECEIVE("receive"),
  /** Any number of sends and receives of one rank at once. */
  BATCH_SEND_RECV("batchsendrecv"),
  /** No rank leaves before every rank has entered. */
  BARRIER("barrier"),
  /** Rank r gets the reduction of the inputs of ranks 0 to r. */
  SCAN("scan"),
  /** Rank r gets the reduction of the inputs of ranks 0 to r - 1; rank 0 gets nothing. */
  EXCLUSIVE_SCAN("exclusivescan");

  private final String label;

  Operation(String label) {
    this.label = label;
  }

  /** The stable name, for example {@code "allreduce"}. */
  public String label() {
    return label;
  }

  /**
   * The operation of a name; letter case, hyphens and underscores do not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static Operation fromLabel(String label) {
    Arguments.require(label, "label");
    String wanted = label.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    for (Operation operation : values()) {
      if (operation.label.equals(wanted)) {
        return operation;
      }
    }
    throw Names.unknown("operation", label, values(), Operation::label);
  }

  /**
   * The operation of an algorithm, which follows from the parameter record that the class uses for
   * {@code P} of {@link CollExecutorBase}.
   *
   * @param executor a subclass of {@link CollExecutorBase}
   * @throws TuttiException with {@link ErrorCode#PLUGIN_PROVIDER} if the class leaves it open
   */
  public static Operation ofExecutor(Class<?> executor) {
    Arguments.require(executor, "executor");
    return ParameterType.operation(executor);
  }

  @Override
  public String toString() {
    return label;
  }
}
