package dev.tutti.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void aCleanReportSaysHowMuchWasChecked() {
    Report report = new Report("allreduce ring on 4 ranks", List.of(), 2, 8);

    assertThat(report.requireClean()).isSameAs(report);
    assertThat(report).hasToString("allreduce ring on 4 ranks: clean, 2 plans, 8 runs");
  }

  @Test
  void allFindingsAreInTheMessageOfTheError() {
    Report report =
        new Report(
            "scan", List.of(new Finding("SYN-1", "stuck"), new Finding("RES-1", "spare")), 1, 0);

    assertThat(report.has("RES-1")).isTrue();
    assertThat(report.has("VAL-1")).isFalse();
    assertThatThrownBy(report::requireClean)
        .isInstanceOf(AssertionError.class)
        .hasMessage("scan: 2 findings\n  SYN-1: stuck\n  RES-1: spare");
  }

  @Test
  void findingsOfOneCauseAreOneAndTheRestIsCounted() {
    Findings findings = new Findings();
    findings.add("MEM-1", "line 3", "first");
    findings.add("MEM-1", "line 3", "second");
    for (int i = 0; i < Findings.MAX_PER_RULE + 1; i++) {
      findings.add("MEM-1", "other " + i, "text " + i);
    }

    assertThat(findings.toList())
        .hasSize(Findings.MAX_PER_RULE + 1)
        .startsWith(new Finding("MEM-1", "first (and 1 more like it)"))
        .endsWith(new Finding("MEM-1", "and 2 more elsewhere"));
  }
}
