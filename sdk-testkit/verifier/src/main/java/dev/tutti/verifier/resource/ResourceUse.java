package dev.tutti.verifier.resource;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares the requests of the ranks with what their plans use. Streams, links and notifies are
 * compared for each rank. Memory sizes may be equal on all ranks, so it is enough if one rank needs
 * all of it.
 */
public final class ResourceUse {

  /**
   * Memories that share one requested size: the AIV memories have the same size, whichever of them
   * needs it.
   */
  private static final List<Set<TransportMemType>> SIZED =
      List.of(
          EnumSet.of(TransportMemType.SCRATCH),
          EnumSet.of(TransportMemType.AIV_INPUT, TransportMemType.AIV_OUTPUT));

  private final FlatPlan flat;
  private final GroupPlan plan;
  private final Findings findings;
  private final BitSet[] streams;
  private final BitSet[] ownNotifies;

  /**
   * For each rank, its links that this end uses; in the end, also those that the other end uses.
   */
  private final BitSet[] links;

  /** For each rank and link, one more than the highest notify that this end uses. */
  private final int[][] linkNotifies;

  /**
   * For each rank and link, one more than the highest notify that this end posts at the other end.
   */
  private final int[][] posted;

  /** For each rank, its links whose other end is used. */
  private final BitSet[] reverseUsed;

  /** A comparison of one plan. */
  public ResourceUse(FlatPlan flat, Findings findings) {
    this.flat = flat;
    this.plan = flat.plan();
    this.findings = findings;
    int ranks = plan.rankSize();
    this.streams = bitSets(ranks);
    this.ownNotifies = bitSets(ranks);
    this.links = bitSets(ranks);
    this.reverseUsed = bitSets(ranks);
    this.linkNotifies = new int[ranks][];
    this.posted = new int[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      linkNotifies[rank] = new int[plan.rank(rank).linkCount()];
      posted[rank] = new int[plan.rank(rank).linkCount()];
    }
  }

  private static BitSet[] bitSets(int count) {
    BitSet[] sets = new BitSet[count];
    for (int i = 0; i < count; i++) {
      sets[i] = new BitSet();
    }
    return sets;
  }

  /** Checks rule RES-1. */
  public void check() {
    for (RankPlan rank : plan.ranks()) {
      for (int form = 0; form < rank.formCount(); form++) {
        int action = rank.firstOfForm(form);
        ActionKind kind = rank.kind(action);
        // A stream that is only forked and joined is unused.
        if (!kind.isSync() || rank.link(action) != RankPlan.NO_LINK) {
          streams[rank.rank()].set(rank.stream(action));
        }
        if (kind.isSync()) {
          useNotify(rank, action);
        }
      }
      if (links[rank.rank()].cardinality() < rank.linkCount()) {
        rank.forEachAccess((action, owner, type, offset, bytes, isWrite) -> useLink(rank, owner));
      }
    }
    plan.ranks().forEach(this::useReverse);
    for (int rank = 0; rank < links.length; rank++) {
      links[rank].or(reverseUsed[rank]);
    }
    plan.ranks().forEach(this::reportRank);
    reportSizes();
  }

  private void useNotify(RankPlan rank, int action) {
    int link = rank.link(action);
    int notify = rank.notify(action);
    if (link == RankPlan.NO_LINK) {
      ownNotifies[rank.rank()].set(notify);
      return;
    }
    links[rank.rank()].set(link);
    int[] used =
        rank.kind(action) == ActionKind.POST ? posted[rank.rank()] : linkNotifies[rank.rank()];
    used[link] = Math.max(used[link], notify + 1);
  }

  /** Marks the links and notifies that a rank needs because the other end uses them. */
  private void useReverse(RankPlan rank) {
    for (int link = 0; link < rank.linkCount(); link++) {
      if (posted[rank.rank()][link] == 0 && !links[rank.rank()].get(link)) {
        continue;
      }
      RankPlan peer = plan.rank(rank.linkPeer(link));
      int reverse = GroupPlan.reverseLink(rank, peer, link);
      reverseUsed[peer.rank()].set(reverse);
      int[] needed = linkNotifies[peer.rank()];
      needed[reverse] = Math.max(needed[reverse], posted[rank.rank()][link]);
    }
  }

  /**
   * Marks a link as used for an access to another rank's memory. One link to that rank is enough,
   * so a link that is already used suffices.
   */
  private void useLink(RankPlan rank, int owner) {
    if (owner == rank.rank()) {
      return;
    }
    int first = RankPlan.NO_LINK;
    for (int link = 0; link < rank.linkCount(); link++) {
      if (rank.linkPeer(link) == owner) {
        if (links[rank.rank()].get(link)) {
          return;
        }
        first = first == RankPlan.NO_LINK ? link : first;
      }
    }
    if (first != RankPlan.NO_LINK) {
      links[rank.rank()].set(first);
    }
  }

  private void reportRank(RankPlan rank) {
    for (int stream = 1; stream < rank.streamCount(); stream++) {
      if (!streams[rank.rank()].get(stream)) {
        findings.add(
            Rule.UNUSED,
            "stream",
            "rank %d asks for slave stream %d and never uses it; ask for fewer in calcStreamNum"
                .formatted(rank.rank(), stream));
      }
    }
    for (int notify = 2 * (rank.streamCount() - 1); notify < rank.notifyCount(); notify++) {
      if (!ownNotifies[rank.rank()].get(notify)) {
        findings.add(
            Rule.UNUSED,
            "notify",
            "rank %d asks for notify %d and never uses it; ask for fewer in calcNotifyNum"
                .formatted(rank.rank(), notify));
      }
    }
    for (int link = 0; link < rank.linkCount(); link++) {
      if (!links[rank.rank()].get(link)) {
        findings.add(
            Rule.UNUSED,
            "link",
            "rank %d asks for a link to rank %d and never uses it; leave it out in calcCommInfo"
                .formatted(rank.rank(), rank.linkPeer(link)));
        continue;
      }
      int needed =
          Math.max(
              Link.PAIRED_NOTIFIES,
              Math.max(linkNotifies[rank.rank()][link], reverseNotifies(rank, link)));
      int asked = rank.linkNotifyCount(link);
      if (needed < asked) {
        findings.add(
            Rule.UNUSED,
            "link notify",
            "rank %d asks for %d notifies on the link to rank %d, and neither end uses %s; ask for"
                    .formatted(rank.rank(), asked, rank.linkPeer(link), unused(needed, asked))
                + " %d with notifyNum".formatted(needed));
      }
    }
  }

  /** The notifies from {@code first} up to, but without, {@code end}, as text. */
  private static String unused(int first, int end) {
    return end - first == 1 ? "notify " + first : "notifies %d to %d".formatted(first, end - 1);
  }

  /**
   * The notifies that the other end of a link needs. Both ends have the same number, so one end may
   * need fewer than it has.
   */
  private int reverseNotifies(RankPlan rank, int link) {
    int peer = rank.linkPeer(link);
    return linkNotifies[peer][GroupPlan.reverseLink(rank, plan.rank(peer), link)];
  }

  private void reportSizes() {
    for (Set<TransportMemType> types : SIZED) {
      long asked = 0;
      long used = 0;
      boolean isNeeded = false;
      for (RankPlan rank : plan.ranks()) {
        for (TransportMemType type : types) {
          long size = rank.memSize(type);
          long extent = flat.extent(rank.rank(), type);
          isNeeded |= size > 0 && extent >= size;
          asked = Math.max(asked, size);
          used = Math.max(used, extent);
        }
      }
      if (asked > 0 && !isNeeded) {
        String labels =
            types.stream().map(TransportMemType::label).collect(Collectors.joining(" and "));
        findings.add(
            Rule.UNUSED,
            "the ranks ask for up to %d bytes of %s memory, and use no more than %d; ask for fewer in"
                    .formatted(asked, labels, used)
                + " "
                + askedIn(types));
      }
    }
  }

  private static String askedIn(Set<TransportMemType> types) {
    return types.stream()
        .flatMap(type -> type.askedIn().stream())
        .distinct()
        .collect(Collectors.joining(" and "));
  }
}
