package dev.tutti.plan;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.trace.LinkTrace;

/**
 * Finds the line of an author's code that asks for a link, by asking the rank once more. Requests
 * keep no lines, because thousands of ranks would pay for them and few are ever read.
 */
final class RequestLine implements LinkTrace.Listener {

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
   * Where a rank asks for a link, as {@code " at Class.method(File.java:12)"}; empty if that is
   * nowhere in an author's code, or if the executor does not ask for it a second time.
   */
  static String of(RankProgram program, LinkKind kind, int peer) {
    RequestLine request = new RequestLine(kind.plane(), kind.subComm(), peer);
    try {
      LinkTrace.listen(request, program::request);
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      // An executor that answers differently when it is asked again has no line that can be
      // trusted.
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
