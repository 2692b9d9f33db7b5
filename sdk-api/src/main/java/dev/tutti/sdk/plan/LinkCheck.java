package dev.tutti.sdk.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that every link that a rank asks for has its reverse, asked for in the same way. */
final class LinkCheck {

  private static final int MAX_LISTED = 8;

  private final RankResources[] resources;

  /** By rank; null where nothing is wrong. */
  private final @Nullable List<String>[] problems;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of lists
  private LinkCheck(RankResources[] resources) {
    this.resources = resources;
    this.problems = new List[resources.length];
  }

  /**
   * Checks the links of all ranks.
   *
   * @param workers the number of threads, the calling one included
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH}, listing the first problems
   */
  static void run(RankResources[] resources, int workers) {
    LinkCheck check = new LinkCheck(resources);
    RankWorkers.forEachRank(resources.length, workers, () -> check::checkRank);
    List<String> listed =
        Arrays.stream(check.problems)
            .filter(Objects::nonNull)
            .flatMap(List::stream)
            .limit(MAX_LISTED)
            .toList();
    if (!listed.isEmpty()) {
      throw new TuttiException(
          ErrorCode.LINK_MISMATCH,
          "links do not match: %s%s",
          String.join("; ", listed),
          listed.size() == MAX_LISTED ? "; …" : "");
    }
  }

  private void checkRank(int rank) {
    LinkTable links = resources[rank].links();
    List<String> found = new ArrayList<>();
    for (int link = 0; link < links.size() && found.size() < MAX_LISTED; link++) {
      checkLink(rank, links.peer(link), links.kind(link), found);
    }
    problems[rank] = found.isEmpty() ? null : found;
  }

  private void checkLink(int rank, int peer, LinkKind kind, List<String> into) {
    if (peer >= resources.length) {
      into.add(
          "rank %d asks for a link to rank %d, but the group has %d ranks"
              .formatted(rank, peer, resources.length));
      return;
    }
    LinkTable reverse = resources[peer].links();
    int found = reverse.find(kind.plane(), kind.subComm(), rank);
    if (found < 0) {
      into.add(
          "rank %d asks for a link to rank %d in %s, but rank %d does not ask for the reverse"
              .formatted(rank, peer, kind.key(), peer));
    } else if (rank < peer && !kind.equals(reverse.kind(found))) {
      into.add(
          "the link between rank %d and rank %d in %s is asked for as (%s) by one and (%s) by the"
                  .formatted(rank, peer, kind.key(), kind.manner(), reverse.kind(found).manner())
              + " other");
    }
  }
}
