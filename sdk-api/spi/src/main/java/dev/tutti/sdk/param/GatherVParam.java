package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import java.util.List;

/**
 * Gather with inputs of different sizes.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param sendCounts elements of each rank's input, in rank order; the same list on all ranks
 * @param root the rank that gets the result
 */
public record GatherVParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    List<Long> sendCounts,
    int root)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public GatherVParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(sendCounts, "sendCounts");
    sendCounts = List.copyOf(sendCounts);
    Counts.bytes("sendCounts", sendCounts, dataType, comm);
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options. */
  public GatherVParam(CommInfo comm, DataType dataType, List<Long> sendCounts, int root) {
    this(comm, "", AlgOptions.none(), dataType, sendCounts, root);
  }

  @Override
  public GatherVParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new GatherVParam(newComm, tag, options, dataType, sendCounts, root);
  }

  @Override
  public GatherVParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new GatherVParam(comm, tag, newOptions, dataType, sendCounts, root);
  }

  @Override
  public Operation operation() {
    return Operation.GATHER_V;
  }

  @Override
  public long inputBytes() {
    return sendCounts.get(comm.rank()) * dataType.size();
  }

  @Override
  public long outputBytes() {
    return comm.rank() == root ? messageBytes() : 0;
  }

  @Override
  public long messageBytes() {
    return Counts.before(sendCounts, sendCounts.size()) * dataType.size();
  }
}
