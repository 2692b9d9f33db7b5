package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The resources that one rank's executor gets while it orchestrates. */
final class RankRecording implements AlgResourceResponse {

  private final RankResources own;
  private final ActionSink actions;
  private final List<Stream> streams = new ArrayList<>();
  private final List<Notify> notifies = new ArrayList<>();
  private final @Nullable RecordingLink[] links;

  /**
   * The resources of a rank.
   *
   * @param actions receives the actions that are emitted on them
   */
  RankRecording(RankResources own, ActionSink actions) {
    this.own = own;
    this.actions = actions;
    this.links = new RecordingLink[own.links().size()];
    for (int notify = 0; notify < own.request().notifyNum(); notify++) {
      notifies.add(new ActionSink.RecordedNotify(own.rank(), notify));
    }
    List<Notify> starts = notifiesMainToSlave();
    List<Notify> ends = notifiesSlaveToMain();
    for (int stream = 0; stream <= own.request().streamNum(); stream++) {
      streams.add(new RecordingStream(actions, stream, starts, ends));
    }
  }

  @Override
  public DeviceMem mem(TransportMemType type) {
    return new DeviceMem(own.rank(), type, 0, own.memSizes()[type.ordinal()]);
  }

  @Override
  public Stream mainStream() {
    return streams.getFirst();
  }

  @Override
  public List<Stream> slaveStreams() {
    return Granted.of(
        streams.subList(1, streams.size()), own.rank(), "slave streams", "calcStreamNum");
  }

  @Override
  public List<Notify> notifiesMainToSlave() {
    return granted(notifies.subList(0, own.request().streamNum()));
  }

  @Override
  public List<Notify> notifiesSlaveToMain() {
    int streams = own.request().streamNum();
    return granted(notifies.subList(streams, 2 * streams));
  }

  @Override
  public List<Notify> notifies() {
    return granted(notifies);
  }

  private List<Notify> granted(List<Notify> some) {
    return Granted.of(some, own.rank(), "notifies", "calcNotifyNum");
  }

  @Override
  public OpCommTransport opTransport() {
    return own.request().opTransport();
  }

  @Override
  public SubCommInfo subComm(CommPlane plane, int index) {
    LevelNSubCommTransport level = opTransport().levels().get(plane);
    if (level == null || index < 0 || index >= level.subComms().size()) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "sub-communicator %d of %s was not asked for; add it to calcResRequest of rank %d",
          index,
          plane.label(),
          own.rank());
    }
    SingleSubCommTransport transport = level.subComms().get(index);
    return new RecordingSubComm(this, own, plane, index, transport);
  }

  /** The link with a number. */
  RecordingLink link(int number) {
    RecordingLink link = links[number];
    if (link == null) {
      link = new RecordingLink(actions, number);
      links[number] = link;
    }
    return link;
  }

  /**
   * Requested resources of a rank. The error for any other index tells the author how to request
   * more.
   */
  private static final class Granted<T> extends AbstractList<T> {

    private final List<T> granted;
    private final int rank;
    private final String what;
    private final String askedIn;

    private Granted(List<T> granted, int rank, String what, String askedIn) {
      this.granted = granted;
      this.rank = rank;
      this.what = what;
      this.askedIn = askedIn;
    }

    /**
     * Unmodifiable view.
     *
     * @param what the resources, in the plural
     * @param askedIn the method in which an executor requests them
     */
    static <T> List<T> of(List<T> granted, int rank, String what, String askedIn) {
      return new Granted<>(granted, rank, what, askedIn);
    }

    @Override
    public T get(int index) {
      if (index < 0 || index >= granted.size()) {
        throw new TuttiException(
            ErrorCode.RESOURCE_MISMATCH,
            "rank %d has %d %s here, numbered from 0; ask for more in %s. Actual: number %d",
            rank,
            granted.size(),
            what,
            askedIn,
            index);
      }
      return granted.get(index);
    }

    @Override
    public T getFirst() {
      return get(0);
    }

    @Override
    public T getLast() {
      return get(Math.max(0, granted.size() - 1));
    }

    @Override
    public int size() {
      return granted.size();
    }
  }
}
