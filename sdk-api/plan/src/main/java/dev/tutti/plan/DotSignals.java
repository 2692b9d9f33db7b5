package dev.tutti.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the AWAIT that each POST of a drawing releases. */
final class DotSignals {

  private final Map<Place, RankPlan> plans = new HashMap<>();
  private final Map<Cell, List<String>> awaits = new HashMap<>();
  private final List<Post> posts = new ArrayList<>();

  /** A rank's plan, by where it is nested. */
  private record Place(String place, int rank) {}

  /** A notify: one of a rank, or one at a rank's end of a link. */
  private record Cell(String place, int rank, int link, int index) {}

  private record Post(String place, RankPlan plan, int action, String node) {}

  /** Makes a plan known before its actions are added. */
  void enter(String place, RankPlan plan) {
    plans.put(new Place(place, plan.rank()), plan);
  }

  /** Adds a POST or AWAIT; those of one plan in their order. */
  void add(String place, RankPlan plan, int action, String node) {
    if (plan.kind(action) == ActionKind.POST) {
      posts.add(new Post(place, plan, action, node));
    } else {
      Cell cell = new Cell(place, plan.rank(), plan.link(action), plan.notify(action));
      awaits.computeIfAbsent(cell, c -> new ArrayList<>()).add(node);
    }
  }

  /** The nodes of each POST and of the AWAIT that it releases, where both are drawn. */
  List<String[]> pairs() {
    List<String[]> pairs = new ArrayList<>();
    Map<Cell, Integer> posted = new LinkedHashMap<>();
    for (Post post : posts) {
      Cell cell = target(post);
      List<String> waiting = cell == null ? List.of() : awaits.getOrDefault(cell, List.of());
      int count = cell == null ? 0 : posted.merge(cell, 1, Integer::sum) - 1;
      if (count < waiting.size()) {
        pairs.add(new String[] {post.node, waiting.get(count)});
      }
    }
    return pairs;
  }

  private @Nullable Cell target(Post post) {
    int link = post.plan.link(post.action);
    int index = post.plan.notify(post.action);
    if (link == RankPlan.NO_LINK) {
      return new Cell(post.place, post.plan.rank(), link, index);
    }
    int peer = post.plan.linkPeer(link);
    RankPlan other = plans.get(new Place(post.place, peer));
    int reverse = other == null ? -1 : GroupPlan.reverseLink(post.plan, other, link);
    return reverse < 0 ? null : new Cell(post.place, peer, reverse, index);
  }
}
