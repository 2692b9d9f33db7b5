package dev.tutti.testkit.junit;

import dev.tutti.plan.GroupPlan;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One case of a {@link CollectiveTest}, ready to be checked. Not thread-safe. */
public final class CaseCheck {

  private final Subject subject;
  private final CollectiveCase definition;
  private @Nullable Report report;

  CaseCheck(Subject subject, CollectiveCase definition) {
    this.subject = subject;
    this.definition = definition;
  }

  /** For example {@code "allreduce ring ranks=7 count=1000 float32 sum op-base rdma"}. */
  public String name() {
    return subject.nameOf(definition);
  }

  /** The case. */
  public CollectiveCase definition() {
    return definition;
  }

  /** The report of this case; the first call runs the check. */
  public Report report() {
    Report known = report;
    return known == null ? report(settings -> settings) : known;
  }

  /**
   * The report of this case, checked with other settings.
   *
   * @param settings changes the standard settings
   */
  public Report report(UnaryOperator<ClusterBuilder> settings) {
    Report made =
        settings
            .apply(VirtualCluster.builder(definition))
            .build()
            .check(definition, subject.executors());
    report = made;
    return made;
  }

  /**
   * The plan of all ranks.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link dev.tutti.plan.PlanRecorder#record}
   */
  public GroupPlan plan() {
    return subject.record(definition);
  }

  Subject subject() {
    return subject;
  }

  /** The last report; null if there was no check. */
  @Nullable Report lastReport() {
    return report;
  }

  @Override
  public String toString() {
    return name();
  }
}
