package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * One rank receives from another, which runs the matching {@link SendParam}.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param count elements of the output
 * @param srcRank the rank that sends; not this rank
 */
public record ReceiveParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long count, int srcRank)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public ReceiveParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("count", count, dataType);
    Counts.peer("srcRank", srcRank, comm);
  }

  /** The same with an empty tag and no options. */
  public ReceiveParam(CommInfo comm, DataType dataType, long count, int srcRank) {
    this(comm, "", AlgOptions.none(), dataType, count, srcRank);
  }

  @Override
  public ReceiveParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ReceiveParam(newComm, tag, options, dataType, count, srcRank);
  }

  @Override
  public ReceiveParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ReceiveParam(comm, tag, newOptions, dataType, count, srcRank);
  }

  @Override
  public Operation operation() {
    return Operation.RECEIVE;
  }

  @Override
  public long inputBytes() {
    return 0;
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
