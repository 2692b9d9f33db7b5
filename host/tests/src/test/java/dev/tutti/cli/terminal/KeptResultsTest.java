package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptResultsTest {

  private final StringWriter err = new StringWriter();
  private final Terminal terminal =
      new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false);
  private final List<Integer> results = new ArrayList<>();
  private final List<List<Integer>> reports = new ArrayList<>();

  private KeptResults kept(Path... files) {
    return new KeptResults(
        terminal, "measured", List.of(files), () -> reports.add(List.copyOf(results)));
  }

  @Test
  void allResultsAreReportedOnce() {
    try (KeptResults kept = kept()) {
      kept.add(() -> results.add(1));
      kept.add(() -> results.add(2));
      kept.complete();
      kept.interrupted();
    }
    assertThat(reports).containsExactly(List.of(1, 2));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aReportOfNothingIsAReport() {
    try (KeptResults kept = kept()) {
      kept.complete();
    }
    assertThat(reports).containsExactly(List.of());
  }

  @Test
  void anInterruptionKeepsWhatThereIs() {
    try (KeptResults kept = kept(Path.of("a.csv"), Path.of("b.html"))) {
      kept.add(() -> results.add(1));
      kept.interrupted();
      kept.add(() -> results.add(2));
      kept.complete();
    }
    assertThat(reports).containsExactly(List.of(1));
    assertThat(results).containsExactly(1);
    assertThat(err.toString())
        .isEqualTo("tutti: what was measured before the interruption is in a.csv, b.html\n");
  }

  @Test
  void aFailureKeepsWhatThereIs() {
    try (KeptResults kept = kept()) {
      kept.add(() -> results.add(1));
    }
    assertThat(reports).containsExactly(List.of(1));
    assertThat(err.toString()).isEqualTo("tutti: what was measured before the failure is above\n");
  }

  @Test
  void whereThereIsNothingNothingIsReported() {
    try (KeptResults kept = kept(Path.of("a.csv"))) {
      kept.interrupted();
    }
    KeptResults failed = kept();
    failed.close();
    assertThat(reports).isEmpty();
    assertThat(err.toString()).isEmpty();
  }
}
