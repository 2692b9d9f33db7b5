package dev.tutti.host.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.job.JobMessage.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sends messages about changes of plugins between processes. Thread-safe. */
public final class SwapLink {

  private final JobProcesses processes;
  private final Consumer<JobMessage> sender;
  private final Predicate<Runnable> jobThread;

  /** Messages that arrived before there was a listener; confined to the job's thread. */
  private final List<JobMessage> early = new ArrayList<>();

  private volatile @Nullable Listener listener;

  /** Gets the messages of the other processes. */
  public interface Listener {

    /** A message of another process. Called on the job's thread, one message after another. */
    void receive(int process, JobMessage message);

    /** A process has left the job, or is lost. Called on any thread. */
    void ended(int process, boolean isLost);

    /** This process has left the job. */
    void closed();
  }

  SwapLink(JobProcesses processes, Consumer<JobMessage> sender, Predicate<Runnable> jobThread) {
    this.processes = processes;
    this.sender = sender;
    this.jobThread = jobThread;
  }

  /** The other processes. */
  public List<Integer> others() {
    return IntStream.range(0, processes.count())
        .filter(process -> process != processes.own())
        .boxed()
        .toList();
  }

  /** The ranks of a process, in words. */
  public String rankNames(int process) {
    return processes.rankNames(process);
  }

  /** The ranks of a process and its number on its machine, in words. */
  public String name(int process) {
    return Sentence.of("%s (process %d)", rankNames(process), processes.numbers()[process]);
  }

  /** A sentence: a process has ended with all its ranks. */
  public String lost(int process) {
    return processes.lost(process);
  }

  /**
   * Sends a message to another process; does nothing if that process has ended.
   *
   * @param number the change that it is about; 0 for none
   */
  public void send(int process, long number, BodyWriter body) {
    int to = processes.firstRank(process);
    int from = processes.firstRank(processes.own());
    sender.accept(new JobMessage(to, from, Kind.SWAP, 0, 0, number, body.bytes()));
  }

  /** Sets the listener, which gets new messages and those that arrived before. */
  public void listen(Listener newListener) {
    listener = newListener;
    boolean ignored =
        jobThread.test(
            () -> {
              early.forEach(message -> pass(newListener, message));
              early.clear();
            });
  }

  /** Handles a message, on the job's thread. */
  void receive(JobMessage message) {
    Listener hearer = listener;
    if (hearer == null || !early.isEmpty()) {
      early.add(message);
    } else {
      pass(hearer, message);
    }
  }

  private void pass(Listener hearer, JobMessage message) {
    hearer.receive(processes.processOf(message.from()), message);
  }

  void ended(int process, boolean isLost) {
    Listener hearer = listener;
    if (hearer != null) {
      hearer.ended(process, isLost);
    }
  }

  void closed() {
    Listener hearer = listener;
    if (hearer != null) {
      hearer.closed();
    }
  }
}
