package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins several plans into one. Each rank's plan nests its parts in one stream. Each order between
 * ranks gets its own notify, on a link between the two ranks.
 */
final class PlanSequence {

  private static final int NOTIFIES_PER_LINK = 1 << LinkTable.NOTIFY_BITS;

  private final List<GroupPlan> plans;
  private final int ranks;
  private final Interner interner = new Interner();
  private final List<List<LinkTable.Entry>> links = new ArrayList<>();
  private final List<List<Sync>> posts = new ArrayList<>();
  private final List<List<Sync>> awaits = new ArrayList<>();

  /** A post after a part, or an await before it. */
  private record Sync(int part, int peer, int number) {}

  private record Pair(int from, int to) {}

  private PlanSequence(List<GroupPlan> plans) {
    this.plans = plans;
    this.ranks = plans.getFirst().rankSize();
    for (int rank = 0; rank < ranks; rank++) {
      links.add(new ArrayList<>());
      posts.add(new ArrayList<>());
      awaits.add(new ArrayList<>());
    }
  }

  static List<RankPlan> of(List<GroupPlan> plans, List<PartOrder> orders) {
    if (plans.isEmpty()) {
      throw new TuttiException(ErrorCode.INVALID_PLAN, "a sequence must have at least one plan");
    }
    PlanSequence sequence = new PlanSequence(plans);
    plans.forEach(sequence::checkLike);
    sequence.addOrders(orders);
    return sequence.build();
  }

  private void checkLike(GroupPlan plan) {
    GroupPlan first = plans.getFirst();
    if (plan.rankSize() != first.rankSize() || plan.inPlace() != first.inPlace()) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "plans of a sequence must agree in rank size and in-place. Actual: %s of %d ranks%s, %s"
              + " of %d ranks%s",
          first.name(),
          first.rankSize(),
          first.inPlace() ? " in place" : "",
          plan.name(),
          plan.rankSize(),
          plan.inPlace() ? " in place" : "");
    }
  }

  private void addOrders(List<PartOrder> orders) {
    Map<Pair, Integer> counts = new LinkedHashMap<>();
    for (PartOrder order : orders) {
      check(order);
      int number = counts.merge(new Pair(order.rank(), order.laterRank()), 1, Integer::sum) - 1;
      posts.get(order.rank()).add(new Sync(order.part(), order.laterRank(), number));
      awaits.get(order.laterRank()).add(new Sync(order.laterPart(), order.rank(), number));
    }
    counts.forEach(
        (pair, count) -> {
          int back = counts.getOrDefault(new Pair(pair.to, pair.from), 0);
          if (count > back || (count == back && pair.from < pair.to)) {
            addLinks(pair, count);
          }
        });
  }

  private void check(PartOrder order) {
    boolean isForward =
        order.part() >= 0 && order.part() < order.laterPart() && order.laterPart() < plans.size();
    boolean isBetweenRanks =
        order.rank() >= 0
            && order.rank() < ranks
            && order.laterRank() >= 0
            && order.laterRank() < ranks
            && order.rank() != order.laterRank();
    if (!isForward || !isBetweenRanks) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "an order must lead from a part to a later one of %d, and from a rank to another one of"
              + " %d. Actual: %s",
          plans.size(),
          ranks,
          order);
    }
  }

  /** Adds the links that two ranks need for their orders; both ends have equal kinds. */
  private void addLinks(Pair pair, int notifies) {
    for (int first = 0; first < notifies; first += NOTIFIES_PER_LINK) {
      LinkKind kind =
          interner.value(
              new LinkKind(
                  CommPlane.COMBINED,
                  first / NOTIFIES_PER_LINK,
                  Protocol.DIRECT,
                  false,
                  Math.min(NOTIFIES_PER_LINK, notifies - first),
                  TransportMemType.PARAM_INPUT,
                  TransportMemType.PARAM_OUTPUT));
      links.get(pair.from).add(new LinkTable.Entry(kind, pair.to));
      links.get(pair.to).add(new LinkTable.Entry(kind, pair.from));
    }
  }

  private List<RankPlan> build() {
    PlanBuilder builder = new PlanBuilder(interner);
    List<RankPlan> built = new ArrayList<>(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      LinkTable table = LinkTable.of(links.get(rank), interner);
      builder.start(rank, 1, 0, memSizes(rank), table);
      for (int part = 0; part < plans.size(); part++) {
        addSyncs(builder, ActionKind.AWAIT, awaits.get(rank), part);
        builder.addNested(0, plans.get(part).rank(rank));
        addSyncs(builder, ActionKind.POST, posts.get(rank), part);
      }
      built.add(builder.build());
    }
    return built;
  }

  private static void addSyncs(PlanBuilder builder, ActionKind kind, List<Sync> syncs, int part) {
    for (Sync sync : syncs) {
      if (sync.part == part) {
        int subComm = sync.number / NOTIFIES_PER_LINK;
        int link = builder.links().find(CommPlane.COMBINED, subComm, sync.peer);
        builder.addLinkSync(kind, 0, link, sync.number % NOTIFIES_PER_LINK);
      }
    }
  }

  private long[] memSizes(int rank) {
    long[] sizes = new long[TransportMemType.values().length];
    for (GroupPlan plan : plans) {
      for (TransportMemType type : TransportMemType.values()) {
        sizes[type.ordinal()] = Math.max(sizes[type.ordinal()], plan.rank(rank).memSize(type));
      }
    }
    return sizes;
  }
}
