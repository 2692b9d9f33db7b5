package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Idler;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.engine.queue.OperationQueues.Outcome;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.group.AgreedRun;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/** The waits of a rank for its operations, limited by a time and by interrupts. */
final class RankWait {

  /** The time that a rank waits for messages before it makes the first rank compare the calls. */
  private static final long COMPARE_NANOS = 1_000_000_000;

  /** The number of unsuccessful polls before a virtual thread pauses. */
  private static final int POLLS_PER_PAUSE = 64;

  private static final long PAUSE_NANOS = 20_000;

  private final RankNames names;
  private final RankDeadlines deadlines;
  private final RankMeeting meeting;
  private final RankCall call;
  private final OperationQueues queues;
  private final int place;
  private final Idler idler;

  /** The number of unsuccessful polls for the current operation. */
  private int polls;

  /**
   * Makes the waits of one rank in a meeting.
   *
   * @param call the call that messages name
   */
  RankWait(RankNames names, RankDeadlines deadlines, RankMeeting meeting, RankCall call) {
    this.names = names;
    this.deadlines = deadlines;
    this.meeting = meeting;
    this.call = call;
    this.queues = meeting.queues();
    this.place = meeting.placeOf(call.rank());
    this.idler = queues.newIdler(place);
  }

  /** Counts polls for the next operation. */
  void forgetPolls() {
    polls = 0;
  }

  /** Counts an unsuccessful poll; now and then, a virtual thread pauses. */
  void polled(Clock clock) {
    polls++;
    if (polls % POLLS_PER_PAUSE == 0 && Thread.currentThread().isVirtual()) {
      clock.park(this, PAUSE_NANOS);
    }
  }

  /**
   * Waits until an operation of the rank has ended, and takes part in the work.
   *
   * @param nanos the longest time that the call may take
   * @param left the part of this time that is left
   * @return null if it has ended; else the error, because it exceeded its deadline and still has
   *     not ended
   * @throws TuttiException with {@link ErrorCode#INTERRUPTED}; the operation continues
   */
  @Nullable TuttiException until(RankPart awaited, long nanos, long left) {
    return until(awaited, nanos, left, false);
  }

  /** As {@link #until}, in a thread other than the rank's own. */
  @Nullable TuttiException beside(RankPart awaited, long nanos, long left) {
    return until(awaited, nanos, left, true);
  }

  private @Nullable TuttiException until(
      RankPart awaited, long nanos, long left, boolean isBeside) {
    long number = awaited.number();
    KnownCalls uncompared = left > COMPARE_NANOS ? meeting.knownCalls() : null;
    long patience = uncompared == null ? left : COMPARE_NANOS;
    boolean isExtended = false;
    TuttiException expired = null;
    while (true) {
      Outcome outcome =
          isBeside
              ? queues.awaitBeside(place, number, patience)
              : queues.await(place, number, idler, patience);
      switch (outcome) {
        case ENDED -> {
          return null;
        }
        case INTERRUPTED -> requireNoInterrupt(awaited);
        case LATE -> {
          if (expired != null) {
            return expired;
          }
          if (uncompared != null) {
            uncompared.compare(number);
            uncompared = null;
            patience = left - COMPARE_NANOS;
            continue;
          }
          if (!isExtended && queues.missing(number).isEmpty()) {
            // All ranks have started it, so now the run gets the whole deadline.
            isExtended = true;
            patience = nanos;
          } else {
            expired = deadlines.expire(meeting, awaited, nanos);
            patience = RankMeeting.DRAIN_NANOS;
          }
        }
      }
    }
  }

  /** Ends an operation that exceeds its deadline; returns whether it has ended. */
  boolean expire(RankPart awaited, long nanos) {
    deadlines.expire(meeting, awaited, nanos);
    return queues.await(place, awaited.number(), idler, RankMeeting.DRAIN_NANOS) == Outcome.ENDED;
  }

  /**
   * Throws if the thread was interrupted. The close of an arena also interrupts threads that work
   * on the arena's memory, but such an interrupt does not end a wait.
   */
  private void requireNoInterrupt(RankPart awaited) {
    AgreedRun plan = awaited.plan();
    if (plan != null) {
      InterruptFlag.restore(false, plan.scopes());
    }
    if (InterruptFlag.isSet()) {
      throw new TuttiException(
          ErrorCode.INTERRUPTED,
          "the wait of %s for operation %d, %s, was interrupted; the operation goes on, so wait"
              + " again or cancel it",
          names.name(call.rank()),
          awaited.number(),
          awaited.call().words());
    }
  }

  /** Clears an interrupt that came from the close of an arena, if the thread had none before. */
  void restore(boolean wasInterrupted, RankPart part) {
    if (!wasInterrupted && InterruptFlag.isSet()) {
      AgreedRun plan = part.plan();
      InterruptFlag.restore(false, plan == null ? call.scopes() : plan.scopes());
    }
  }
}
