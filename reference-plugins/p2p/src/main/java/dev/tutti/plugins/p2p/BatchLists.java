package dev.tutti.plugins.p2p;

import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One rank's batch by peer; the messages of a peer keep their order.
 *
 * @param rank this rank
 * @param sent the messages to each peer, in the input
 * @param received the messages from each peer, in the output
 */
record BatchLists(int rank, Map<Integer, List<Slice>> sent, Map<Integer, List<Slice>> received) {

  static BatchLists of(BatchSendRecvParam param) {
    return new BatchLists(param.comm().rank(), slices(param, true), slices(param, false));
  }

  /** The slices of all messages in one direction; empty messages are left out. */
  private static Map<Integer, List<Slice>> slices(BatchSendRecvParam param, boolean isSend) {
    Map<Integer, List<Slice>> slices = new TreeMap<>();
    long offset = 0;
    for (Item item : param.items()) {
      if (item.isSend() == isSend && item.count() > 0) {
        long size = item.count() * param.dataType().size();
        slices.computeIfAbsent(item.peer(), peer -> new ArrayList<>()).add(new Slice(offset, size));
        offset += size;
      }
    }
    return slices;
  }

  /** The other ranks that take part. */
  int[] peers() {
    return Stream.of(sent, received)
        .flatMap(lists -> lists.keySet().stream())
        .mapToInt(Integer::intValue)
        .filter(peer -> peer != rank)
        .distinct()
        .toArray();
  }

  /** The messages to a rank, in order. */
  List<DeviceMem> sentTo(int peer, DeviceMem input) {
    return sent.getOrDefault(peer, List.of()).stream().map(input::slice).toList();
  }

  /** The messages from a rank, in order. */
  List<DeviceMem> receivedFrom(int peer, DeviceMem output) {
    return received.getOrDefault(peer, List.of()).stream().map(output::slice).toList();
  }

  /**
   * The bytes of the longest message to each rank, in rank order.
   *
   * @param ranks the number of ranks
   */
  List<Long> longestSent(int ranks) {
    return longest(sent, ranks);
  }

  /**
   * The bytes of the longest message from each rank, in rank order.
   *
   * @param ranks the number of ranks
   */
  List<Long> longestReceived(int ranks) {
    return longest(received, ranks);
  }

  private static List<Long> longest(Map<Integer, List<Slice>> lists, int ranks) {
    return IntStream.range(0, ranks)
        .mapToObj(peer -> lists.getOrDefault(peer, List.of()))
        .map(messages -> messages.stream().mapToLong(Slice::size).max().orElse(0))
        .toList();
  }
}
