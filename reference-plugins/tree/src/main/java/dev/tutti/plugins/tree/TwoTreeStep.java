package dev.tutti.plugins.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The messages of one place in one step of a {@link TwoTreeSchedule}: one sent, one received, or
 * both.
 *
 * @param sent the sent message, if any
 * @param received the received message, if any
 */
record TwoTreeStep(List<Hop> sent, List<Hop> received) {

  /**
   * One segment between this place and another one.
   *
   * @param peer the other place
   */
  record Hop(int tree, int segment, int peer) {}

  /**
   * The steps of a place in which it does something, in order.
   *
   * @param segments the number of segments that each tree carries
   * @param isUp whether they go up
   */
  static List<TwoTreeStep> of(
      TwoTreeSchedule schedule, int place, List<Integer> segments, boolean isUp) {
    Map<Integer, TwoTreeStep> steps = new TreeMap<>();
    for (int tree = 0; tree < segments.size(); tree++) {
      for (int segment = 0; segment < segments.get(tree); segment++) {
        if (place != 0) {
          Hop hop = new Hop(tree, segment, schedule.tree(tree).parent(place));
          TwoTreeStep step = at(steps, schedule.start(tree, place, isUp) + 2 * segment);
          (isUp ? step.sent : step.received).add(hop);
        }
        for (int child : schedule.tree(tree).children(place)) {
          Hop hop = new Hop(tree, segment, child);
          TwoTreeStep step = at(steps, schedule.start(tree, child, isUp) + 2 * segment);
          (isUp ? step.received : step.sent).add(hop);
        }
      }
    }
    return List.copyOf(steps.values());
  }

  private static TwoTreeStep at(Map<Integer, TwoTreeStep> steps, int step) {
    return steps.computeIfAbsent(step, _ -> new TwoTreeStep(new ArrayList<>(), new ArrayList<>()));
  }
}
