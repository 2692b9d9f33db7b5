package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.LongestChain;
import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.plugins.template.LongestChain.Unit;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * What the steps of a {@link TwoTreeSchedule} cost: a message begins when both its ends have done
 * their steps before.
 */
final class TwoTreeCost {

  private final TwoTreeSchedule schedule;
  private final LongestChain messages;
  private final LongestChain moved;
  private final LongestChain combined;

  /** Of no steps so far. */
  TwoTreeCost(TwoTreeSchedule schedule) {
    this.schedule = schedule;
    int places = schedule.tree(0).size();
    this.messages = new LongestChain(Unit.MESSAGES, places);
    this.moved = new LongestChain(Unit.MOVED, places);
    this.combined = new LongestChain(Unit.COMBINED, places);
  }

  /** Adds a broadcast of the segments of each tree. */
  void addDown(List<List<Slice>> segments) {
    add(segments, false);
  }

  /** Adds a reduction of the segments of each tree, and then a broadcast of them. */
  void addUpAndDown(List<List<Slice>> segments) {
    add(segments, true);
    add(segments, false);
  }

  private void add(List<List<Slice>> segments, boolean isUp) {
    int most = segments.stream().mapToInt(List::size).max().orElse(0);
    int[][] starts = starts(isUp);
    for (int step = 0; step <= schedule.last() + 2 * (most - 1); step++) {
      List<Message> all = new ArrayList<>();
      for (int tree = 0; tree < segments.size(); tree++) {
        addMessages(all, tree, segments.get(tree), step, isUp, starts[tree]);
      }
      messages.step(all);
      moved.step(all);
      combined.step(isUp ? all : withoutBytes(all));
    }
  }

  /** Down the trees nothing is combined, but ranks wait for one another. */
  private static List<Message> withoutBytes(List<Message> messages) {
    return messages.stream().map(each -> new Message(each.from(), each.to(), 0)).toList();
  }

  private int[][] starts(boolean isUp) {
    int[][] starts = new int[TwoTreeSchedule.TREES][schedule.tree(0).size()];
    for (int tree = 0; tree < starts.length; tree++) {
      for (int place = 1; place < starts[tree].length; place++) {
        starts[tree][place] = schedule.start(tree, place, isUp);
      }
    }
    return starts;
  }

  private void addMessages(
      List<Message> all, int tree, List<Slice> segments, int step, boolean isUp, int[] starts) {
    for (int place = 1; place < starts.length; place++) {
      int late = step - starts[place];
      if (late >= 0 && late % 2 == 0 && late / 2 < segments.size()) {
        int parent = schedule.tree(tree).parent(place);
        long bytes = segments.get(late / 2).size();
        all.add(isUp ? new Message(place, parent, bytes) : new Message(parent, place, bytes));
      }
    }
  }

  /** What all that was added costs. */
  Cost cost() {
    return new Cost(messages.length(), moved.length(), combined.length());
  }
}
