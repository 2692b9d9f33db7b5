package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * All-gather: every rank gets the inputs of all ranks, in rank order.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param sendCount elements of the input of each rank; the output has {@code rankSize} times as
 *     many
 */
public record AllGatherParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long sendCount)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large
   */
  public AllGatherParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("sendCount", sendCount, dataType, comm.rankSize());
  }

  /** The same with an empty tag and no options. */
  public AllGatherParam(CommInfo comm, DataType dataType, long sendCount) {
    this(comm, "", AlgOptions.none(), dataType, sendCount);
  }

  @Override
  public AllGatherParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new AllGatherParam(newComm, tag, options, dataType, sendCount);
  }

  @Override
  public AllGatherParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new AllGatherParam(comm, tag, newOptions, dataType, sendCount);
  }

  @Override
  public Operation operation() {
    return Operation.ALL_GATHER;
  }

  @Override
  public long inputBytes() {
    return sendCount * dataType.size();
  }

  @Override
  public long outputBytes() {
    return sendCount * comm.rankSize() * dataType.size();
  }

  @Override
  public long messageBytes() {
    return sendCount * comm.rankSize() * dataType.size();
  }
}
