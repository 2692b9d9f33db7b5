package dev.tutti.cli.request;

import dev.tutti.host.RankHandle;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocking call that the thread of a rank makes for the rank's part in an operation. What
 * {@link RankHandle} has no method of its own for goes through its {@code run}: operations whose
 * counts differ by rank, batches of transfers, and the root of a broadcast that is not in place.
 */
final class BlockingCalls {

  private BlockingCalls() {}

  /**
   * The call of a rank that takes part.
   *
   * @param input the rank's input, as large as the call needs; null where it has none
   * @param output the same for its output
   */
  static Runnable of(
      RankHandle rank,
      CollectiveCall call,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    DataType type = call.dataType();
    int root = call.root();
    return switch (call.operation()) {
      case BARRIER -> rank::barrier;
      case ALL_REDUCE -> () -> rank.allReduce(present(input), present(output), type, op(call));
      case REDUCE -> () -> rank.reduce(present(input), output, type, op(call), root);
      case REDUCE_SCATTER ->
          () -> rank.reduceScatter(present(input), present(output), type, op(call));
      case SCAN -> () -> rank.scan(present(input), present(output), type, op(call));
      case EXCLUSIVE_SCAN ->
          () -> rank.exclusiveScan(present(input), present(output), type, op(call));
      case ALL_GATHER -> () -> rank.allGather(present(input), present(output), type);
      case GATHER -> () -> rank.gather(present(input), output, type, root);
      case SCATTER -> () -> rank.scatter(input, present(output), type, root);
      case ALL_TO_ALL -> () -> rank.allToAll(present(input), present(output), type);
      case BROADCAST ->
          input == null || input.equals(output)
              ? () -> rank.broadcast(present(output), type, root)
              : () -> rank.run(call, input, output);
      case SEND, RECEIVE ->
          rank.rank() == root
              ? () -> rank.send(present(input), type, call.destination())
              : () -> rank.receive(present(output), type, root);
      case REDUCE_SCATTER_V, ALL_GATHER_V, GATHER_V, SCATTER_V, ALL_TO_ALL_V, BATCH_SEND_RECV ->
          () -> rank.run(call, input, output);
    };
  }

  private static MemorySegment present(@Nullable MemorySegment segment) {
    return Objects.requireNonNull(segment);
  }

  private static ReduceOp op(CollectiveCall call) {
    return Objects.requireNonNull(call.reduceOp());
  }
}
