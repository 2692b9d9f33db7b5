package dev.tutti.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Who waits for whom when a plan is stuck, in words. */
final class WaitGraph {

  private static final int NOBODY = -1;
  private static final int MAX_LISTED = 8;

  private final List<FlatStream> streams;
  private final int[] position;

  /** For each cell that is waited for, the first stream that has yet to post it. */
  private final Map<Integer, Integer> poster = new HashMap<>();

  /**
   * A stuck plan.
   *
   * @param position for each stream the event it waits at, or its size if it is done
   */
  WaitGraph(FlatPlan plan, int[] position) {
    this.streams = plan.streams();
    this.position = position;
    for (int stream = 0; stream < position.length; stream++) {
      if (isStuck(stream)) {
        poster.put(awaitedCell(stream), NOBODY);
      }
    }
    for (int stream = position.length - 1; stream >= 0; stream--) {
      FlatStream code = streams.get(stream);
      for (int event = position[stream]; event < code.size(); event++) {
        int sync = code.sync(event);
        if (FlatStream.isPost(sync) && poster.containsKey(FlatStream.cell(sync))) {
          poster.put(FlatStream.cell(sync), stream);
        }
      }
    }
  }

  private boolean isStuck(int stream) {
    return position[stream] < streams.get(stream).size();
  }

  private int awaitedCell(int stream) {
    return FlatStream.cell(streams.get(stream).sync(position[stream]));
  }

  private int waitsFor(int stream) {
    return poster.getOrDefault(awaitedCell(stream), NOBODY);
  }

  /** The cycle of waits, or the streams that wait for what nobody will post. */
  String describe() {
    List<Integer> cycle = cycle();
    if (!cycle.isEmpty()) {
      StringJoiner text = new StringJoiner(", ", "deadlock, a cycle of waits: ", "");
      for (int i = 0; i < Math.min(cycle.size(), MAX_LISTED); i++) {
        text.add(line(cycle.get(i)));
      }
      return cycle.size() > MAX_LISTED
          ? text + ", … " + cycle.size() + " streams"
          : text.toString();
    }
    StringJoiner text = new StringJoiner(", ", "deadlock: ", "");
    int listed = 0;
    for (int stream = 0; stream < position.length; stream++) {
      if (isStuck(stream) && waitsFor(stream) == NOBODY && listed++ < MAX_LISTED) {
        text.add(line(stream));
      }
    }
    return listed > MAX_LISTED ? text + ", … " + listed + " streams" : text.toString();
  }

  /** Streams each of which waits for the next one, and the last for the first; empty if none. */
  private List<Integer> cycle() {
    int[] visitedFrom = new int[position.length];
    for (int start = 0; start < position.length; start++) {
      int stream = start;
      while (stream != NOBODY && isStuck(stream) && visitedFrom[stream] == 0) {
        visitedFrom[stream] = start + 1;
        stream = waitsFor(stream);
      }
      if (stream != NOBODY && isStuck(stream) && visitedFrom[stream] == start + 1) {
        List<Integer> cycle = new ArrayList<>();
        int member = stream;
        do {
          cycle.add(member);
          member = waitsFor(member);
        } while (member != stream);
        return cycle;
      }
    }
    return List.of();
  }

  private String line(int stream) {
    int other = waitsFor(stream);
    return streams.get(stream).describe(position[stream])
        + (other == NOBODY ? ", which nobody posts" : " waits for " + streams.get(other).name());
  }

  /** Says which post of a cell has not been awaited. */
  static String describeLeftOver(FlatPlan plan, int cell, long count) {
    String post = "a notify";
    for (FlatStream stream : plan.streams()) {
      for (int event = 0; event < stream.size(); event++) {
        int sync = stream.sync(event);
        if (FlatStream.isPost(sync) && FlatStream.cell(sync) == cell) {
          post = stream.describe(event);
        }
      }
    }
    return post
        + " is never awaited: "
        + count
        + (count == 1 ? " signal" : " signals")
        + " left over";
  }
}
