package dev.tutti.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.testkit.flow.Findings;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void aCleanReportSaysHowMuchWasChecked() {
    Report report = new Report("allreduce ring on 4 ranks", List.of(), List.of(), 2, 8, 1, null);

    assertThat(report.requireClean()).isSameAs(report);
    assertThat(report).hasToString("allreduce ring on 4 ranks: clean, 2 plans, 8 runs");
  }

  @Test
  void allFindingsAreInTheMessageOfTheError() {
    Report report =
        new Report(
            "scan",
            List.of(new Finding(Rule.DEADLOCK, "stuck"), new Finding(Rule.UNUSED, "spare")),
            List.of(),
            1,
            0,
            1,
            null);

    assertThat(report.has("RES-1")).isTrue();
    assertThat(report.has("VAL-1")).isFalse();
    assertThatThrownBy(report::requireClean)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "scan: 2 findings\n  SYN-1 deadlock: stuck\n  RES-1 resource not used: spare\n"
                + "  SYN-1 is explained in docs/rules/SYN-1.md\n"
                + "  RES-1 is explained in docs/rules/RES-1.md");
  }

  @Test
  void findingsOfOneCauseAreOneAndTheRestIsCounted() {
    Findings findings = new Findings();
    findings.add(Rule.RACE, "line 3", "first");
    findings.add(Rule.RACE, "line 3", "second");
    for (int i = 0; i < Findings.MAX_PER_RULE + 1; i++) {
      findings.add(Rule.RACE, "other " + i, "text " + i);
    }

    assertThat(findings.toList())
        .hasSize(Findings.MAX_PER_RULE + 1)
        .startsWith(new Finding(Rule.RACE, "first (and 1 more like it)"))
        .endsWith(new Finding(Rule.RACE, "and 2 more elsewhere"));
  }
}
