package dev.tutti.testkit.assertions;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.verifier.Report;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each assertion holds and fails where it should, and says what was expected and found. */
class ReportAssertTest {

  private static final Report CLEAN = report(1);
  private static final Report RACING = report(1, new Finding(Rule.RACE, "two ranks meet"));
  private static final Report STUCK =
      report(
          1,
          new Finding(Rule.DEADLOCK, "all wait").withExplanation("rank 0 waits for rank 1"),
          new Finding(Rule.UNUSED, "a link too many"));
  private static final Report UNPLANNED = report(0, new Finding(Rule.PLANNING_FAILED, "null"));

  private static Report report(int plans, Finding... findings) {
    return new Report("ring", List.of(findings), List.of(), plans, 2 * plans, 1, null);
  }

  private static void assertFails(ThrowingCallable assertion, String message) {
    assertThatThrownBy(assertion).isExactlyInstanceOf(AssertionError.class).hasMessage(message);
  }

  @Test
  void aCleanReportIsClean() {
    assertThat(CLEAN).isClean().hasNoRace().hasNoDeadlock().hasRunAtLeast(2);
  }

  @Test
  void aReportWithFindingsIsNotClean() {
    assertFails(
        () -> assertThat(RACING).isClean(),
        "expected a clean report, found MEM-1 data race; the report is:\n" + RACING);
  }

  @Test
  void aReportThatJudgedNoPlanIsNotClean() {
    Report nothing = report(0);

    assertFails(
        () -> assertThat(nothing).isClean(),
        "expected a clean report, but no plan was judged; the report is:\n" + nothing);
  }

  @Test
  void racesAreTold() {
    assertThat(STUCK).hasNoRace();
    assertFails(
        () -> assertThat(RACING).hasNoRace(),
        "expected no finding of MEM-1 data race, SEQ-1 data race between operations; the report"
            + " is:\n"
            + RACING);
    assertThatThrownBy(
            () -> assertThat(report(1, new Finding(Rule.SEQUENCE_RACE, "x"))).hasNoRace())
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void deadlocksAreTold() {
    assertThat(RACING).hasNoDeadlock();
    assertThatThrownBy(() -> assertThat(STUCK).hasNoDeadlock())
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("expected no finding of SYN-1 deadlock");
  }

  @Test
  void whatCouldNotBePlannedHasNotProvedToHaveNoRace() {
    assertThatThrownBy(() -> assertThat(UNPLANNED).hasNoRace())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("but no plan was judged");
  }

  @Test
  void brokenRulesAreTold() {
    assertThat(STUCK).breaks(Rule.DEADLOCK).breaks(Rule.UNUSED, Rule.DEADLOCK);
    assertThat(STUCK).breaksOnly(Rule.UNUSED, Rule.DEADLOCK);
    assertThat(UNPLANNED).breaksOnly(Rule.PLANNING_FAILED);
    assertFails(
        () -> assertThat(STUCK).breaks(Rule.RACE, Rule.UNUSED),
        "expected findings of MEM-1 data race too, found RES-1 resource not used, SYN-1 deadlock;"
            + " the report is:\n"
            + STUCK);
    assertFails(
        () -> assertThat(STUCK).breaksOnly(Rule.DEADLOCK),
        "expected findings of exactly SYN-1 deadlock, found RES-1 resource not used, SYN-1"
            + " deadlock; the report is:\n"
            + STUCK);
    assertThatThrownBy(() -> assertThat(CLEAN).breaks(Rule.RACE))
        .hasMessageContaining("found none");
  }

  @Test
  void whatAFindingSaysIsLookedForInMessageAndExplanation() {
    assertThat(STUCK).saysOf(Rule.DEADLOCK, "all wait").saysOf(Rule.DEADLOCK, "for rank 1");
    assertThatThrownBy(() -> assertThat(STUCK).saysOf(Rule.DEADLOCK, "too many"))
        .hasMessageStartingWith(
            "expected a finding of SYN-1 that says 'too many', found 1 of that rule");
  }

  @Test
  void runsAreCounted() {
    assertThatThrownBy(() -> assertThat(CLEAN).hasRunAtLeast(3))
        .hasMessageStartingWith("expected 3 runs or more, found 2");
    assertThatThrownBy(() -> assertThat(UNPLANNED).hasRunAtLeast(1))
        .hasMessageStartingWith("expected 1 run or more, found 0");
  }

  @Test
  void goesAlongWithAssertJ() {
    assertThatCode(() -> assertThat(CLEAN).isClean()).doesNotThrowAnyException();
    org.assertj.core.api.Assertions.assertThat(assertThat(CLEAN).report()).isSameAs(CLEAN);
  }
}
