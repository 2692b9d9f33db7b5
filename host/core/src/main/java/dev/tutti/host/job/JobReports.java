package dev.tutti.host.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the processes of a job for reports about themselves, and answers such questions. Answers do
 * not wait for the job's thread, which may be busy. Thread-safe.
 */
public final class JobReports {

  /** The answer of a process that cannot make a report yet. */
  private static final byte[] NOTHING = {};

  private final JobProcesses processes;
  private final JobPresence presence;
  private final Consumer<JobMessage> sender;
  private final AtomicLong last = new AtomicLong();
  private final Map<Long, Question> open = new ConcurrentHashMap<>();

  /** Makes the report of this process, from the time to watch its groups; null at first. */
  private volatile @Nullable Function<Duration, ProcessReport> reporter;

  /**
   * Starts without questions, and without a reporter for answers.
   *
   * @param sender sends a message at once
   */
  JobReports(JobProcesses processes, JobPresence presence, Consumer<JobMessage> sender) {
    this.processes = processes;
    this.presence = presence;
    this.sender = sender;
  }

  /** A question, and the answers so far, by process. */
  private final class Question {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isNew = lock.newCondition();
    private final Map<Integer, byte[]> answers = new TreeMap<>();

    void add(int process, byte[] body) {
      change(() -> answers.put(process, body));
    }

    /** Makes the wait check again which processes are in the job. */
    void lookAgain() {
      change(() -> {});
    }

    private void change(Runnable step) {
      lock.lock();
      try {
        step.run();
        isNew.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Waits until all processes that are in the job have answered, or a time has passed. An
     * interrupt ends the wait and stays set.
     */
    Map<Integer, byte[]> await(long nanos) {
      lock.lock();
      try {
        awaitAll(nanos);
        return new TreeMap<>(answers);
      } finally {
        lock.unlock();
      }
    }

    private void awaitAll(long nanos) {
      try {
        long left = nanos;
        while (left > 0 && !haveAllAnswered()) {
          left = isNew.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean haveAllAnswered() {
      return others().allMatch(each -> answers.containsKey(each) || !presence.holds(each));
    }
  }

  /** The only process, if all ranks are in this one. */
  public static ProcessStatus alone(ProcessReport report) {
    return new ProcessStatus(
        List.of(), JobMember.hostName(), ProcessHandle.current().pid(), Optional.of(report), "");
  }

  /** Answers the questions of others from now on. */
  public void answerWith(Function<Duration, ProcessReport> newReporter) {
    reporter = newReporter;
  }

  private IntStream others() {
    return IntStream.range(0, processes.count()).filter(each -> each != processes.own());
  }

  /**
   * Asks all processes.
   *
   * @param patience how long each of them watches its busy groups for progress
   * @param nanos the longest time to wait for the answers
   */
  public List<ProcessStatus> ask(Duration patience, long nanos) {
    long number = last.incrementAndGet();
    Question question = new Question();
    open.put(number, question);
    try {
      byte[] body = new BodyWriter().number(patience.toNanos()).bytes();
      apart(
          () ->
              others()
                  .filter(presence::holds)
                  .forEach(each -> send(processes.firstRank(each), Kind.STATUS, number, body)));
      byte[] own = report(patience);
      Map<Integer, byte[]> answers = question.await(nanos);
      answers.put(processes.own(), own);
      List<ProcessStatus> all = new ArrayList<>();
      for (int process = 0; process < processes.count(); process++) {
        all.add(status(process, answers.get(process), nanos));
      }
      return all;
    } finally {
      open.remove(number);
    }
  }

  /**
   * Runs a step on a separate thread: an interrupt of the caller's thread would close the
   * connection.
   */
  private static void apart(Runnable step) {
    Thread.ofPlatform().daemon().name("tutti-job-report").start(step);
  }

  private void send(int to, Kind kind, long number, byte[] body) {
    int from = processes.firstRank(processes.own());
    sender.accept(new JobMessage(to, from, kind, 0, 0, number, body));
  }

  private ProcessStatus status(int process, byte @Nullable [] answer, long nanos) {
    String silence = answer == null ? silence(process, nanos) : "";
    Optional<ProcessReport> report = Optional.empty();
    if (answer != null && answer.length == 0) {
      silence = "is about to begin";
    } else if (answer != null) {
      try {
        report = Optional.of(ReportBody.read(new BodyReader(answer)));
      } catch (TuttiException e) {
        silence = Sentence.of("gives no report: %s", e.getMessage());
      }
    }
    int first = processes.firstRank(process);
    return new ProcessStatus(
        IntStream.range(first, first + processes.ranks()[process]).boxed().toList(),
        processes.machines()[process],
        processes.numbers()[process],
        report,
        silence);
  }

  private String silence(int process, long nanos) {
    if (presence.hasLost(process)) {
      return "has ended";
    }
    if (!presence.holds(process)) {
      return "has left the job";
    }
    return processes.isStopped(process)
        ? "does not answer: a signal or a debugger has stopped it"
        : Sentence.of("has not answered within %d ms", nanos / 1_000_000);
  }

  /** Handles a question or an answer; does not block. */
  void receive(JobMessage message) {
    if (message.kind() == Kind.STATUS_REPORT) {
      Question question = open.get(message.number());
      if (question != null) {
        question.add(processes.processOf(message.from()), message.body());
      }
      return;
    }
    apart(() -> answer(message));
  }

  private void answer(JobMessage question) {
    Duration patience = Duration.ofNanos(Math.max(1, question.reader().number()));
    send(question.from(), Kind.STATUS_REPORT, question.number(), report(patience));
  }

  /** The report of this process; empty while it cannot make one. */
  private byte[] report(Duration patience) {
    Function<Duration, ProcessReport> maker = reporter;
    return maker == null ? NOTHING : ReportBody.of(maker.apply(patience));
  }

  /** Notes that a process has left the job or is lost, so that no question waits for its answer. */
  void ended() {
    open.values().forEach(Question::lookAgain);
  }
}
