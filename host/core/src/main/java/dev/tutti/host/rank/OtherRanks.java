package dev.tutti.host.rank;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Handles the messages of other processes with ranks of the group. Thread-safe. */
final class OtherRanks implements JobGroup.Listener {

  private final GroupCore core;
  private final JobGroup job;
  private final RankSlot slot;
  private final IntFunction<RankMeeting> meetingOf;
  private final Consumer<JobMessage> whenExited;
  private final Departure whenLeft;

  /** Is notified that a rank makes no more calls. */
  interface Departure {

    /**
     * Called when a rank has gone.
     *
     * @param how the reason, in words that follow the name of the rank
     * @param why the code of the error that waiting ranks get
     */
    void told(int rank, String how, ErrorCode why);
  }

  /**
   * Makes a listener.
   *
   * @param slot the slot with all meetings
   * @param meetingOf the meeting with a number
   * @param whenExited gets each message about the end of a rank's body in a capture
   * @param whenLeft gets each rank that has closed the group
   */
  OtherRanks(
      GroupCore core,
      JobGroup job,
      RankSlot slot,
      IntFunction<RankMeeting> meetingOf,
      Consumer<JobMessage> whenExited,
      Departure whenLeft) {
    this.core = core;
    this.job = job;
    this.slot = slot;
    this.meetingOf = meetingOf;
    this.whenExited = whenExited;
    this.whenLeft = whenLeft;
  }

  @Override
  public void receive(JobMessage message) {
    if (message.kind() == Kind.CAPTURE_EXIT) {
      whenExited.accept(message);
    } else {
      meetingOf.apply(message.meeting()).receive(message);
    }
  }

  @Override
  public void left(int rank, String cause) {
    if (cause.isEmpty()) {
      whenLeft.told(rank, " has closed the group", ErrorCode.INVALID_STATE);
    } else {
      // The other process may know of a failure that is not known here yet.
      whenLeft.told(
          rank,
          " has closed the group, which it could not use any more: " + cause,
          ErrorCode.GROUP_POISONED);
    }
  }

  @Override
  public void lost(int[] ranks) {
    String names =
        IntStream.of(ranks).mapToObj(core.names()::name).collect(Collectors.joining(", "));
    String error =
        Sentence.of(
            "%s %s lost: process %d has ended",
            names, ranks.length == 1 ? "is" : "are", job.process(ranks[0]));
    slot.meetings().forEach(meeting -> meeting.lost(ranks, error));
    core.slot().poison(error);
  }

  @Override
  public void cutOff(TuttiException cause) {
    slot.meetings().forEach(meeting -> meeting.cutOff(cause));
  }
}
