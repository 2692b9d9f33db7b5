package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * Scatter: rank r gets block r of the root's input.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param recvCount elements of one block, the output of each rank; the root's input has {@code
 *     rankSize} blocks
 * @param root the rank that has the data
 */
public record ScatterParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long recvCount, int root)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public ScatterParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("recvCount", recvCount, dataType, comm.rankSize());
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options. */
  public ScatterParam(CommInfo comm, DataType dataType, long recvCount, int root) {
    this(comm, "", AlgOptions.none(), dataType, recvCount, root);
  }

  @Override
  public ScatterParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ScatterParam(newComm, tag, options, dataType, recvCount, root);
  }

  @Override
  public ScatterParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ScatterParam(comm, tag, newOptions, dataType, recvCount, root);
  }

  @Override
  public Operation operation() {
    return Operation.SCATTER;
  }

  @Override
  public long inputBytes() {
    return comm.rank() == root ? recvCount * comm.rankSize() * dataType.size() : 0;
  }

  @Override
  public long outputBytes() {
    return recvCount * dataType.size();
  }

  @Override
  public long messageBytes() {
    return recvCount * comm.rankSize() * dataType.size();
  }
}
