package dev.tutti.host.job;

import dev.tutti.host.job.JobMessage.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes messages about changes of plugins from process to process. Thread-safe. */
public final class SwapLink {

  private final int rank;
  private final Consumer<JobMessage> sender;
  private final Predicate<Runnable> jobThread;

  /** What came before there was anybody to hear it; of the job's thread. */
  private final List<JobMessage> early = new ArrayList<>();

  private volatile @Nullable Listener listener;

  /** Hears what the other processes tell. */
  public interface Listener {

    /** A message; on the job's thread, one after another. */
    void receive(JobMessage message);

    /** A process has left the job, or is lost; on any thread. */
    void ended(int rank, boolean isLost);

    /** This process has left the job. */
    void closed();
  }

  SwapLink(int rank, Consumer<JobMessage> sender, Predicate<Runnable> jobThread) {
    this.rank = rank;
    this.sender = sender;
    this.jobThread = jobThread;
  }

  /**
   * Tells another process something; nothing if it has ended.
   *
   * @param number the change that it is about; 0 for none
   */
  public void send(int to, long number, BodyWriter body) {
    sender.accept(new JobMessage(to, rank, Kind.SWAP, 0, 0, number, body.bytes()));
  }

  /** Has somebody hear what comes, and what has come. */
  public void listen(Listener newListener) {
    listener = newListener;
    boolean ignored =
        jobThread.test(
            () -> {
              early.forEach(newListener::receive);
              early.clear();
            });
  }

  /** On the job's thread. */
  void receive(JobMessage message) {
    Listener hearer = listener;
    if (hearer == null || !early.isEmpty()) {
      early.add(message);
    } else {
      hearer.receive(message);
    }
  }

  void ended(int endedRank, boolean isLost) {
    Listener hearer = listener;
    if (hearer != null) {
      hearer.ended(endedRank, isLost);
    }
  }

  void closed() {
    Listener hearer = listener;
    if (hearer != null) {
      hearer.closed();
    }
  }
}
