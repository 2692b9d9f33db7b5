package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import java.util.List;

/**
 * Any number of sends and receives of one rank at once. Between two ranks, the n-th send matches
 * the n-th receive. The items are this rank's own and differ between ranks; {@code maxCount} is the
 * same on all ranks. Sent items are contiguous in the input, received ones in the output.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 * @param dataType the element type
 * @param items the transfers, in order
 * @param maxCount the most elements of any item on any rank
 */
public record BatchSendRecvParam(
    CommInfo comm,
    String tag,
    AlgOptions options,
    DataType dataType,
    List<Item> items,
    long maxCount)
    implements OpParam {

  /**
   * One transfer.
   *
   * @param isSend whether this rank sends; else it receives
   * @param peer the other rank; may be this rank itself
   * @param count elements to transfer
   */
  public record Item(boolean isSend, int peer, long count) {}

  /**
   * Checks the values.
   *
   * @throws dev.tutti.sdk.TuttiException with code INVALID_COUNT if a count is negative, too large
   *     or above {@code maxCount}; INVALID_RANK if a peer is out of range
   */
  public BatchSendRecvParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
    Arguments.require(dataType, "dataType");
    Arguments.require(items, "items");
    items = List.copyOf(items);
    Counts.bytes("maxCount", maxCount, dataType);
    long total = 0;
    for (Item item : items) {
      Counts.rank("peer", item.peer(), comm);
      Counts.atMost("count", item.count(), maxCount);
      total += item.count();
      Counts.bytes("the sum of counts", total, dataType);
    }
  }

  @Override
  public BatchSendRecvParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new BatchSendRecvParam(newComm, tag, options, dataType, items, maxCount);
  }

  @Override
  public BatchSendRecvParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new BatchSendRecvParam(comm, tag, newOptions, dataType, items, maxCount);
  }

  @Override
  public Operation operation() {
    return Operation.BATCH_SEND_RECV;
  }

  @Override
  public long inputBytes() {
    return bytes(true);
  }

  @Override
  public long outputBytes() {
    return bytes(false);
  }

  @Override
  public long messageBytes() {
    return maxCount * dataType.size();
  }

  private long bytes(boolean sent) {
    return items.stream().filter(item -> item.isSend() == sent).mapToLong(Item::count).sum()
        * dataType.size();
  }
}
