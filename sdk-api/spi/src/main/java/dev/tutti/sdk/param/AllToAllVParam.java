package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/**
 * All-to-all with blocks of different sizes: rank r gets from rank s as many elements as s sends to
 * r. Blocks are contiguous, in rank order. The count lists are this rank's own and differ between
 * ranks; {@code totalCount} and {@code maxCount} are the same on all ranks.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param sendCounts elements that this rank sends to each rank, in rank order
 * @param recvCounts elements that this rank receives from each rank, in rank order
 * @param totalCount the sum of all blocks of all ranks, in elements
 * @param maxCount elements of the largest block between any two ranks
 */
public record AllToAllVParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    List<Long> sendCounts,
    List<Long> recvCounts,
    long totalCount,
    long maxCount)
    implements OpParam {

  /**
   * Checks the values.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_COUNT} if a count is negative or too
   *     large, or a block is larger than {@code maxCount}
   */
  public AllToAllVParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(sendCounts, "sendCounts");
    Arguments.require(recvCounts, "recvCounts");
    sendCounts = List.copyOf(sendCounts);
    recvCounts = List.copyOf(recvCounts);
    Counts.bytes("sendCounts", sendCounts, dataType, comm);
    Counts.bytes("recvCounts", recvCounts, dataType, comm);
    Counts.bytes("totalCount", totalCount, dataType);
    for (int rank = 0; rank < sendCounts.size(); rank++) {
      long largest = Math.max(sendCounts.get(rank), recvCounts.get(rank));
      if (largest > maxCount) {
        throw new TuttiException(
            ErrorCode.INVALID_COUNT,
            "no block may be larger than maxCount=%d. Actual: %d elements with rank %d",
            maxCount,
            largest,
            rank);
      }
    }
  }

  @Override
  public AllToAllVParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new AllToAllVParam(
        newComm, tag, options, dataType, sendCounts, recvCounts, totalCount, maxCount);
  }

  @Override
  public AllToAllVParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new AllToAllVParam(
        comm, tag, newOptions, dataType, sendCounts, recvCounts, totalCount, maxCount);
  }

  @Override
  public Operation operation() {
    return Operation.ALL_TO_ALL_V;
  }

  @Override
  public long inputBytes() {
    return Counts.before(sendCounts, sendCounts.size()) * dataType.size();
  }

  @Override
  public long outputBytes() {
    return Counts.before(recvCounts, recvCounts.size()) * dataType.size();
  }

  @Override
  public long messageBytes() {
    return totalCount * dataType.size();
  }
}
