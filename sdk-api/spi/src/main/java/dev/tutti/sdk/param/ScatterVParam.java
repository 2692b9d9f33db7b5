package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import java.util.List;

/**
 * Scatter with blocks of different sizes.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param recvCounts elements of each rank's block, in rank order; the same list on all ranks
 * @param root the rank that has the data
 */
public record ScatterVParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    List<Long> recvCounts,
    int root)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large; INVALID_RANK if a rank is out of range
   */
  public ScatterVParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(recvCounts, "recvCounts");
    recvCounts = List.copyOf(recvCounts);
    Counts.bytes("recvCounts", recvCounts, dataType, comm);
    Counts.rank("root", root, comm);
  }

  /** The same with an empty tag and no options. */
  public ScatterVParam(CommInfo comm, DataType dataType, List<Long> recvCounts, int root) {
    this(comm, "", AlgOptions.none(), dataType, recvCounts, root);
  }

  @Override
  public ScatterVParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new ScatterVParam(newComm, tag, options, dataType, recvCounts, root);
  }

  @Override
  public ScatterVParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new ScatterVParam(comm, tag, newOptions, dataType, recvCounts, root);
  }

  @Override
  public Operation operation() {
    return Operation.SCATTER_V;
  }

  @Override
  public long inputBytes() {
    return comm.rank() == root ? messageBytes() : 0;
  }

  @Override
  public long outputBytes() {
    return recvCounts.get(comm.rank()) * dataType.size();
  }

  @Override
  public long messageBytes() {
    return Counts.before(recvCounts, recvCounts.size()) * dataType.size();
  }
}
