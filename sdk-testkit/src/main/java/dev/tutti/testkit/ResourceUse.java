package dev.tutti.testkit;

import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.BitSet;

/**
 * Compares what the ranks requested with what their plans use. Streams, links and notifies count
 * for each rank; memory sizes may be equal on all ranks, so it is enough that one of them needs it
 * all.
 */
final class ResourceUse {

  private static final TransportMemType[] SIZED = {
    TransportMemType.SCRATCH, TransportMemType.AIV_INPUT, TransportMemType.AIV_OUTPUT
  };

  private final GroupPlan plan;
  private final Findings findings;
  private final BitSet[] streams;
  private final BitSet[] ownNotifies;

  /** The links of each rank that one of its two ends uses. */
  private final BitSet[] links;

  /** For each rank and link, one more than the highest notify that is used at this end. */
  private final int[][] linkNotifies;

  private final long[][] extents;

  ResourceUse(GroupPlan plan, Findings findings) {
    this.plan = plan;
    this.findings = findings;
    int ranks = plan.rankSize();
    this.streams = bitSets(ranks);
    this.ownNotifies = bitSets(ranks);
    this.links = bitSets(ranks);
    this.linkNotifies = new int[ranks][];
    this.extents = new long[ranks][TransportMemType.values().length];
    for (int rank = 0; rank < ranks; rank++) {
      linkNotifies[rank] = new int[plan.rank(rank).linkCount()];
    }
  }

  private static BitSet[] bitSets(int count) {
    BitSet[] sets = new BitSet[count];
    for (int i = 0; i < count; i++) {
      sets[i] = new BitSet();
    }
    return sets;
  }

  void check() {
    for (RankPlan rank : plan.ranks()) {
      for (int action = 0; action < rank.actionCount(); action++) {
        streams[rank.rank()].set(rank.stream(action));
        ActionKind kind = rank.kind(action);
        if (kind.isSync()) {
          useNotify(rank, action);
        } else if (kind.isData()) {
          useMemory(rank, action);
        }
      }
    }
    plan.ranks().forEach(this::reportRank);
    reportSizes();
  }

  private void useNotify(RankPlan rank, int action) {
    int link = rank.link(action);
    if (link == RankPlan.NO_LINK) {
      ownNotifies[rank.rank()].set(rank.notify(action));
      return;
    }
    RankPlan peer = plan.rank(rank.linkPeer(link));
    int reverse = GroupPlan.reverseLink(rank, peer, link);
    links[rank.rank()].set(link);
    links[peer.rank()].set(reverse);
    boolean isPost = rank.kind(action) == ActionKind.POST;
    int[] used = linkNotifies[isPost ? peer.rank() : rank.rank()];
    int end = isPost ? reverse : link;
    used[end] = Math.max(used[end], rank.notify(action) + 1);
  }

  private void useMemory(RankPlan rank, int action) {
    long bytes = rank.bytes(action);
    use(rank, rank.dstRank(action), rank.dstType(action), rank.dstOffset(action) + bytes);
    for (int i = 0; i < rank.sourceCount(action); i++) {
      use(
          rank,
          rank.srcRank(action, i),
          rank.srcType(action, i),
          rank.srcOffset(action, i) + bytes);
    }
  }

  private void use(RankPlan rank, int owner, TransportMemType type, long end) {
    extents[owner][type.ordinal()] = Math.max(extents[owner][type.ordinal()], end);
    if (owner == rank.rank()) {
      return;
    }
    for (int link = 0; link < rank.linkCount(); link++) {
      if (rank.linkPeer(link) == owner && !links[rank.rank()].get(link)) {
        links[rank.rank()].set(link);
        links[owner].set(GroupPlan.reverseLink(rank, plan.rank(owner), link));
      }
    }
  }

  private void reportRank(RankPlan rank) {
    for (int stream = 1; stream < rank.streamCount(); stream++) {
      if (!streams[rank.rank()].get(stream)) {
        findings.add(
            Rules.UNUSED,
            "stream",
            "rank %d asks for slave stream %d and never uses it".formatted(rank.rank(), stream));
      }
    }
    for (int notify = 2 * (rank.streamCount() - 1); notify < rank.notifyCount(); notify++) {
      if (!ownNotifies[rank.rank()].get(notify)) {
        findings.add(
            Rules.UNUSED,
            "notify",
            "rank %d asks for notify %d and never uses it".formatted(rank.rank(), notify));
      }
    }
    for (int link = 0; link < rank.linkCount(); link++) {
      if (!links[rank.rank()].get(link)) {
        findings.add(
            Rules.UNUSED,
            "link",
            "rank %d asks for a link to rank %d and never uses it"
                .formatted(rank.rank(), rank.linkPeer(link)));
        continue;
      }
      int needed = Math.max(Link.PAIRED_NOTIFIES, linkNotifies[rank.rank()][link]);
      int reverseNeeded = reverseNotifies(rank, link);
      if (Math.max(needed, reverseNeeded) < rank.linkNotifyCount(link)) {
        findings.add(
            Rules.UNUSED,
            "link notify",
            "rank %d asks for %d notifies on the link to rank %d and needs %d"
                .formatted(
                    rank.rank(),
                    rank.linkNotifyCount(link),
                    rank.linkPeer(link),
                    Math.max(needed, reverseNeeded)));
      }
    }
  }

  /** Both ends of a link have equally many notifies, so one end may need fewer than it has. */
  private int reverseNotifies(RankPlan rank, int link) {
    int peer = rank.linkPeer(link);
    return linkNotifies[peer][GroupPlan.reverseLink(rank, plan.rank(peer), link)];
  }

  private void reportSizes() {
    for (TransportMemType type : SIZED) {
      long asked = 0;
      long used = 0;
      boolean isNeeded = false;
      for (RankPlan rank : plan.ranks()) {
        long size = rank.memSize(type);
        long extent = extents[rank.rank()][type.ordinal()];
        isNeeded |= size > 0 && extent >= size;
        asked = Math.max(asked, size);
        used = Math.max(used, extent);
      }
      if (asked > 0 && !isNeeded) {
        findings.add(
            Rules.UNUSED,
            "the ranks ask for up to %d bytes of %s memory, and use no more than %d"
                .formatted(asked, type.label(), used));
      }
    }
  }
}
