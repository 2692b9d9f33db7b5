package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.verifier.Illustration;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;

/**
 * Draws the plans of failed cases. Checks each of these cases once more. Not thread-safe, but for
 * {@link #stop}.
 */
final class FailureDrawing {

  /** The most cases whose plans are drawn, because the data of one may have half a megabyte. */
  static final int MAX_DRAWN = 40;

  private final VerifyDepth depth;
  private final ProgressLine progress;
  private int drawn;
  private volatile boolean isStopped;
  private boolean leavesOut;

  /**
   * Nothing is drawn yet.
   *
   * @param progress shows which plan is drawn
   */
  FailureDrawing(VerifyDepth depth, ProgressLine progress) {
    this.depth = depth;
    this.progress = progress;
  }

  /** Whether no more plans are drawn, because there are too many. */
  boolean isFull() {
    return drawn == MAX_DRAWN;
  }

  /** No more plans are drawn, because the process has to end. Any thread may call this. */
  void stop() {
    isStopped = true;
  }

  /** Whether a plan was not drawn because of {@link #stop}. */
  boolean leavesOut() {
    return leavesOut;
  }

  /**
   * The case that shows a failure best, with its drawings. Some failures show in some runs only,
   * and planning that broke its limit would break it again. Then the finding is shown without a
   * drawing.
   */
  Illustration of(AlgorithmWithPeer subject, VerifyOutcome failure) {
    Illustration known = new Illustration(failure.report(), List.of());
    if (failure.report().brokePlanningLimit() || isFull()) {
      return known;
    }
    if (isStopped) {
      leavesOut = true;
      return known;
    }
    drawn++;
    CollectiveCase c = failure.smallest();
    progress.show(Sentence.of("drawing %s: %s", subject.algorithm().name(), c));
    VirtualCluster cluster = depth.cluster(c, depth.workers(), false, null);
    Illustration again = cluster.illustrate(c, subject.executors());
    progress.clear();
    return again.report().rules().contains(failure.report().rules().getFirst()) ? again : known;
  }
}
