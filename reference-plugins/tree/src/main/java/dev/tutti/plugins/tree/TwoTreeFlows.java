package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.PipelineCost.Round;
import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What two trees cost whose ranks send when they can: each tree has streams of its own, and where
 * flows meet in a rank, they wait for one another.
 */
final class TwoTreeFlows {

  private final int ranks;
  private final int root;
  private final int streams;
  private final Timetable table;

  private TwoTreeFlows(int ranks, int root, int streams) {
    this.ranks = ranks;
    this.root = root;
    this.streams = streams;
    this.table = new Timetable(ranks, streams);
  }

  /** Of broadcasts: tree t has stream t. */
  static Timetable ofBroadcasts(int ranks, int root, List<Round> rounds) {
    TwoTreeFlows flows = new TwoTreeFlows(ranks, root, TwoTreeSchedule.TREES);
    rounds.forEach(round -> flows.broadcast(round.flows()));
    return flows.table;
  }

  /** Of all-reduces: tree t has stream 2t up and 2t + 1 down, but stream t at the top. */
  static Timetable ofAllReduces(int ranks, List<Round> rounds) {
    TwoTreeFlows flows = new TwoTreeFlows(ranks, 0, 2 * TwoTreeSchedule.TREES);
    rounds.forEach(round -> flows.allReduce(round.flows()));
    return flows.table;
  }

  /** Adds a broadcast of the segments of each tree. */
  private void broadcast(List<List<Slice>> segments) {
    fork();
    for (int tree = 0; tree < segments.size() && !table.isTooLong(); tree++) {
      Flow flow = new Flow(new DoubleTree(ranks, tree == 1), tree, tree, tree);
      Iterator<Slice> next = segments.get(tree).iterator();
      while (next.hasNext() && !table.isTooLong()) {
        flow.passDown(next.next().size());
      }
      flow.endDown();
    }
    join();
  }

  /** Adds an all-reduce of the segments of each tree. */
  private void allReduce(List<List<Slice>> segments) {
    fork();
    for (int tree = 0; tree < segments.size() && !table.isTooLong(); tree++) {
      Flow flow = new Flow(new DoubleTree(ranks, tree == 1), tree, 2 * tree, 2 * tree + 1);
      Iterator<Slice> next = segments.get(tree).iterator();
      while (next.hasNext() && !table.isTooLong()) {
        long bytes = next.next().size();
        flow.passUp(bytes);
        flow.passDown(bytes);
      }
      flow.endUp();
      flow.endDown();
    }
    join();
  }

  /** The streams of a rank begin a round together. */
  private void fork() {
    for (int rank = 0; rank < ranks; rank++) {
      for (int stream = 1; stream < streams; stream++) {
        table.join(rank, stream, List.of(table.last(rank, 0)));
      }
    }
  }

  private void join() {
    for (int rank = 0; rank < ranks; rank++) {
      int own = rank;
      table.join(
          rank,
          0,
          IntStream.range(1, streams).mapToObj(stream -> table.last(own, stream)).toList());
    }
  }

  /** One tree in one round. */
  private final class Flow {

    private final DoubleTree tree;
    private final int atTop;
    private final int up;
    private final int down;

    /** All places, each behind the one above it. */
    private final List<Integer> places = new ArrayList<>(List.of(0));

    /** What each place did before it offers its first segment. */
    private final int[] offered;

    /** What brought each place its last segment from above. */
    private final int[] brought;

    /** What each place did with the last two segments from above. */
    private int[] sent;

    private int[] sentBefore;

    /** What combined the last two segments at each place. */
    private int[] sum;

    private int[] sumBefore;

    Flow(DoubleTree tree, int atTop, int up, int down) {
      this.tree = tree;
      this.atTop = atTop;
      this.up = up;
      this.down = down;
      for (int i = 0; i < places.size(); i++) {
        places.addAll(tree.children(places.get(i)));
      }
      int[] open = lasts(down);
      this.offered = lasts(up);
      this.brought = open.clone();
      this.sent = open.clone();
      this.sentBefore = open.clone();
      this.sum = offered.clone();
      this.sumBefore = offered.clone();
    }

    private int[] lasts(int stream) {
      return IntStream.range(0, ranks)
          .map(place -> table.last(rank(place), place == 0 ? atTop : stream))
          .toArray();
    }

    private int rank(int place) {
      return (place + root) % ranks;
    }

    /** Each place combines what its children offer, at most two segments ahead of its parent. */
    void passUp(long bytes) {
      int[] next = offered.clone();
      for (int place : places.reversed()) {
        List<Integer> children = tree.children(place);
        if (!children.isEmpty()) {
          List<Integer> after = new ArrayList<>();
          children.forEach(child -> after.add(next[child]));
          if (place != 0) {
            after.add(sumBefore[tree.parent(place)]);
          }
          next[place] =
              table.add(
                  rank(place),
                  place == 0 ? atTop : up,
                  children.stream().map(this::rank).toList(),
                  rank(place),
                  bytes,
                  children.size() * bytes,
                  after);
        }
      }
      sumBefore = sum;
      sum = next;
    }

    /**
     * Each place sends what it got from above. It is open for the next segment before that, so two
     * segments ahead of what it sends.
     */
    void passDown(long bytes) {
      int[] next = sent.clone();
      for (int place : places) {
        for (int child : tree.children(place)) {
          next[place] =
              table.add(
                  rank(place),
                  place == 0 ? atTop : down,
                  List.of(rank(place)),
                  rank(child),
                  bytes,
                  0,
                  List.of(brought[place], sentBefore[child]));
          brought[child] = next[place];
        }
      }
      sentBefore = sent;
      sent = next;
    }

    /** A place waits until its last offer has been taken. */
    void endUp() {
      for (int place : places.subList(1, ranks)) {
        table.join(rank(place), up, List.of(sum[tree.parent(place)]));
      }
    }

    /** A place waits for its last segment. */
    void endDown() {
      for (int place : places.subList(1, ranks)) {
        table.join(rank(place), down, List.of(brought[place]));
      }
    }
  }
}
