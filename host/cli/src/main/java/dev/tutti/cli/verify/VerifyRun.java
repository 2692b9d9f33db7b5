package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the cases of algorithms: small ones in parallel, each on one thread, then each large one
 * on all threads, so that only one large plan is in memory. The findings do not depend on the
 * number of threads.
 */
final class VerifyRun implements AutoCloseable {

  private static final String NOTHING_CHECKED = "nothing was checked: ";

  private final VerifyDepth depth;
  private final int maxFailures;
  private final ProgressLine progress;
  private final OtherProcesses processes;
  private final Executor outcomes;
  private final BooleanSupplier isStopped;
  private final ExecutorService threads;

  /**
   * A run.
   *
   * @param depth how thoroughly to check
   * @param maxFailures the number of failing cases after which the rest of an algorithm is skipped;
   *     0 for never. Cases with only warnings do not count. A case whose planning breaks a limit
   *     always ends the algorithm
   * @param progress shows the progress of the run
   * @param processes the processes that make the plans a second time
   * @param outcomes stores each outcome as soon as it is known, one at a time
   * @param isStopped whether the result is no longer needed; all threads call it
   */
  VerifyRun(
      VerifyDepth depth,
      int maxFailures,
      ProgressLine progress,
      OtherProcesses processes,
      Executor outcomes,
      BooleanSupplier isStopped) {
    this.processes = processes;
    this.outcomes = outcomes;
    this.isStopped = isStopped;
    this.depth = depth;
    this.maxFailures = maxFailures;
    this.progress = progress;
    this.threads =
        Executors.newFixedThreadPool(
            depth.workers(), Thread.ofPlatform().daemon().name("tutti-verify-", 1).factory());
  }

  /** Checks all cases of one algorithm; if the run is stopped, it skips the remaining ones. */
  VerifyResult run(CheckedCases cases) {
    cases.start();
    AlgorithmWithPeer subject = cases.subject();
    int all = cases.cases().size();
    OtherProcesses.Subject elsewhere =
        subject.reference().isEmpty() ? null : processes.subject(subject.reference(), all);
    RemotePlans later = elsewhere == null ? null : elsewhere.later();
    Failures failures = new Failures();
    List<Future<?>> started = new ArrayList<>();
    Map<Integer, VirtualCluster> clusters = new HashMap<>();
    for (int i = 0; i < cases.small(); i++) {
      int index = i;
      CollectiveCase c = cases.cases().get(index);
      VirtualCluster cluster =
          clusters.computeIfAbsent(c.comm().rankSize(), ranks -> depth.cluster(c, 1, false, later));
      started.add(
          threads.submit(
              () -> {
                if (!isEnough(failures)) {
                  check(cases, index, cluster, failures);
                }
              }));
    }
    int done = 0;
    for (Future<?> each : started) {
      show(subject, done++, all, failures.count.get());
      await(each);
    }
    for (int i = cases.small(); i < all && !isEnough(failures); i++) {
      show(subject, i, all, failures.count.get());
      check(cases, i, alone(cases.cases().get(i), later), failures);
    }
    if (elsewhere != null && (failures.isRunaway || isStopped.getAsBoolean())) {
      // The algorithm would break the limits there, too, or the answers are no longer needed.
      elsewhere.forget();
    } else if (elsewhere != null) {
      compare(cases, elsewhere);
    }
    List<VerifyOutcome> explained = shrunk(subject, elsewhere, cases.outcomes(maxFailures));
    return new VerifyResult(subject, explained, all, cases.time(), true);
  }

  /** Checks cases again whose plans differ in other processes, to report the difference. */
  private void compare(CheckedCases cases, OtherProcesses.Subject elsewhere) {
    Set<CollectiveCase> differing =
        elsewhere.differing().stream().map(c -> c.withInPlace(false)).collect(Collectors.toSet());
    Failures failures = new Failures();
    for (int i = 0; i < cases.cases().size() && !isEnough(failures); i++) {
      CollectiveCase c = cases.cases().get(i);
      VerifyOutcome before = cases.outcome(i);
      if (before != null && !before.hasError() && differing.contains(c.withInPlace(false))) {
        check(cases, i, alone(c, elsewhere), failures);
      }
    }
  }

  /** The failures of one algorithm so far. */
  private static final class Failures {
    final AtomicInteger count = new AtomicInteger();

    /** Whether planning has broken a limit; each further case could take as long again. */
    volatile boolean isRunaway;
  }

  private boolean isEnough(Failures failures) {
    return isStopped.getAsBoolean()
        || (maxFailures > 0 && (failures.isRunaway || failures.count.get() >= maxFailures));
  }

  private void show(AlgorithmWithPeer subject, int done, int all, int failed) {
    progress.show(
        done,
        all,
        Sentence.of(
            "cases of %s %s%s",
            subject.operation(),
            subject.algorithm().name(),
            failed == 0 ? "" : ", " + failed + " failed"));
  }

  /** The cluster of a case that uses all threads. */
  private VirtualCluster alone(CollectiveCase c, @Nullable RemotePlans elsewhere) {
    return depth.cluster(c, depth.workers(), false, elsewhere);
  }

  private void check(CheckedCases cases, int index, VirtualCluster cluster, Failures failures) {
    CollectiveCase c = cases.cases().get(index);
    Report report = cluster.check(c, cases.subject().executors());
    VerifyOutcome outcome = new VerifyOutcome(c, report, refusal(report));
    if (outcome.hasError()) {
      failures.count.incrementAndGet();
    }
    if (report.brokePlanningLimit()) {
      failures.isRunaway = true;
    }
    outcomes.execute(() -> cases.set(index, outcome));
  }

  /**
   * The reason why nothing was checked; empty if something was checked, or if not checking is a
   * failure.
   */
  private static String refusal(Report report) {
    for (Finding finding : report.findings()) {
      if (finding.rule() == Rule.REFUSED) {
        String message = finding.message();
        return message.startsWith(NOTHING_CHECKED)
            ? message.substring(NOTHING_CHECKED.length())
            : message;
      }
    }
    return report.isClean() && report.planCount() == 0 ? "there was no plan to check" : "";
  }

  /** Finds the smallest case for the first failure of each set of rules. */
  private List<VerifyOutcome> shrunk(
      AlgorithmWithPeer subject, @Nullable RemotePlans elsewhere, List<VerifyOutcome> outcomes) {
    List<VerifyOutcome> explained = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (VerifyOutcome outcome : outcomes) {
      boolean isFirst =
          outcome.isFailed()
              && !isStopped.getAsBoolean()
              && !outcome.report().brokePlanningLimit()
              && seen.add(outcome.report().rules());
      explained.add(isFirst ? shrunk(subject, elsewhere, outcome) : outcome);
    }
    return explained;
  }

  private VerifyOutcome shrunk(
      AlgorithmWithPeer subject, @Nullable RemotePlans elsewhere, VerifyOutcome outcome) {
    progress.show(
        Sentence.of(
            "%s %s: looking for the smallest case that breaks %s",
            subject.operation(),
            subject.algorithm().name(),
            String.join(", ", outcome.report().rules())));
    CollectiveCase c = outcome.checked();
    Report again = depth.cluster(c, depth.workers(), true, elsewhere).check(c, subject.executors());
    // A failure that depends on timing may not occur again, but it did occur.
    return again.rules().equals(outcome.report().rules())
        ? new VerifyOutcome(c, again, "")
        : outcome;
  }

  private static void await(Future<?> future) {
    try {
      Object _ = future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while cases were checked", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException("a check failed", e);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
