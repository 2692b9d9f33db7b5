package dev.tutti.cli.job;

import dev.tutti.host.Rte;
import dev.tutti.sdk.TuttiException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ends all processes of a job that serves once one of them has been asked to end. */
public final class JobEnd {

  private JobEnd() {}

  /**
   * Asks rank 0 to end, or, as rank 0, all other ranks. Processes that have ended are skipped, and
   * the launcher ends the remaining ones.
   */
  public static void tellOthers(Rte rte) {
    Path job = rte.jobDirectory().orElse(null);
    if (job == null) {
      return;
    }
    int last = rte.isLocal(0) ? rte.ranks() - 1 : 0;
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int each = 0; each <= last; each++) {
        int rank = each;
        if (!rte.isLocal(rank)) {
          callers.execute(() -> tell(job, rank));
        }
      }
    }
  }

  private static void tell(Path job, int rank) {
    try {
      int _ = RankAnswer.call(job, rank, RankServer.STOP, new StringWriter());
    } catch (TuttiException e) {
      // It has ended, or is about to.
    }
  }
}
