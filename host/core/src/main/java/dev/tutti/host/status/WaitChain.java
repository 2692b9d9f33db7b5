package dev.tutti.host.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows the chain of waiting ranks, from the first one to the cause of all the waits. */
final class WaitChain {

  private final List<RankStatus> chain = new ArrayList<>();

  /** Whether the last rank of the chain waits for the first one. */
  private boolean isCycle;

  private WaitChain() {}

  static WaitChain of(List<RankStatus> ranks) {
    WaitChain found = new WaitChain();
    RankStatus next = first(ranks);
    while (next != null) {
      int seen = found.chain.indexOf(next);
      if (seen >= 0) {
        found.chain.subList(0, seen).clear();
        found.isCycle = true;
        return found;
      }
      found.chain.add(next);
      next = awaited(next, ranks);
    }
    return found;
  }

  private static @Nullable RankStatus first(List<RankStatus> ranks) {
    return ranks.stream().filter(RankStatus::isWaiting).findFirst().orElse(null);
  }

  /** One of the ranks that a rank waits for: one that does not wait itself, or else the first. */
  private static @Nullable RankStatus awaited(RankStatus waiting, List<RankStatus> ranks) {
    Set<Integer> awaited = Set.copyOf(waiting.waitsFor());
    List<RankStatus> all =
        ranks.stream()
            .filter(each -> awaited.contains(each.rank()) && !each.equals(waiting))
            .toList();
    return all.stream()
        .filter(each -> !each.isWaiting())
        .findFirst()
        .orElse(all.isEmpty() ? null : all.getFirst());
  }

  /** A sentence without its full stop; empty if no rank waits. */
  String cause() {
    if (chain.isEmpty()) {
      return "";
    }
    if (isCycle) {
      String names = chain.stream().map(RankStatus::name).collect(Collectors.joining(", "));
      return names + " wait for each other";
    }
    RankStatus last = chain.getLast();
    return last.isWaiting() ? last.toString() : "what the others wait for: " + last;
  }
}
