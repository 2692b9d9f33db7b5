package dev.tutti.sdk.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;

/** Checks that every link that a rank asks for has its reverse, asked for in the same way. */
final class LinkCheck {

  private static final int MAX_LISTED = 8;

  private final RankResources[] resources;
  private final List<String> problems = new ArrayList<>();

  private LinkCheck(RankResources[] resources) {
    this.resources = resources;
  }

  /**
   * Checks the links of all ranks.
   *
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH}, listing the first problems
   */
  static void run(RankResources[] resources) {
    LinkCheck check = new LinkCheck(resources);
    check.findProblems();
    if (!check.problems.isEmpty()) {
      throw new TuttiException(
          ErrorCode.LINK_MISMATCH,
          "links do not match: %s%s",
          String.join("; ", check.problems),
          check.problems.size() == MAX_LISTED ? "; …" : "");
    }
  }

  private void findProblems() {
    for (int rank = 0; rank < resources.length; rank++) {
      LinkTable links = resources[rank].links();
      for (int link = 0; link < links.size() && problems.size() < MAX_LISTED; link++) {
        checkLink(rank, links.peer(link), links.kind(link));
      }
    }
  }

  private void checkLink(int rank, int peer, LinkKind kind) {
    if (peer >= resources.length) {
      problems.add(
          "rank %d asks for a link to rank %d, but the group has %d ranks"
              .formatted(rank, peer, resources.length));
      return;
    }
    LinkTable reverse = resources[peer].links();
    int found = reverse.find(kind.plane(), kind.subComm(), rank);
    if (found < 0) {
      problems.add(
          "rank %d asks for a link to rank %d in %s, but rank %d does not ask for the reverse"
              .formatted(rank, peer, kind.key(), peer));
    } else if (rank < peer && !kind.equals(reverse.kind(found))) {
      problems.add(
          "the link between rank %d and rank %d in %s is asked for as (%s) by one and (%s) by the"
                  .formatted(rank, peer, kind.key(), kind.manner(), reverse.kind(found).manner())
              + " other");
    }
  }
}
