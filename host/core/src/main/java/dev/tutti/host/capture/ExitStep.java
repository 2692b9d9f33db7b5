package dev.tutti.host.capture;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The end of a rank's body in a capture. The capture ends only when the bodies of all ranks have
 * ended. Then the ranks vote, and exchange the number of operations that each has started. The
 * numbers may differ if some ranks have failed.
 */
public final class ExitStep implements CaptureStep {

  private final RankRecording recording;
  private final RankNames names;
  private final @Nullable Throwable failure;
  private final Map<Integer, Long> lasts = new HashMap<>();
  private String verdict = "";

  /** How a body has ended. */
  private enum Vote {
    /** Normally. */
    DONE,
    /** Another rank's body failed, or ended without a call that this body made. */
    LEFT,
    /**
     * Its call differed from that of another rank. The other rank may have failed with the real
     * cause.
     */
    DIFFERED,
    /** It failed itself. */
    FAILED
  }

  private static final Vote[] VOTES = Vote.values();

  /**
   * The end of a body.
   *
   * @param failure the exception of the body; null if it ended normally
   */
  public ExitStep(RankRecording recording, RankNames names, @Nullable Throwable failure) {
    this.recording = recording;
    this.names = names;
    this.failure = failure == null ? recording.abandoned() : failure;
  }

  private Vote vote() {
    if (failure == null) {
      return Vote.DONE;
    }
    ErrorCode code = failure instanceof TuttiException coded ? coded.code() : ErrorCode.RUN_FAILED;
    return switch (code) {
      case CAPTURE_ABANDONED -> Vote.LEFT;
      case CALL_MISMATCH -> Vote.DIFFERED;
      default -> Vote.FAILED;
    };
  }

  @Override
  public void propose(BodyWriter proposal) {
    proposal.number(vote().ordinal()).text(String.valueOf(failure));
    write(proposal, recording.lasts());
  }

  private static void write(BodyWriter body, Map<Integer, Long> numbers) {
    body.number(numbers.size());
    numbers.forEach((meeting, last) -> body.number(meeting).number(last));
  }

  @Override
  public void plan(List<BodyReader> proposals, BodyWriter plan) {
    Vote worst = Vote.DONE;
    String text = "";
    Map<Integer, Long> all = new HashMap<>();
    for (int rank = 0; rank < proposals.size(); rank++) {
      BodyReader proposal = proposals.get(rank);
      Vote vote = VOTES[proposal.count()];
      String what = proposal.text();
      if (vote.compareTo(worst) > 0) {
        worst = vote;
        text =
            Sentence.of(
                "the capture was abandoned on all ranks, because the body of %s failed; the group"
                    + " is still usable. The failure was: %s",
                names.name(rank), what);
      }
      for (int left = proposal.count(); left > 0; left--) {
        all.merge(proposal.count(), proposal.number(), Math::max);
      }
    }
    plan.text(text);
    write(plan, all);
  }

  @Override
  public void follow(BodyReader plan, BodyWriter ready) {
    verdict = plan.text();
    for (int left = plan.count(); left > 0; left--) {
      lasts.put(plan.count(), plan.number());
    }
  }

  /** The number of the last operation that any rank has started in each meeting of the capture. */
  public Map<Integer, Long> lasts() {
    return Map.copyOf(lasts);
  }

  /**
   * Refuses a capture if the body of any rank failed.
   *
   * @throws TuttiException with {@link ErrorCode#CAPTURE_ABANDONED} and the cause of this rank
   */
  public void requireAllDone() {
    if (!verdict.isEmpty()) {
      Throwable own = failure;
      throw own == null
          ? new TuttiException(ErrorCode.CAPTURE_ABANDONED, "%s", verdict)
          : new TuttiException(ErrorCode.CAPTURE_ABANDONED, own, "%s", verdict);
    }
  }
}
