package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.util.List;

/**
 * Reduce-scatter with blocks of different sizes: rank r gets block r of the reduction.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param reduceOp the reduction
 * @param recvCounts elements of each rank's block, in rank order; the same list on all ranks
 */
public record ReduceScatterVParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    ReduceOp reduceOp,
    List<Long> recvCounts)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNSUPPORTED_TYPE if the reduction does not
   *     support the type; INVALID_COUNT if a count is negative or too large
   */
  public ReduceScatterVParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    Arguments.require(recvCounts, "recvCounts");
    recvCounts = List.copyOf(recvCounts);
    reduceOp.requireSupports(dataType);
    Counts.bytes("recvCounts", recvCounts, dataType, comm);
  }

  /** The same with an empty tag and no options. */
  public ReduceScatterVParam(
      CommInfo comm, DataType dataType, ReduceOp reduceOp, List<Long> recvCounts) {
    this(comm, "", AlgOptions.none(), dataType, reduceOp, recvCounts);
  }

  @Override
  public ReduceScatterVParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ReduceScatterVParam(newComm, tag, options, dataType, reduceOp, recvCounts);
  }

  @Override
  public ReduceScatterVParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ReduceScatterVParam(comm, tag, newOptions, dataType, reduceOp, recvCounts);
  }

  @Override
  public Operation operation() {
    return Operation.REDUCE_SCATTER_V;
  }

  @Override
  public long inputBytes() {
    return Counts.before(recvCounts, recvCounts.size()) * dataType.size();
  }

  @Override
  public long outputBytes() {
    return recvCounts.get(comm.rank()) * dataType.size();
  }

  @Override
  public long messageBytes() {
    return Counts.before(recvCounts, recvCounts.size()) * dataType.size();
  }
}
