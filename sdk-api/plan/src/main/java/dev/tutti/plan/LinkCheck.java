package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.trace.LinkTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks that the peer of every requested link requests the reverse link in the same way. */
final class LinkCheck {

  private static final int MAX_LISTED = 8;

  private final List<RankProgram> programs;
  private final RankResources[] resources;

  /** By rank: the first links that are wrong. */
  private final int[][] wrong;

  private LinkCheck(List<RankProgram> programs, RankResources[] resources) {
    this.programs = programs;
    this.resources = resources;
    this.wrong = new int[resources.length][];
  }

  /**
   * Checks the links of all ranks. To find the source line of a wrong request, it calls the
   * executor once more.
   *
   * @param workers the number of threads, the calling one included
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH}, listing the first problems
   */
  static void run(List<RankProgram> programs, RankResources[] resources, int workers) {
    LinkCheck check = new LinkCheck(programs, resources);
    RankWorkers.forEachRank(resources.length, workers, () -> check::checkRank);
    List<String> listed = check.problems();
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
    int[] found = new int[MAX_LISTED];
    int count = 0;
    for (int link = 0; link < links.size() && count < MAX_LISTED; link++) {
      if (!isRight(rank, links.peer(link), links.kind(link))) {
        found[count++] = link;
      }
    }
    wrong[rank] = Arrays.copyOf(found, count);
  }

  /** Two ends that disagree count as one problem, of the lower rank. */
  private boolean isRight(int rank, int peer, LinkKind kind) {
    if (peer >= resources.length) {
      return false;
    }
    LinkTable reverse = resources[peer].links();
    int found = reverse.find(kind.plane(), kind.subComm(), rank);
    return found >= 0 && (rank > peer || kind.equals(reverse.kind(found)));
  }

  private List<String> problems() {
    List<String> listed = new ArrayList<>();
    for (int rank = 0; rank < wrong.length; rank++) {
      LinkTable links = resources[rank].links();
      for (int link : wrong[rank]) {
        if (listed.size() == MAX_LISTED) {
          return listed;
        }
        listed.add(problem(rank, links.peer(link), links.kind(link)));
      }
    }
    return listed;
  }

  private String problem(int rank, int peer, LinkKind kind) {
    String line = RequestLine.of(programs.get(rank), kind, peer);
    if (peer >= resources.length) {
      return "rank %d asks for a link to rank %d%s, but the group has %d ranks"
          .formatted(rank, peer, line, resources.length);
    }
    LinkTable reverse = resources[peer].links();
    int found = reverse.find(kind.plane(), kind.subComm(), rank);
    if (found < 0) {
      return "rank %d asks for a link to rank %d in %s%s, but rank %d does not ask for the reverse"
          .formatted(rank, peer, kind.key(), line, peer);
    }
    LinkKind other = reverse.kind(found);
    return "rank %d and rank %d ask for different links to each other in %s: (%s)%s and (%s)%s"
        .formatted(
            rank,
            peer,
            kind.key(),
            kind.manner(),
            line,
            other.manner(),
            RequestLine.of(programs.get(peer), other, rank));
  }

  /**
   * Finds the author's line that requests a link, by calling the executor once more. Requests keep
   * no lines: thousands of ranks would store lines of which few are ever read.
   */
  private static final class RequestLine implements LinkTrace.Listener {

    private final CommPlane plane;
    private final int subComm;
    private final int peer;
    private String line = "";

    private RequestLine(CommPlane plane, int subComm, int peer) {
      this.plane = plane;
      this.subComm = subComm;
      this.peer = peer;
    }

    /**
     * The line that requests a link, as {@code " at Class.method(File.java:12)"}; empty if it is
     * not in an author's code, or if the executor does not request the link again.
     */
    static String of(RankProgram program, LinkKind kind, int peer) {
      RequestLine request = new RequestLine(kind.plane(), kind.subComm(), peer);
      try {
        LinkTrace.listen(request, program::request);
      } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
        // The executor behaves differently in the second call, so no line is reliable.
        return "";
      }
      return request.line.isEmpty() ? "" : " at " + request.line;
    }

    @Override
    public void asked(CommPlane askedPlane, int askedSubComm, int askedPeer) {
      if (line.isEmpty() && askedPlane == plane && askedSubComm == subComm && askedPeer == peer) {
        line = SourceLines.firstOutsideSdk(new Throwable());
      }
    }
  }
}
