package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Describes which streams wait for which when a plan is stuck. */
public final class WaitGraph {

  private static final int NOBODY = -1;
  private static final int MAX_LISTED = 8;

  private final List<FlatStream> streams;
  private final int[] position;

  /**
   * An await that blocks a stream, and the post that would release it.
   *
   * @param post the event of that post in its stream; -1 if no stream posts it
   */
  public record Wait(int stream, int event, int postStream, int post) {}

  /** For each awaited cell, the first stream that has not yet posted it. */
  private final Map<Integer, Integer> poster = new HashMap<>();

  /**
   * The waits of a stuck plan.
   *
   * @param position for each stream the event it waits at, or its size if it is done
   */
  public WaitGraph(FlatPlan plan, int[] position) {
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

  /**
   * The cycle of waits, or the streams that wait for signals that will never be posted, in one
   * line.
   */
  public String describe() {
    List<Integer> cycle = cycle();
    List<Integer> shown = cycle.isEmpty() ? forsaken() : cycle;
    StringJoiner text = new StringJoiner(", ", cycle.isEmpty() ? "" : "a cycle of waits: ", "");
    for (int stream : shown.subList(0, Math.min(shown.size(), MAX_LISTED))) {
      text.add(line(stream));
    }
    return shown.size() > MAX_LISTED ? text + ", … " + shown.size() + " streams" : text.toString();
  }

  /** The awaits that block the streams of {@link #waits}. */
  public List<ActionRef> actions() {
    return shown().stream().map(stream -> streams.get(stream).ref(position[stream])).toList();
  }

  /**
   * The waits of the cycle, each for a post of the next one's stream; if there is no cycle, the
   * waits for signals that are never posted.
   */
  public List<Wait> waits() {
    return shown().stream().map(this::waitOf).toList();
  }

  private Wait waitOf(int stream) {
    int other = waitsFor(stream);
    if (other == NOBODY) {
      return new Wait(stream, position[stream], NOBODY, NOBODY);
    }
    int cell = awaitedCell(stream);
    FlatStream code = streams.get(other);
    int post = position[other];
    while (!(FlatStream.isPost(code.sync(post)) && FlatStream.cell(code.sync(post)) == cell)) {
      post++;
    }
    return new Wait(stream, position[stream], other, post);
  }

  /** For each await of the cycle, the post that would release it, and the place of that post. */
  public String explain() {
    StringJoiner text = new StringJoiner("\n");
    waits().forEach(each -> text.add(explain(each)));
    int more = involved().size() - shown().size();
    if (more > 0) {
      text.add("… and " + more + " more streams");
    }
    return text.toString();
  }

  private List<Integer> involved() {
    List<Integer> cycle = cycle();
    return cycle.isEmpty() ? forsaken() : cycle;
  }

  private List<Integer> shown() {
    List<Integer> all = involved();
    return all.subList(0, Math.min(all.size(), MAX_LISTED));
  }

  /** What a stream waits for, and why the post that would release it does not happen. */
  private String explain(Wait each) {
    String wait = place(each.stream, each.event) + " waits for ";
    return each.post == NOBODY
        ? wait + "a post that is in no stream, or was taken by another await"
        : wait
            + place(each.postStream, each.post)
            + ", which comes after "
            + place(each.postStream, position[each.postStream]);
  }

  private String place(int stream, int event) {
    FlatStream code = streams.get(stream);
    return code.describe(event)
        + (code.isAction(event) ? " (action " + code.action(event) + ")" : "");
  }

  /** The streams that wait for signals that will never be posted. */
  private List<Integer> forsaken() {
    List<Integer> all = new ArrayList<>();
    for (int stream = 0; stream < position.length; stream++) {
      if (isStuck(stream) && waitsFor(stream) == NOBODY) {
        all.add(stream);
      }
    }
    return all;
  }

  /**
   * Streams that each wait for the next one, and the last for the first; empty if there are none.
   */
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

  /** Describes the signals of a cell that have not been awaited. */
  public static String describeLeftOver(FlatPlan plan, int cell, long count) {
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
