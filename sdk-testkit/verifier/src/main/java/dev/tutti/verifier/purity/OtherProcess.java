package dev.tutti.verifier.purity;

import dev.tutti.verifier.process.ChildException;
import dev.tutti.verifier.process.ChildException.Reason;
import dev.tutti.verifier.process.ChildJvm;
import dev.tutti.verifier.process.ChildLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import org.jspecify.annotations.Nullable;

/**
 * One process that answers questions about plans, in the order of the questions. It starts with the
 * first question. If the process ends during a question, that question gets no answer, and a new
 * process gets the following ones.
 */
final class OtherProcess implements AutoCloseable {

  /** The most questions that are sent before the first of them is answered. */
  private static final int WINDOW = 32;

  /**
   * The extra time for an answer beyond the limit of planning, which the process itself enforces.
   */
  private static final Duration SLACK = Duration.ofSeconds(20);

  private final Class<?> main;
  private final List<String> options;
  private final HashOrder order;
  private final Duration limit;
  private final BlockingDeque<Asked> asked = new LinkedBlockingDeque<>();
  private final Deque<Asked> sent = new ArrayDeque<>();
  private @Nullable Thread thread;
  private boolean isClosed;

  /** A question and its answer to come. */
  private record Asked(Question question, CompletableFuture<List<String>> answer) {}

  /**
   * A process that has not started.
   *
   * @param main a class with a {@code main} that calls {@link PlanningServer#serve}
   * @param limit the longest time that a plan may take
   */
  OtherProcess(Class<?> main, List<String> options, HashOrder order, Duration limit) {
    this.main = main;
    this.options = options;
    this.order = order;
    this.limit = limit;
  }

  /**
   * Asks a question. Without an answer, the future completes exceptionally with a {@link
   * ChildException}.
   */
  synchronized CompletableFuture<List<String>> ask(Question question) {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    if (isClosed) {
      answer.cancel(false);
      return answer;
    }
    asked.add(new Asked(question, answer));
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("tutti-elsewhere").start(this::run);
    }
    return answer;
  }

  private void run() {
    ChildJvm child = null;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Asked first = asked.take();
        if (first.answer().isCancelled()) {
          continue;
        }
        asked.addFirst(first);
        try {
          child = child == null ? start() : child;
          converse(child);
        } catch (ChildException e) {
          if (child != null) {
            child.close();
            child = null;
          }
          if (e.reason() == Reason.NOT_STARTED) {
            refuseAll(e);
          }
        }
      }
    } catch (InterruptedException e) {
      // close() was called.
    } finally {
      if (child != null) {
        child.close();
      }
      cancelAll();
    }
  }

  private ChildJvm start() throws ChildException {
    ChildJvm child = ChildJvm.start(main, options);
    try {
      child.ready();
      child.send(List.of(order.name(), Long.toString(limit.toMillis())));
      return child;
    } catch (ChildException e) {
      child.close();
      throw e;
    }
  }

  /** Sends questions and receives answers until no question is left. */
  private void converse(ChildJvm child) throws ChildException, InterruptedException {
    ChildLimits limits = ChildLimits.of(limit.plus(SLACK));
    try {
      while (true) {
        Asked next = sent.size() < WINDOW ? asked.poll() : null;
        if (next != null) {
          if (!next.answer().isCancelled()) {
            sent.addLast(next);
            child.send(next.question().message());
          }
        } else if (sent.isEmpty()) {
          return;
        } else {
          CompletableFuture<List<String>> first = sent.getFirst().answer();
          first.complete(child.begin(limits).answer(() -> !first.isCancelled()));
          sent.removeFirst();
        }
      }
    } catch (ChildException e) {
      if (e.reason() != Reason.NOT_STARTED && !sent.isEmpty()) {
        sent.removeFirst().answer().completeExceptionally(e);
      }
      while (!sent.isEmpty()) {
        asked.addFirst(sent.removeLast());
      }
      throw e;
    }
  }

  private void refuseAll(ChildException reason) {
    List<Asked> all = new ArrayList<>();
    asked.drainTo(all);
    all.forEach(each -> each.answer().completeExceptionally(reason));
  }

  private void cancelAll() {
    List<Asked> all = new ArrayList<>(sent);
    asked.drainTo(all);
    all.forEach(each -> each.answer().cancel(false));
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (thread != null) {
      thread.interrupt();
    } else {
      cancelAll();
    }
  }
}
