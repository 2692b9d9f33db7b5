package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The messages of a plan. Every data action whose source and destination are on different ranks is
 * a message, no matter which rank runs it. An action that combines sources of several ranks is one
 * message for each of them. Immutable.
 */
public final class Traffic {

  private final Network network;
  private final long[] bytesIn;
  private final long[] bytesOut;
  private final long[] messagesIn;
  private final long[] messagesOut;

  // Pairs of ranks, hashed: source above destination, plus 1; 0 is free.
  private long[] pairs = new long[64];
  private long[] pairBytes = new long[64];
  private long[] pairMessages = new long[64];
  private int pairCount;

  private Traffic(Network network) {
    this.network = network;
    int ranks = network.rankSize();
    this.bytesIn = new long[ranks];
    this.bytesOut = new long[ranks];
    this.messagesIn = new long[ranks];
    this.messagesOut = new long[ranks];
  }

  static Traffic of(FlatPlan plan, Network network) {
    Traffic traffic = new Traffic(network);
    for (FlatStream stream : plan.streams()) {
      int size = stream.size();
      for (int event = 0; event < size; event++) {
        if (stream.sync(event) == FlatStream.DATA) {
          traffic.addAction(stream.plan(event), stream.action(event));
        }
      }
    }
    return traffic;
  }

  private void addAction(RankPlan code, int action) {
    int dst = code.dstRank(action);
    long bytes = code.bytes(action);
    for (int i = 0; i < code.sourceCount(action); i++) {
      int src = code.srcRank(action, i);
      if (src != dst) {
        bytesOut[src] += bytes;
        bytesIn[dst] += bytes;
        messagesOut[src]++;
        messagesIn[dst]++;
        addPair(((long) src << 32) | dst, bytes, 1);
      }
    }
  }

  private void addPair(long pair, long bytes, long messages) {
    int mask = pairs.length - 1;
    int slot = (int) (((pair + 1) * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (pairs[slot] != 0 && pairs[slot] != pair + 1) {
      slot = (slot + 1) & mask;
    }
    pairBytes[slot] += bytes;
    pairMessages[slot] += messages;
    if (pairs[slot] == 0) {
      pairs[slot] = pair + 1;
      if (++pairCount > pairs.length / 2) {
        rehash();
      }
    }
  }

  private void rehash() {
    long[] oldPairs = pairs;
    long[] oldBytes = pairBytes;
    long[] oldMessages = pairMessages;
    pairs = new long[oldPairs.length * 2];
    pairBytes = new long[pairs.length];
    pairMessages = new long[pairs.length];
    pairCount = 0;
    for (int slot = 0; slot < oldPairs.length; slot++) {
      if (oldPairs[slot] != 0) {
        addPair(oldPairs[slot] - 1, oldBytes[slot], oldMessages[slot]);
      }
    }
  }

  /** The number of ranks. */
  public int rankSize() {
    return bytesIn.length;
  }

  /** The bytes that a rank receives. */
  public long bytesIn(int rank) {
    return bytesIn[rank];
  }

  /** The bytes that a rank sends. */
  public long bytesOut(int rank) {
    return bytesOut[rank];
  }

  /** The messages that a rank receives. */
  public long messagesIn(int rank) {
    return messagesIn[rank];
  }

  /** The messages that a rank sends. */
  public long messagesOut(int rank) {
    return messagesOut[rank];
  }

  /** The bytes of all messages. */
  public long bytes() {
    return Arrays.stream(bytesIn).sum();
  }

  /** The number of messages. */
  public long messages() {
    return Arrays.stream(messagesIn).sum();
  }

  /** The most bytes that any rank sends or receives. */
  public long busiestBytes() {
    return Math.max(
        Arrays.stream(bytesIn).max().orElse(0), Arrays.stream(bytesOut).max().orElse(0));
  }

  /**
   * The bytes that cross a level.
   *
   * @param level LEVEL0, LEVEL1 or LEVEL2
   */
  public long bytes(CommPlane level) {
    return links().stream()
        .filter(link -> link.level() == level)
        .mapToLong(LinkTraffic::bytes)
        .sum();
  }

  /** The pairs of ranks that exchange messages, by source, then by destination. */
  public List<LinkTraffic> links() {
    List<LinkTraffic> links = new ArrayList<>();
    for (int slot = 0; slot < pairs.length; slot++) {
      if (pairs[slot] != 0) {
        int src = (int) ((pairs[slot] - 1) >>> 32);
        int dst = (int) (pairs[slot] - 1);
        CommPlane level = NetworkModel.LEVELS.get(network.level(src, dst));
        links.add(new LinkTraffic(src, dst, level, pairBytes[slot], pairMessages[slot]));
      }
    }
    links.sort(Comparator.comparingInt(LinkTraffic::src).thenComparingInt(LinkTraffic::dst));
    return links;
  }
}
