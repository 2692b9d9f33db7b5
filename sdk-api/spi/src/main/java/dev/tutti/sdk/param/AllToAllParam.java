package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;

/**
 * All-to-all: rank r gets block r of every rank's input, in rank order.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param countPerRank elements of one block; input and output have {@code rankSize} blocks
 */
public record AllToAllParam(
    CommInfo comm, String tag, AlgOptions options, DataType dataType, long countPerRank)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative or too
   *     large
   */
  public AllToAllParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Counts.bytes("countPerRank", countPerRank, dataType, comm.rankSize());
  }

  /** The same with an empty tag and no options. */
  public AllToAllParam(CommInfo comm, DataType dataType, long countPerRank) {
    this(comm, "", AlgOptions.none(), dataType, countPerRank);
  }

  @Override
  public AllToAllParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new AllToAllParam(newComm, tag, options, dataType, countPerRank);
  }

  @Override
  public AllToAllParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new AllToAllParam(comm, tag, newOptions, dataType, countPerRank);
  }

  @Override
  public Operation operation() {
    return Operation.ALL_TO_ALL;
  }

  @Override
  public long inputBytes() {
    return countPerRank * comm.rankSize() * dataType.size();
  }

  @Override
  public long outputBytes() {
    return countPerRank * comm.rankSize() * dataType.size();
  }

  @Override
  public long messageBytes() {
    return countPerRank * comm.rankSize() * dataType.size();
  }
}
