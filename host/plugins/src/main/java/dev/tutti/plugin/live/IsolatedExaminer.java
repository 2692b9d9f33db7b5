package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.process.ChildOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.verifier.process.ChildException;
import dev.tutti.verifier.process.ChildException.Reason;
import dev.tutti.verifier.process.ChildJvm;
import dev.tutti.verifier.process.ChildLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Examines jars in separate processes, one jar at a time in each, with a bounded heap and processor
 * time. A process that a jar has harmed, or may have harmed, examines no other jar. Idle processes
 * wait a while for the next jar. Thread-safe.
 */
final class IsolatedExaminer implements AutoCloseable {

  private static final int HEAP_MB = 512;
  private static final int METASPACE_MB = 256;
  private static final int IDLE_SECONDS = 60;

  private final ChildLimits limits;
  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean isClosed;

  private record Idle(ChildJvm process, long since) {}

  /** The result of an examination. */
  sealed interface Outcome {

    /** The jar may serve. */
    record Admitted(Admission.Checked checked, String note) implements Outcome {}

    /** The jar must not serve. */
    record Refused(ErrorCode code, String report) implements Outcome {}

    /** No process could be started. */
    record NotStarted(String reason) implements Outcome {}
  }

  /**
   * Makes an examiner.
   *
   * @param limit the largest processor time for the examination of a jar
   */
  IsolatedExaminer(Duration limit) {
    this.limits = ChildLimits.of(limit);
  }

  /** The safety limit of time above the limit of processor time. */
  Duration wallClock() {
    return limits.wallClock();
  }

  /** Examines a jar. */
  Outcome examine(ExaminerProcess.Request request) {
    ChildJvm process = null;
    try {
      process = lease();
      process.send(request.message());
      Outcome outcome = outcome(process.begin(limits).answer());
      if (outcome instanceof Outcome.Admitted) {
        giveBack(process);
        process = null;
      }
      return outcome;
    } catch (ChildException e) {
      return e.reason() == Reason.NOT_STARTED
          ? new Outcome.NotStarted(String.valueOf(e.getMessage()))
          : new Outcome.Refused(ErrorCode.PLUGIN_REJECTED, text(e));
    } finally {
      if (process != null) {
        process.close();
      }
    }
  }

  private static Outcome outcome(List<String> answer) {
    try {
      if (answer.size() == 5 && answer.getFirst().equals(ExaminerProcess.ADMITTED)) {
        return new Outcome.Admitted(
            new Admission.Checked(
                Integer.parseInt(answer.get(1)),
                Integer.parseInt(answer.get(2)),
                Integer.parseInt(answer.get(3))),
            answer.get(4));
      }
      if (answer.size() == 3 && answer.getFirst().equals(ExaminerProcess.REFUSED)) {
        return new Outcome.Refused(ErrorCode.valueOf(answer.get(1)), answer.get(2));
      }
    } catch (IllegalArgumentException e) {
      // As below.
    }
    return new Outcome.Refused(
        ErrorCode.PLUGIN_REJECTED,
        "it was examined in a process of its own, whose verdict cannot be read");
  }

  private static String text(ChildException failure) {
    String what =
        switch (failure.reason()) {
          case MEMORY -> Sentence.of("it filled the heap of %d MB that it was given", HEAP_MB);
          default -> String.valueOf(failure.getMessage());
        };
    return Sentence.of("it was examined in a process of its own, and %s", what);
  }

  private ChildJvm lease() throws ChildException {
    synchronized (this) {
      while (!idle.isEmpty()) {
        ChildJvm known = idle.removeLast().process();
        if (known.isAlive()) {
          return known;
        }
        known.close();
      }
    }
    List<String> options = new ArrayList<>(ChildOptions.quickStart());
    options.add("-Xmx" + HEAP_MB + "m");
    options.add("-XX:MaxMetaspaceSize=" + METASPACE_MB + "m");
    options.add("-XX:+ExitOnOutOfMemoryError");
    ChildJvm started = ChildJvm.start(ExaminerProcess.class, options);
    try {
      String _ = started.ready();
      return started;
    } catch (ChildException e) {
      started.close();
      throw e;
    }
  }

  private synchronized void giveBack(ChildJvm process) {
    if (isClosed) {
      process.close();
      return;
    }
    idle.addLast(new Idle(process, System.nanoTime()));
    CompletableFuture.delayedExecutor(IDLE_SECONDS, TimeUnit.SECONDS).execute(this::endIdle);
  }

  private synchronized void endIdle() {
    long now = System.nanoTime();
    while (!idle.isEmpty()
        && now - idle.getFirst().since() >= TimeUnit.SECONDS.toNanos(IDLE_SECONDS)) {
      idle.removeFirst().process().close();
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    idle.forEach(each -> each.process().close());
    idle.clear();
  }
}
