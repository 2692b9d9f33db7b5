package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;

/**
 * Reduce-scatter: rank r gets block r of the reduction of all inputs.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param reduceOp the reduction
 * @param recvCount elements of one block, the output of each rank; the input has {@code rankSize}
 *     blocks
 */
public record ReduceScatterParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    ReduceOp reduceOp,
    long recvCount)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNSUPPORTED_TYPE if the reduction does not
   *     support the type; INVALID_COUNT if a count is negative or too large
   */
  public ReduceScatterParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    reduceOp.requireSupports(dataType);
    Counts.bytes("recvCount", recvCount, dataType, comm.rankSize());
  }

  /** The same with an empty tag and no options. */
  public ReduceScatterParam(CommInfo comm, DataType dataType, ReduceOp reduceOp, long recvCount) {
    this(comm, "", AlgOptions.none(), dataType, reduceOp, recvCount);
  }

  @Override
  public ReduceScatterParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ReduceScatterParam(newComm, tag, options, dataType, reduceOp, recvCount);
  }

  @Override
  public ReduceScatterParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ReduceScatterParam(comm, tag, newOptions, dataType, reduceOp, recvCount);
  }

  @Override
  public Operation operation() {
    return Operation.REDUCE_SCATTER;
  }

  @Override
  public long inputBytes() {
    return recvCount * comm.rankSize() * dataType.size();
  }

  @Override
  public long outputBytes() {
    return recvCount * dataType.size();
  }

  @Override
  public long messageBytes() {
    return recvCount * comm.rankSize() * dataType.size();
  }
}
