package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * Broadcast: every rank gets the root's input. The root also gets a copy in its output, unless the
 * operation is in place.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param count elements of the root's input, and of each rank's output
 * @param root the rank that has the data
 * @param inPlace whether the root's input and output are one memory
 */
public record BroadcastParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    long count,
    int root,
    boolean inPlace)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public BroadcastParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("count", count, dataType);
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options and separate buffers. */
  public BroadcastParam(CommInfo comm, DataType dataType, long count, int root) {
    this(comm, "", AlgOptions.none(), dataType, count, root, false);
  }

  @Override
  public BroadcastParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new BroadcastParam(newComm, tag, options, dataType, count, root, inPlace);
  }

  @Override
  public BroadcastParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new BroadcastParam(comm, tag, newOptions, dataType, count, root, inPlace);
  }

  @Override
  public Operation operation() {
    return Operation.BROADCAST;
  }

  @Override
  public long inputBytes() {
    return comm.rank() == root ? count * dataType.size() : 0;
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
