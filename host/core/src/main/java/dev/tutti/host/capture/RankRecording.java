package dev.tutti.host.capture;

import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations that a rank of this process has started and recorded. Thread-safe. */
public final class RankRecording {

  private final int rank;
  private final List<RankEntry> entries = new ArrayList<>();

  /** The operations that the rank has started, by the number of the meeting. */
  private final Map<Integer, Span> spans = new HashMap<>();

  /** The failure of calls that wait for a rank, by rank whose body has ended. */
  private final Map<Integer, TuttiException> exits = new HashMap<>();

  private long clock;
  private @Nullable TuttiException abandoned;

  /** A set of ranks that run operations together. */
  public interface Meeting {

    /** The number of the meeting in the group: 0 for all ranks, else the pair. */
    int number();

    OperationQueues queues();

    /** The number of ranks that meet. */
    int size();

    /** The rank at a place. */
    int rank(int place);

    /** The place of a rank; -1 if it takes no part. */
    int placeOf(int rank);
  }

  /** The operations that the rank has started in one meeting. */
  private record Span(Meeting meeting, long first, long last) {}

  /** An empty recording of a rank. */
  public RankRecording(int rank) {
    this.rank = rank;
  }

  /** The rank whose operations are recorded. */
  public int rank() {
    return rank;
  }

  /** The latest clock of all recorded operations. */
  synchronized long clock() {
    return clock;
  }

  synchronized void add(RankEntry entry) {
    entries.add(entry);
    clock = Math.max(clock, entry.order().clock());
  }

  /** The recorded operations, in the order in which they ended. */
  synchronized List<RankEntry> entries() {
    return List.copyOf(entries);
  }

  /**
   * Notes an operation that the rank has started. The operation fails for all ranks if one of them
   * will never start it, or if the capture has been abandoned.
   */
  public synchronized void started(Meeting meeting, long number) {
    spans.merge(
        meeting.number(),
        new Span(meeting, number, number),
        (known, more) -> new Span(meeting, known.first, more.last));
    exits.forEach((rank, reason) -> endWaitFor(rank, reason, meeting, number));
    TuttiException cause = abandoned;
    if (cause != null) {
      meeting.queues().fail(number, cause);
    }
  }

  /**
   * Notes that the body of another rank has ended, so that the other rank makes no more calls in
   * the capture.
   *
   * @param reason the failure of calls that wait for it
   */
  public synchronized void exited(int rank, TuttiException reason) {
    exits.put(rank, reason);
    for (Span span : spans.values()) {
      for (long number = span.first; number <= span.last; number++) {
        endWaitFor(rank, reason, span.meeting, number);
      }
    }
  }

  private static void endWaitFor(int rank, TuttiException reason, Meeting meeting, long number) {
    int place = meeting.placeOf(rank);
    if (place >= 0 && meeting.queues().started(place) < number) {
      meeting.queues().fail(number, reason);
    }
  }

  /** The number of the last operation that the rank has started in each meeting. */
  synchronized Map<Integer, Long> lasts() {
    Map<Integer, Long> lasts = new HashMap<>();
    spans.forEach((meeting, span) -> lasts.put(meeting, span.last));
    return lasts;
  }

  /**
   * Ends the capture: the operations that this rank has started fail for all ranks, and this rank
   * starts no more. A second call does nothing.
   */
  public synchronized void abandon(TuttiException cause) {
    if (abandoned != null) {
      return;
    }
    abandoned = cause;
    for (Span span : spans.values()) {
      for (long number = span.first; number <= span.last; number++) {
        span.meeting.queues().fail(number, cause);
      }
    }
  }

  /** The reason why the capture was abandoned; null if it was not. */
  public synchronized @Nullable TuttiException abandoned() {
    return abandoned;
  }

  /**
   * Refuses calls in a capture that was abandoned.
   *
   * @throws TuttiException with {@link ErrorCode#CAPTURE_ABANDONED}
   */
  public void requireGoingOn() {
    TuttiException cause = abandoned();
    if (cause != null) {
      throw new TuttiException(ErrorCode.CAPTURE_ABANDONED, cause, "%s", cause.getMessage());
    }
  }
}
