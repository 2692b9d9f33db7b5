package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * Gather: the root gets the inputs of all ranks, in rank order.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param sendCount elements of the input of each rank; the root's output has {@code rankSize} times
 *     as many
 * @param root the rank that gets the result
 */
public record GatherParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long sendCount, int root)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public GatherParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("sendCount", sendCount, dataType, comm.rankSize());
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options. */
  public GatherParam(CommInfo comm, DataType dataType, long sendCount, int root) {
    this(comm, "", AlgOptions.none(), dataType, sendCount, root);
  }

  @Override
  public GatherParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new GatherParam(newComm, tag, options, dataType, sendCount, root);
  }

  @Override
  public GatherParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new GatherParam(comm, tag, newOptions, dataType, sendCount, root);
  }

  @Override
  public Operation operation() {
    return Operation.GATHER;
  }

  @Override
  public long inputBytes() {
    return sendCount * dataType.size();
  }

  @Override
  public long outputBytes() {
    return comm.rank() == root ? sendCount * comm.rankSize() * dataType.size() : 0;
  }

  @Override
  public long messageBytes() {
    return sendCount * comm.rankSize() * dataType.size();
  }
}
