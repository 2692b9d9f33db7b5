package dev.tutti.host.capture;

import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds a run of a capture, with all its operations, to another capture. */
final class RecordReplayStep implements CaptureStep {

  private final RankRecording recording;
  private final int meeting;
  private final Function<CaptureOrder, List<RankEntry>> captured;
  private long clock;

  /**
   * Makes the step.
   *
   * @param captured gives the captured operations, for a place in the order of the other capture
   */
  RecordReplayStep(
      RankRecording recording, int meeting, Function<CaptureOrder, List<RankEntry>> captured) {
    this.recording = recording;
    this.meeting = meeting;
    this.captured = captured;
  }

  @Override
  public String name(String operation) {
    return operation + " in a capture";
  }

  @Override
  public void propose(BodyWriter proposal) {
    proposal.number(recording.clock());
  }

  @Override
  public void plan(List<BodyReader> proposals, BodyWriter plan) {
    plan.number(1 + proposals.stream().mapToLong(BodyReader::number).max().orElse(0));
  }

  @Override
  public void follow(BodyReader plan, BodyWriter ready) {
    clock = plan.number();
  }

  @Override
  public void ended(long number, @Nullable TuttiException failure) {
    if (failure == null && clock > 0) {
      captured.apply(new CaptureOrder(clock, meeting, number, 0)).forEach(recording::add);
    } else if (failure != null && failure.code() == ErrorCode.CAPTURE_ABANDONED) {
      recording.abandon(failure);
    }
  }
}
