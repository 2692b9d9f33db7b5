package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the three stages cost in nodes of any sizes, and if segments overlap: messages of a node and
 * of its lanes meet at ports.
 */
final class LevelTimetable {

  private static final int MAIN = 0;
  private static final int SLAVE = 1;

  private final AllReduceParam param;
  private final Topology topology;
  private final int lanes;
  private final boolean isPulled;
  private final Timetable table;

  /** For each rank of a lane what reduced its slice of the last two segments. */
  private final int[][] reduced;

  LevelTimetable(AllReduceParam param, boolean isPulled) {
    this.param = param;
    this.topology = param.comm().topology();
    this.lanes = Lanes.of(param.comm()).number();
    this.isPulled = isPulled;
    this.table = new Timetable(topology.rankSize(), 2);
    this.reduced = new int[2][topology.rankSize()];
  }

  /** What all rounds cost; empty if that is too long to add up. */
  Optional<Cost> ofRounds(long perRound) {
    for (long done = 0; done < param.count() && !table.isTooLong(); done += perRound) {
      addRound(Segments.of(param, Math.min(perRound, param.count() - done)));
    }
    return table.cost();
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
    return IntStream.range(0, topology.rankSize())
        .filter(rank -> topology.localIndex(rank) < lanes);
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
    return Slice.partition(segment.size() / elementSize, lanes, elementSize).stream()
        .map(Slice::size)
        .toList();
  }

  private List<List<Integer>> nodes() {
    List<List<Integer>> nodes = new ArrayList<>();
    int start = 0;
    for (int node = 0; node < topology.nodeCount(); node++) {
      nodes.add(IntStream.range(start, start + topology.nodeSize(node)).boxed().toList());
      start += topology.nodeSize(node);
    }
    return nodes;
  }

  private void scatter(Slice segment) {
    List<Long> slices = slices(segment);
    for (List<Integer> node : nodes()) {
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
        List<Integer> others = node.stream().filter(rank -> rank != owner).toList();
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
    for (List<Integer> node : nodes()) {
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
    int nodes = topology.nodeCount();
    for (int lane = 0; lane < lanes; lane++) {
      if (slices.get(lane) == 0 || nodes == 1) {
        continue;
      }
      int own = lane;
      List<Integer> members = nodes().stream().map(node -> node.get(own)).toList();
      List<Slice> parts = Slice.partition(slices.get(lane) / elementSize, nodes, elementSize);
      addRing(stream, members, parts, pulls, true);
      addRing(stream, members, parts, pulls, false);
    }
  }

  /** A reduce-scatter begins with the part two places before a member's own, an all-gather one. */
  private void addRing(
      int stream, List<Integer> members, List<Slice> parts, boolean pulls, boolean combines) {
    int nodes = members.size();
    for (int step = 0; step < nodes - 1; step++) {
      int place = step + (combines ? 2 : 1);
      table.ringStep(
          stream,
          members,
          member -> parts.get(Math.floorMod(member - place, nodes)).size(),
          pulls,
          combines);
    }
    table.endRing(stream, members);
  }
}
