package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import java.util.List;

/**
 * All-gather with inputs of different sizes.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param sendCounts elements of each rank's input, in rank order; the same list on all ranks
 */
public record AllGatherVParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, List<Long> sendCounts)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large
   */
  public AllGatherVParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(sendCounts, "sendCounts");
    sendCounts = List.copyOf(sendCounts);
    Counts.bytes("sendCounts", sendCounts, dataType, comm);
  }

  /** The same with an empty tag and no options. */
  public AllGatherVParam(CommInfo comm, DataType dataType, List<Long> sendCounts) {
    this(comm, "", AlgOptions.none(), dataType, sendCounts);
  }

  @Override
  public AllGatherVParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new AllGatherVParam(newComm, tag, options, dataType, sendCounts);
  }

  @Override
  public AllGatherVParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new AllGatherVParam(comm, tag, newOptions, dataType, sendCounts);
  }

  @Override
  public Operation operation() {
    return Operation.ALL_GATHER_V;
  }

  @Override
  public long inputBytes() {
    return sendCounts.get(comm.rank()) * dataType.size();
  }

  @Override
  public long outputBytes() {
    return Counts.before(sendCounts, sendCounts.size()) * dataType.size();
  }

  @Override
  public long messageBytes() {
    return Counts.before(sendCounts, sendCounts.size()) * dataType.size();
  }
}
