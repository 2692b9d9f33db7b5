package dev.tutti.testkit;

import dev.tutti.sdk.plan.GroupPlan;
import java.util.List;

/**
 * Judges a recorded plan without running it. Exact for all schedules at once: what is reported can
 * happen, and what is not reported cannot.
 *
 * <p>Vector clocks make the cost grow with the number of streams of the group, S: {@code O(S)} time
 * for every notify event and {@code O(S²)} memory. Meant for up to 64 ranks with a few streams
 * each.
 */
public final class PlanChecker {

  private PlanChecker() {}

  /**
   * Checks the notifies and memory accesses of one operation, and of two in a row: rules SYN-1 to
   * SYN-5, MEM-1, MEM-2 and SEQ-1.
   *
   * @return what is wrong, empty if nothing is
   * @throws dev.tutti.sdk.TuttiException with code LINK_MISMATCH or OUT_OF_BOUNDS if the plan uses
   *     a notify or memory that is not there
   */
  public static List<Finding> check(GroupPlan plan) {
    Findings findings = new Findings();
    if (checkOnce(FlatPlan.of(plan), findings)) {
      FlatPlan twice = FlatPlan.of(GroupPlan.sequence(plan.name(), List.of(plan, plan)));
      new HappensBefore(twice, new Findings(), new RaceDetector(twice, findings, true)).walk();
    }
    return findings.toList();
  }

  /**
   * Checks that what was requested is used: rule RES-1. Makes sense for operations that leave no
   * rank without data.
   */
  public static List<Finding> checkResources(GroupPlan plan) {
    Findings findings = new Findings();
    new ResourceUse(plan, findings).check();
    return findings.toList();
  }

  /** True if the plan runs to its end. */
  private static boolean checkOnce(FlatPlan plan, Findings findings) {
    for (FlatStream stream : plan.streams()) {
      if (stream.number > 0 && !FlatStream.isAwait(stream.sync(0))) {
        findings.add(
            Rules.NOT_JOINED,
            stream.origin(0),
            stream.describe(0)
                + " starts a slave stream; let it start with an await of the main stream");
      }
    }
    return new HappensBefore(plan, findings, new RaceDetector(plan, findings, false)).walk();
  }
}
