package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;

/**
 * Inclusive scan: rank r gets the reduction of the inputs of ranks 0 to r.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param reduceOp the reduction
 * @param count elements of the input, and of the output, of each rank
 * @param inPlace whether input and output are one memory
 */
public record ScanParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    ReduceOp reduceOp,
    long count,
    boolean inPlace)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNSUPPORTED_TYPE if the reduction does not
   *     support the type; INVALID_COUNT if a count is negative or too large
   */
  public ScanParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    reduceOp.requireSupports(dataType);
    Counts.bytes("count", count, dataType);
  }

  /** The same with an empty tag and no options and separate buffers. */
  public ScanParam(CommInfo comm, DataType dataType, ReduceOp reduceOp, long count) {
    this(comm, "", AlgOptions.none(), dataType, reduceOp, count, false);
  }

  @Override
  public ScanParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ScanParam(newComm, tag, options, dataType, reduceOp, count, inPlace);
  }

  @Override
  public ScanParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ScanParam(comm, tag, newOptions, dataType, reduceOp, count, inPlace);
  }

  @Override
  public Operation operation() {
    return Operation.SCAN;
  }

  @Override
  public long inputBytes() {
    return count * dataType.size();
  }

  @Override
  public long outputBytes() {
    return count * dataType.size();
  }

  @Override
  public long messageBytes() {
    return count * dataType.size();
  }
}
