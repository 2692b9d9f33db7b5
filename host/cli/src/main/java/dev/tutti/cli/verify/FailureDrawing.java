package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.verifier.Illustration;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;

/**
 * Draws the plans of failed cases, and checks each of these cases again for that. Not thread-safe,
 * except {@link #stop}.
 */
final class FailureDrawing {

  /** The largest number of drawn plans; the data of one may have half a megabyte. */
  static final int MAX_DRAWN = 40;

  private final VerifyDepth depth;
  private final ProgressLine progress;
  private int drawn;
  private volatile boolean isStopped;
  private boolean leavesOut;

  /**
   * Starts without drawings.
   *
   * @param progress shows which plan is drawn
   */
  FailureDrawing(VerifyDepth depth, ProgressLine progress) {
    this.depth = depth;
    this.progress = progress;
  }

  /** Whether the largest number of plans is drawn. */
  boolean isFull() {
    return drawn == MAX_DRAWN;
  }

  /** Stops drawing, because the process has to end. Any thread may call this. */
  void stop() {
    isStopped = true;
  }

  /** Whether a plan was not drawn because of {@link #stop}. */
  boolean leavesOut() {
    return leavesOut;
  }

  /**
   * The smallest case of a failure, with its drawings. There is no drawing if the new check does
   * not find the failure, because it occurs only in some runs, or if planning broke its limit and
   * would break it again.
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
    return again.report().rules().contains(failure.report().rules().getFirst()) ? again : known;
  }
}
