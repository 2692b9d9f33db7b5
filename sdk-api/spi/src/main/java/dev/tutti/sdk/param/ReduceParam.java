package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;

/**
 * Reduce: the root gets the reduction of all inputs.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param reduceOp the reduction
 * @param count elements of the input of each rank, and of the root's output
 * @param root the rank that gets the result
 * @param inPlace whether the root's input and output are one memory
 */
public record ReduceParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    ReduceOp reduceOp,
    long count,
    int root,
    boolean inPlace)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNSUPPORTED_TYPE if the reduction does not
   *     support the type; INVALID_COUNT if a count is negative or too large; INVALID_RANK if a rank
   *     is out of range
   */
  public ReduceParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    reduceOp.requireSupports(dataType);
    Counts.bytes("count", count, dataType);
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options and separate buffers. */
  public ReduceParam(CommInfo comm, DataType dataType, ReduceOp reduceOp, long count, int root) {
    this(comm, "", AlgOptions.none(), dataType, reduceOp, count, root, false);
  }

  @Override
  public ReduceParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ReduceParam(newComm, tag, options, dataType, reduceOp, count, root, inPlace);
  }

  @Override
  public ReduceParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ReduceParam(comm, tag, newOptions, dataType, reduceOp, count, root, inPlace);
  }

  @Override
  public Operation operation() {
    return Operation.REDUCE;
  }

  @Override
  public long inputBytes() {
    return count * dataType.size();
  }

  @Override
  public long outputBytes() {
    return comm.rank() == root ? count * dataType.size() : 0;
  }

  @Override
  public long messageBytes() {
    return count * dataType.size();
  }
}
