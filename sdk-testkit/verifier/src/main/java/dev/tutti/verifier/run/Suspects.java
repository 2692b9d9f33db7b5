package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows the chain of waits from a stream to the root cause, and explains why the last stream is
 * late.
 */
final class Suspects {

  /*
   * A stream that waits for a cell waits for the first stream that has yet to post that cell. If
   * that stream also waits, the search continues from it. Otherwise it is the cause: its rank is
   * dead, or it is late. If no stream has yet to post the cell, there are two causes. Either the
   * signal was lost on its way, and the diagnosis names the rank that last posted it, or no stream
   * ever posts it. If the waits return to a stream that was already visited, no rank is at fault:
   * the plan has a cycle.
   */
  private static final int NOBODY = -1;
  private static final int MAX_LISTED = 6;

  private final List<FlatStream> streams;
  private final int[] position;
  private final BitSet waiting;
  private final BitSet dead;

  /** For each cell, the first stream that has yet to post it. */
  private final Map<Integer, Integer> willPost = new HashMap<>();

  /** For each cell, the last post that has been done: a stream and an event. */
  private final Map<Integer, int[]> hasPosted = new HashMap<>();

  /**
   * A snapshot of a run.
   *
   * @param position for each stream, its next event, or its size if it is done; copied
   * @param waiting the streams whose next event waits for a notify that is not set; not copied, so
   *     it must not change later
   * @param dead the ranks that have died; not copied either
   */
  Suspects(FlatPlan plan, int[] position, BitSet waiting, BitSet dead) {
    this.streams = plan.streams();
    this.position = position.clone();
    this.waiting = waiting;
    this.dead = dead;
  }

  /**
   * Follows the waits from one stream.
   *
   * @param first a stream that waits
   * @param opening the problem of that stream, as a clause without a subject
   */
  Diagnosis follow(int first, String opening) {
    return new Diagnosis(() -> told(first, opening));
  }

  /** Finds the posts of all cells: the next one, and the last one that has been done. */
  private void findPosts() {
    for (int stream = 0; stream < position.length; stream++) {
      FlatStream code = streams.get(stream);
      for (int event = 0; event < code.size(); event++) {
        int sync = code.sync(event);
        if (!FlatStream.isPost(sync)) {
          continue;
        }
        if (event >= position[stream]) {
          willPost.putIfAbsent(FlatStream.cell(sync), stream);
        } else {
          hasPosted.put(FlatStream.cell(sync), new int[] {stream, event});
        }
      }
    }
  }

  private Diagnosis.Told told(int first, String opening) {
    findPosts();
    List<ActionRef> chain = new ArrayList<>();
    StringBuilder text = new StringBuilder(at(first) + " " + opening);
    BitSet seen = new BitSet();
    int stream = first;
    chain.add(ref(first));
    while (true) {
      seen.set(stream);
      int rank = streams.get(stream).rank();
      if (dead.get(rank) || !waiting.get(stream)) {
        String why = dead.get(rank) ? " has died" : " is late";
        return cause(rank, text, "rank " + rank + why, chain, stream);
      }
      int next = willPost.getOrDefault(awaited(stream), NOBODY);
      if (next == NOBODY) {
        return lost(stream, text, chain);
      }
      int steps = seen.cardinality();
      if (steps <= MAX_LISTED) {
        text.append(steps == 1 ? ": it waits for " : ", which waits for ").append(at(next));
        chain.add(ref(next));
      } else if (steps == MAX_LISTED + 1) {
        text.append(", which waits for …");
      }
      if (seen.get(next)) {
        return cause(rank, text, "a cycle of waits, which no rank can leave", chain, stream);
      }
      stream = next;
    }
  }

  private Diagnosis.Told cause(
      int rank, StringBuilder text, String why, List<ActionRef> chain, int stream) {
    ActionRef last = ref(stream);
    if (!chain.contains(last)) {
      chain.add(last);
    }
    return new Diagnosis.Told(rank, text + "; root cause: " + why, chain);
  }

  private Diagnosis.Told lost(int stream, StringBuilder text, List<ActionRef> chain) {
    int[] post = hasPosted.get(awaited(stream));
    int rank = streams.get(stream).rank();
    if (post == null) {
      return cause(rank, text, "nothing posts that notify", chain, stream);
    }
    FlatStream poster = streams.get(post[0]);
    chain.add(poster.ref(post[1]));
    String why = "the signal of " + poster.describe(post[1]) + " has been lost";
    return cause(poster.rank(), text, why, chain, stream);
  }

  private int awaited(int stream) {
    return FlatStream.cell(streams.get(stream).sync(position[stream]));
  }

  private ActionRef ref(int stream) {
    return streams.get(stream).ref(Math.min(position[stream], streams.get(stream).size() - 1));
  }

  private String at(int stream) {
    return streams.get(stream).describe(position[stream]);
  }
}
