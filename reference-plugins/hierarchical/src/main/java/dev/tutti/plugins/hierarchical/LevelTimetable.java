package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.plugins.template.PipelineCost.Round;
import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Adds up the three stages in nodes of any sizes, and segments that overlap: messages of a node and
 * of its lanes meet at ports.
 */
final class LevelTimetable {

  private static final int MAIN = 0;
  private static final int SLAVE = 1;

  private final AllReduceParam param;
  private final boolean isPulled;
  private final Shape shape;

  /** The ranks of each node. */
  private final List<List<Integer>> nodes;

  /** The lanes that are added up. */
  private final int lanes;

  private final Timetable table;

  /** For each rank of a lane what reduced its slice of the last two segments. */
  private final int[][] reduced;

  /**
   * Nodes of some sizes.
   *
   * @param nodeSizes of each node
   * @param lanes how many own a slice
   */
  record Shape(List<Integer> nodeSizes, int lanes) {

    static Shape of(AllReduceParam param) {
      Topology topology = param.comm().topology();
      return new Shape(
          IntStream.range(0, topology.nodeCount()).mapToObj(topology::nodeSize).toList(),
          Lanes.of(param.comm()).number());
    }

    /** As if there were fewer nodes: those that are taken lie at equal distances. */
    Shape sample(int number) {
      long all = nodeSizes.size();
      return new Shape(
          IntStream.range(0, number)
              .mapToObj(i -> nodeSizes.get((int) (i * all / number)))
              .toList(),
          lanes);
    }

    private int largest() {
      return Collections.max(nodeSizes);
    }

    private boolean isEven() {
      return nodeSizes.stream().allMatch(size -> size == lanes);
    }

    private List<List<Integer>> nodes() {
      List<List<Integer>> nodes = new ArrayList<>();
      int start = 0;
      for (int size : nodeSizes) {
        nodes.add(IntStream.range(start, start + size).boxed().toList());
        start += size;
      }
      return nodes;
    }
  }

  private LevelTimetable(
      AllReduceParam param, boolean isPulled, Shape shape, List<List<Integer>> nodes, int lanes) {
    this.param = param;
    this.isPulled = isPulled;
    this.shape = shape;
    this.nodes = nodes;
    this.lanes = lanes;
    int ranks = 1 + nodes.getLast().getLast();
    this.table = new Timetable(ranks, 2);
    this.reduced = new int[2][ranks];
  }

  /** What all ranks do in some rounds. */
  static Timetable ofAll(AllReduceParam param, boolean isPulled, Shape shape, List<Round> rounds) {
    return new LevelTimetable(param, isPulled, shape, shape.nodes(), shape.lanes()).with(rounds);
  }

  /**
   * What they would do if the largest node stood for all of them, and where all ranks are in lanes,
   * one rank for its node: it sends to itself what it would send to others, and gets as much.
   */
  static Timetable ofOne(AllReduceParam param, boolean isPulled, Shape shape, List<Round> rounds) {
    List<Integer> node =
        shape.isEven()
            ? Collections.nCopies(shape.largest(), 0)
            : IntStream.range(0, shape.largest()).boxed().toList();
    int lanes = shape.isEven() ? 1 : shape.lanes();
    return new LevelTimetable(param, isPulled, shape, List.of(node), lanes).with(rounds);
  }

  private Timetable with(List<Round> rounds) {
    rounds.forEach(round -> round.flows().forEach(this::addRound));
    return table;
  }

  private void addRound(List<Slice> segments) {
    if (segments.size() == 1) {
      scatter(segments.getFirst());
      reduceInLanes(segments.getFirst(), MAIN);
      gather(segments.getFirst());
      return;
    }
    for (int i = 0; i < segments.size() && !table.isTooLong(); i++) {
      scatter(segments.get(i));
      handToLanes();
      reduceInLanes(segments.get(i), SLAVE);
      inLanes().forEach(rank -> reduced[SLAVE][rank] = table.last(rank, SLAVE));
      if (i > 0) {
        gatherReduced(segments.get(i - 1));
      }
      inLanes().forEach(rank -> reduced[MAIN][rank] = reduced[SLAVE][rank]);
    }
    gatherReduced(segments.getLast());
  }

  private IntStream inLanes() {
    return nodes.stream().flatMap(node -> node.subList(0, lanes).stream()).mapToInt(rank -> rank);
  }

  private void handToLanes() {
    inLanes().forEach(rank -> table.join(rank, SLAVE, List.of(table.last(rank, MAIN))));
  }

  private void gatherReduced(Slice segment) {
    inLanes().forEach(rank -> table.join(rank, MAIN, List.of(reduced[MAIN][rank])));
    gather(segment);
  }

  /** The slice of each lane. */
  private List<Long> slices(Slice segment) {
    int elementSize = param.dataType().size();
    return Slice.partition(segment.size() / elementSize, shape.lanes(), elementSize).stream()
        .map(Slice::size)
        .toList();
  }

  private void scatter(Slice segment) {
    List<Long> slices = slices(segment);
    for (List<Integer> node : nodes) {
      if (isPulled) {
        pullOperands(node, slices);
      } else {
        pushOperands(node, slices);
      }
    }
  }

  private void pullOperands(List<Integer> node, List<Long> slices) {
    List<Integer> ready = node.stream().map(rank -> table.last(rank, MAIN)).toList();
    for (int lane = 0; lane < lanes; lane++) {
      int owner = node.get(lane);
      long bytes = slices.get(lane);
      if (bytes > 0) {
        List<Integer> others = new ArrayList<>(node);
        others.remove(/* index */ lane);
        table.add(owner, MAIN, others, owner, bytes, others.size() * bytes, ready);
      }
    }
  }

  private void pushOperands(List<Integer> node, List<Long> slices) {
    List<Message> messages = new ArrayList<>();
    for (int distance = 1; distance < node.size(); distance++) {
      for (int from = 0; from < node.size(); from++) {
        int to = (from + distance) % node.size();
        if (to < lanes && slices.get(to) > 0) {
          messages.add(new Message(node.get(from), node.get(to), slices.get(to)));
        }
      }
    }
    table.exchange(MAIN, messages, false);
    for (int lane = 0; lane < lanes; lane++) {
      int owner = node.get(lane);
      long combined = (node.size() - 1) * slices.get(lane);
      table.add(owner, MAIN, List.of(), owner, 0, combined, List.of());
    }
  }

  /** Owners offer to those behind them in turn; who reads begins with the one before it. */
  private void gather(Slice segment) {
    List<Long> slices = slices(segment);
    for (List<Integer> node : nodes) {
      List<Message> messages = new ArrayList<>();
      for (int distance = 1; distance < node.size(); distance++) {
        for (int from = 0; from < node.size(); from++) {
          int to = (from + distance) % node.size();
          if (from < lanes && slices.get(from) > 0) {
            messages.add(new Message(node.get(from), node.get(to), slices.get(from)));
          }
        }
      }
      table.exchange(MAIN, messages, isPulled);
    }
  }

  /** Each lane reduces and gathers around its ring. */
  private void reduceInLanes(Slice segment, int stream) {
    List<Long> slices = slices(segment);
    int elementSize = param.dataType().size();
    boolean pulls = param.comm().protocol(Lanes.plane()) == Protocol.DIRECT;
    for (int lane = 0; lane < lanes; lane++) {
      if (slices.get(lane) == 0 || shape.nodeSizes().size() == 1) {
        continue;
      }
      int own = lane;
      List<Integer> members = nodes.stream().map(node -> node.get(own)).toList();
      List<Slice> parts =
          Slice.partition(slices.get(lane) / elementSize, shape.nodeSizes().size(), elementSize);
      addRing(stream, members, parts, pulls, true);
      addRing(stream, members, parts, pulls, false);
    }
  }

  /** A reduce-scatter begins with the part two places before a member's own, an all-gather one. */
  private void addRing(
      int stream, List<Integer> members, List<Slice> parts, boolean pulls, boolean combines) {
    int size = shape.nodeSizes().size();
    for (int step = 0; step < size - 1 && !table.isTooLong(); step++) {
      int place = step + (combines ? 2 : 1);
      table.ringStep(
          stream,
          members,
          member -> parts.get(Math.floorMod(member - place, size)).size(),
          pulls,
          combines);
    }
    table.endRing(stream, members);
  }
}
