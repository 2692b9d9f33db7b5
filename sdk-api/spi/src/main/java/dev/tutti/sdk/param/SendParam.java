package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * One rank sends to another, which runs the matching {@link ReceiveParam}.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param count elements of the input
 * @param dstRank the rank that receives; not this rank
 */
public record SendParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long count, int dstRank)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public SendParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("count", count, dataType);
    Counts.peer("dstRank", dstRank, comm);
  }

  /** The same with an empty tag and no options. */
  public SendParam(CommInfo comm, DataType dataType, long count, int dstRank) {
    this(comm, "", AlgOptions.none(), dataType, count, dstRank);
  }

  @Override
  public SendParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new SendParam(newComm, tag, options, dataType, count, dstRank);
  }

  @Override
  public SendParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new SendParam(comm, tag, newOptions, dataType, count, dstRank);
  }

  @Override
  public Operation operation() {
    return Operation.SEND;
  }

  @Override
  public long inputBytes() {
    return count * dataType.size();
  }

  @Override
  public long outputBytes() {
    return 0;
  }

  @Override
  public long messageBytes() {
    return count * dataType.size();
  }
}
