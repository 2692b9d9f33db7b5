package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;

/** A sub-communicator of one rank while its plan is recorded. */
final class RecordingSubComm implements SubCommInfo {

  private final RankRecording recording;
  private final RankResources own;
  private final CommPlane plane;
  private final int index;
  private final SingleSubCommTransport transport;
  private final int localRank;

  RecordingSubComm(
      RankRecording recording,
      RankResources own,
      CommPlane plane,
      int index,
      SingleSubCommTransport transport) {
    this.recording = recording;
    this.own = own;
    this.plane = plane;
    this.index = index;
    this.transport = transport;
    this.localRank = transport.members().indexOf(own.rank());
  }

  @Override
  public CommPlane plane() {
    return plane;
  }

  @Override
  public RankList members() {
    return transport.members();
  }

  @Override
  public int localRank() {
    return localRank;
  }

  @Override
  public boolean hasLink(int subRank) {
    return own.links().find(plane, index, members().rank(subRank)) >= 0;
  }

  @Override
  public Link link(int subRank) {
    int peer = members().rank(subRank);
    int link = own.links().find(plane, index, peer);
    if (link < 0) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "rank %d has no link to rank %d in %s; ask for it in calcResRequest",
          own.rank(),
          peer,
          plane.label());
    }
    return recording.link(link);
  }
}
