package dev.tutti.sdk.topology;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranks of a group are: ranks in nodes, nodes in pods. Ranks are numbered node by node,
 * pod by pod. Nodes may hold different numbers of ranks, and pods different numbers of nodes.
 * Immutable.
 */
public final class Topology {

  private static final int MAX_RANKS = 1 << 24;
  private static final Pattern BLANKS = Pattern.compile("\\s");

  /** A repeated pod: the factor, and the nodes. */
  private static final Pattern PODS = Pattern.compile("(\\d{1,8})x\\(([^()]*)\\)");

  /** A node, repeated or not: the factor, and the ranks. */
  private static final Pattern NODES = Pattern.compile("(?:(\\d{1,8})x)?(\\d{1,8})");

  /** A number that has more digits than the largest number of ranks. */
  private static final Pattern HUGE = Pattern.compile("(?<!\\d)0*[1-9]\\d{8,}");

  /** The first rank of each node; the last entry is the rank size. */
  private final int[] nodeStart;

  /** The first node of each pod; the last entry is the node count. */
  private final int[] podStart;

  private Topology(int[] nodeStart, int[] podStart) {
    this.nodeStart = nodeStart;
    this.podStart = podStart;
  }

  /**
   * All ranks on one node.
   *
   * @param ranks 1 to 16,777,216
   */
  public static Topology flat(int ranks) {
    return pods(List.of(new int[] {ranks}));
  }

  /**
   * One pod of nodes.
   *
   * @param ranksPerNode the number of ranks of each node, each 1 or more, for example {@code 8, 4}
   */
  public static Topology nodes(int... ranksPerNode) {
    Arguments.require(ranksPerNode, "ranksPerNode");
    return pods(List.of(ranksPerNode));
  }

  /**
   * Reads a topology: the ranks of each node, with {@code +} between nodes and {@code |} between
   * pods, for example {@code "8"}, {@code "8+4"} or {@code "8+8|8+4"}. A factor repeats a node or a
   * pod: {@code "3x4"} is {@code "4+4+4"}, and {@code "2x(4+4)"} is {@code "4+4|4+4"}. White space
   * does not matter. The method reads every text that {@link #toString} makes.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the text is not of that form;
   *     {@link ErrorCode#INVALID_RANK} as {@link #pods}, or if a factor is 0
   */
  public static Topology parse(String text) {
    Arguments.require(text, "text");
    List<int[]> pods = new ArrayList<>();
    long nodes = 0;
    String huge = HUGE.matcher(text).results().map(MatchResult::group).findFirst().orElse(null);
    if (huge != null) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a topology holds at most %d ranks. Actual: %s in '%s'",
          MAX_RANKS,
          huge,
          text);
    }
    for (String part : BLANKS.matcher(text).replaceAll("").split("\\|", -1)) {
      Matcher repeated = PODS.matcher(part);
      boolean isRepeated = repeated.matches();
      int times = isRepeated ? Integer.parseInt(repeated.group(1)) : 1;
      int[] pod = pod(isRepeated ? repeated.group(2) : part, text);
      nodes += (long) times * pod.length;
      checkRepeated(times, nodes);
      pods.addAll(Collections.nCopies(times, pod));
    }
    return pods(pods);
  }

  private static int[] pod(String part, String text) {
    List<Integer> nodes = new ArrayList<>();
    for (String node : part.split("\\+", -1)) {
      Matcher repeated = NODES.matcher(node);
      if (!repeated.matches()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "'%s' is not a topology such as 8+4 (nodes), 8+8|8+4 (nodes in pods) or 2x(8+8)",
            text);
      }
      String counted = repeated.group(1);
      int times = counted == null ? 1 : Integer.parseInt(counted);
      checkRepeated(times, (long) nodes.size() + times);
      nodes.addAll(Collections.nCopies(times, Integer.parseInt(repeated.group(2))));
    }
    return ints(nodes);
  }

  /** Refuses a factor of 0, and too many nodes before they are listed; each node has a rank. */
  private static void checkRepeated(int times, long nodes) {
    if (times == 0) {
      throw new TuttiException(ErrorCode.INVALID_RANK, "the number before x must be 1 or more");
    }
    if (nodes > MAX_RANKS) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "a topology holds at most %d ranks", MAX_RANKS);
    }
  }

  /**
   * Several pods of nodes.
   *
   * @param ranksPerNodePerPod for each pod, the number of ranks of each node
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if a pod is empty, a node has less
   *     than one rank, or there are more than 16,777,216 ranks
   */
  public static Topology pods(List<int[]> ranksPerNodePerPod) {
    Arguments.require(ranksPerNodePerPod, "ranksPerNodePerPod");
    List<Integer> nodes = new ArrayList<>();
    List<Integer> pods = new ArrayList<>();
    long ranks = 0;
    for (int[] pod : ranksPerNodePerPod) {
      pods.add(nodes.size());
      if (pod.length == 0) {
        throw new TuttiException(ErrorCode.INVALID_RANK, "a pod must have at least one node");
      }
      for (int size : pod) {
        if (size < 1) {
          throw new TuttiException(
              ErrorCode.INVALID_RANK,
              "a node must have at least one rank. Actual: %s",
              Arrays.toString(pod));
        }
        nodes.add((int) ranks);
        ranks += size;
        if (ranks > MAX_RANKS) {
          throw new TuttiException(
              ErrorCode.INVALID_RANK, "a topology holds at most %d ranks", MAX_RANKS);
        }
      }
    }
    if (pods.isEmpty()) {
      throw new TuttiException(ErrorCode.INVALID_RANK, "a topology must have at least one pod");
    }
    pods.add(nodes.size());
    nodes.add((int) ranks);
    return new Topology(ints(nodes), ints(pods));
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The number of ranks, 1 or more. */
  public int rankSize() {
    return nodeStart[nodeStart.length - 1];
  }

  /** The number of nodes in all pods. */
  public int nodeCount() {
    return nodeStart.length - 1;
  }

  /** The number of pods. */
  public int podCount() {
    return podStart.length - 1;
  }

  /** The node of a rank, counted through all pods. */
  public int nodeOf(int rank) {
    checkRank(rank);
    return slot(nodeStart, rank);
  }

  /** The pod of a rank. */
  public int podOf(int rank) {
    return slot(podStart, nodeOf(rank));
  }

  /** The position of a rank inside its node. */
  public int localIndex(int rank) {
    return rank - nodeStart[nodeOf(rank)];
  }

  /** The number of ranks of a node. */
  public int nodeSize(int node) {
    checkIndex("node", node, nodeCount());
    return nodeStart[node + 1] - nodeStart[node];
  }

  /** The number of nodes of a pod. */
  public int podSize(int pod) {
    checkIndex("pod", pod, podCount());
    return podStart[pod + 1] - podStart[pod];
  }

  /** Whether every node has the same number of ranks and every pod the same number of nodes. */
  public boolean isUniform() {
    for (int node = 1; node < nodeCount(); node++) {
      if (nodeSize(node) != nodeSize(0)) {
        return false;
      }
    }
    for (int pod = 1; pod < podCount(); pod++) {
      if (podSize(pod) != podSize(0)) {
        return false;
      }
    }
    return true;
  }

  /** The lowest level that joins two ranks: LEVEL0 in one node, LEVEL1 in one pod, else LEVEL2. */
  public CommPlane levelBetween(int rank, int other) {
    if (nodeOf(rank) == nodeOf(other)) {
      return CommPlane.LEVEL0;
    }
    return podOf(rank) == podOf(other) ? CommPlane.LEVEL1 : CommPlane.LEVEL2;
  }

  /**
   * The members of the plane at {@code level} that contains {@code rank}, in rank order.
   *
   * @see CommPlane
   */
  public RankList plane(CommPlane level, int rank) {
    Arguments.require(level, "level");
    checkRank(rank);
    return switch (level) {
      case COMBINED -> RankList.range(rankSize());
      case LEVEL0 -> {
        int node = nodeOf(rank);
        yield RankList.spaced(nodeStart[node], 1, nodeSize(node));
      }
      case LEVEL1 -> acrossNodes(podOf(rank), localIndex(rank));
      case LEVEL2 -> acrossPods(nodeOf(rank) - podStart[podOf(rank)], localIndex(rank));
    };
  }

  private RankList acrossNodes(int pod, int localIndex) {
    List<Integer> members = new ArrayList<>();
    for (int node = podStart[pod]; node < podStart[pod + 1]; node++) {
      if (localIndex < nodeSize(node)) {
        members.add(nodeStart[node] + localIndex);
      }
    }
    return RankList.of(ints(members));
  }

  private RankList acrossPods(int nodeInPod, int localIndex) {
    List<Integer> members = new ArrayList<>();
    for (int pod = 0; pod < podCount(); pod++) {
      int node = podStart[pod] + nodeInPod;
      if (nodeInPod < podSize(pod) && localIndex < nodeSize(node)) {
        members.add(nodeStart[node] + localIndex);
      }
    }
    return RankList.of(ints(members));
  }

  private void checkRank(int rank) {
    checkIndex("rank", rank, rankSize());
  }

  private static void checkIndex(String what, int index, int count) {
    if (index < 0 || index >= count) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "%s must be 0 to %d. Actual: %d", what, count - 1, index);
    }
  }

  /** The index of the last start that is not above the value. */
  private static int slot(int[] starts, int value) {
    int found = Arrays.binarySearch(starts, value);
    return found >= 0 ? found : -found - 2;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Topology that
        && Arrays.equals(nodeStart, that.nodeStart)
        && Arrays.equals(podStart, that.podStart);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(nodeStart) + Arrays.hashCode(podStart);
  }

  /** The shape, for example {@code "8+4"} for two nodes, with {@code " | "} between pods. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int pod = 0; pod < podCount(); pod++) {
      text.append(pod == 0 ? "" : " | ");
      for (int node = podStart[pod]; node < podStart[pod + 1]; node++) {
        text.append(node == podStart[pod] ? "" : "+").append(nodeSize(node));
      }
    }
    return text.toString();
  }
}
