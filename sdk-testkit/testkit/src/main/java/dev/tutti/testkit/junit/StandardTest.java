package dev.tutti.testkit.junit;

import dev.tutti.testkit.calls.CallReport;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.GateLimits;
import dev.tutti.verifier.gate.Outcome;
import dev.tutti.verifier.matrix.Acceptance;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The tests that every executor should pass: each case of a matrix, then that it accepts some case,
 * makes no forbidden call, and plans the same in other processes. Not thread-safe.
 */
final class StandardTest {

  /**
   * The most failed cases for which the test searches the smallest failing one and publishes files.
   * If an executor fails everywhere, a few are enough.
   */
  private static final int EXPLAINED = 5;

  private static final Duration CALLS_LIMIT = Duration.ofSeconds(60);

  private final Subject subject;
  private final List<CollectiveCase> cases;
  private final Refusals refusals;
  private final UnaryOperator<ClusterBuilder> settings;
  private final List<String> reference;
  private final OtherProcesses processes;
  private int failures;

  /** The rules that earlier failures have reported in full. */
  private final Set<String> explained = new HashSet<>();

  /** The case in which planning broke a limit; null as long as there is none. */
  private @Nullable CollectiveCase runaway;

  /** The plans of other processes; null until the first case requests one. */
  private OtherProcesses.@Nullable Subject elsewhere;

  /**
   * The tests of a subject.
   *
   * @param reference how another process finds the executors
   * @param processes processes that plan the same cases; their creator closes them
   */
  StandardTest(
      Subject subject,
      List<CollectiveCase> cases,
      Refusals refusals,
      UnaryOperator<ClusterBuilder> settings,
      List<String> reference,
      OtherProcesses processes) {
    this.reference = reference;
    this.processes = processes;
    this.subject = subject;
    this.cases = cases;
    this.refusals = refusals;
    this.settings = settings;
  }

  /** The tests, in the order in which they should run. */
  Stream<NamedTest> tests() {
    Stream<NamedTest> matrix =
        cases.stream().map(c -> new NamedTest(subject.nameOf(c), publisher -> check(c, publisher)));
    return Stream.concat(
        Stream.concat(
                matrix,
                Stream.of(
                    new NamedTest("takes some of these cases", publisher -> requireSomeTaken()),
                    new NamedTest(
                        "makes no forbidden calls", publisher -> requireNoForbiddenCalls())))
            .map(this::unlessPlanningRunsAway),
        Stream.of(
            new NamedTest("plans the same in other processes", this::requireSamePlansElsewhere)));
  }

  /** Compares the plans with those that other processes have made meanwhile. */
  private void requireSamePlansElsewhere(Publisher publisher) {
    OtherProcesses.Subject plans = elsewhere;
    if (plans == null) {
      throw new TestAbortedException("not run: no case was checked");
    }
    try {
      requireNoRunaway();
      for (CollectiveCase c : plans.differing()) {
        VirtualCluster cluster =
            settings.apply(VirtualCluster.builder(c)).staticOnly().remotePlans(plans).build();
        Report report = cluster.check(c, subject.executors());
        try {
          report.requireClean();
        } catch (AssertionError e) {
          publish(publisher, c, report, e);
          throw e;
        }
      }
      if (!plans.note().isEmpty()) {
        throw new TestAbortedException("plans were not compared: " + plans.note());
      }
    } finally {
      plans.forget();
    }
  }

  private OtherProcesses.Subject remotePlans() {
    OtherProcesses.Subject known = elsewhere;
    if (known == null) {
      known = processes.subject(reference, cases.size());
      elsewhere = known;
    }
    return known;
  }

  /** An executor that breaks a limit would use up that limit in every case, and leak a thread. */
  private NamedTest unlessPlanningRunsAway(NamedTest test) {
    return new NamedTest(
        test.name(),
        publisher -> {
          requireNoRunaway();
          test.body().run(publisher);
        });
  }

  private void requireNoRunaway() {
    if (runaway != null) {
      throw new TestAbortedException(
          "not run: planning broke its limit in " + subject.nameOf(runaway) + ", and might here");
    }
  }

  private void check(CollectiveCase c, Publisher publisher) {
    ClusterBuilder cluster =
        settings.apply(VirtualCluster.builder(c).remotePlans(remotePlans().later()));
    if (failures >= EXPLAINED) {
      cluster = cluster.shrink(false);
    }
    Report report = cluster.build().check(c, subject.executors());
    if (report.brokePlanningLimit()) {
      runaway = c;
    }
    try {
      judge(c, report);
    } catch (AssertionError e) {
      boolean isNew = explained.addAll(report.rules());
      if (++failures <= EXPLAINED) {
        publish(publisher, c, report, e);
      } else if (!isNew && !report.rules().isEmpty()) {
        throw inShort(c, report);
      }
      throw e;
    }
  }

  /** A mistake breaks most cases; one line is enough for a case that shows nothing new. */
  private AssertionError inShort(CollectiveCase c, Report report) {
    AssertionError error =
        new AssertionError(
            "%s breaks %s, as cases before it do, whose reports say where and why"
                .formatted(subject.nameOf(c), String.join(", ", report.rules())));
    error.setStackTrace(new StackTraceElement[0]);
    return error;
  }

  /** Publishes the files of a failure. An error here does not replace the failure. */
  private void publish(
      Publisher publisher, CollectiveCase c, Report report, AssertionError failure) {
    try {
      FailureFiles.publish(publisher, subject, c, report, failure.toString(), runaway == null);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void judge(CollectiveCase c, Report report) {
    boolean isRefused =
        report.findings().stream().map(Finding::rule).toList().equals(List.of(Rule.REFUSED));
    switch (refusals) {
      case Refusals.Undeclared _ when isRefused ->
          throw new TestAbortedException("refused: " + reason(report));
      case Refusals.Undeclared _ -> report.requireClean();
      case Refusals.Declared declared -> {
        boolean isExpected = declared.isRefused().test(c);
        if (isRefused && !isExpected) {
          throw new AssertionError(
              "%s is refused: %s. If that is intended, let refuses(param) return true for it%n%s"
                  .formatted(subject.nameOf(c), reason(report), report));
        }
        if (isExpected && !isRefused) {
          throw new AssertionError(
              "%s should be refused, as refuses(param) says, and is not; let supports(param)"
                      .formatted(subject.nameOf(c))
                  + " refuse it with the reason\n"
                  + report);
        }
        if (!isExpected) {
          report.requireClean();
        }
      }
    }
  }

  private static String reason(Report report) {
    return report.findings().getFirst().message();
  }

  private void requireSomeTaken() {
    Acceptance acceptance = new Acceptance(subject.executors());
    Outcome<Boolean> isAnyTaken =
        Gate.of(GateLimits.of(CALLS_LIMIT))
            .runUninterrupted(() -> cases.stream().anyMatch(acceptance::takes));
    // If an executor does not answer, the test of its case has reported that.
    if (isAnyTaken.equals(new Outcome.Returned<>(false))) {
      throw new AssertionError(
          "%s refuses all %d cases, so nothing was tested; name cases that it takes"
              .formatted(subject.first().getClass().getName(), cases.size()));
    }
  }

  private void requireNoForbiddenCalls() {
    List<Finding> findings;
    try {
      findings =
          CallReport.of(
              subject.executors().stream().map(Object::getClass).toList(), cases, CALLS_LIMIT);
    } catch (NoClassDefFoundError e) {
      throw new TestAbortedException(
          "calls are watched with Byte Buddy: put net.bytebuddy:byte-buddy on the test class path");
    }
    if (!findings.isEmpty()) {
      throw new AssertionError(
          String.join("\n", findings.stream().map(Finding::toString).toList()));
    }
  }
}
