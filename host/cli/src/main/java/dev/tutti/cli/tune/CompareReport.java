package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.chart.ChartPage;
import dev.tutti.cli.chart.ChartPoint;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.tune.CompareResult.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Shows the quality of the choice, for each request and overall. */
final class CompareReport {

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;
  private final ChartPage page;
  private final double limit;
  private final List<CompareResult> results = new ArrayList<>();
  private final SweepTable table =
      new SweepTable(
          "chosen",
          ">µs",
          "fastest",
          ">µs",
          ">ratio",
          "range",
          "noise",
          ">batches",
          ">hop ns",
          "verdict");

  CompareReport(Terminal terminal, boolean isJson, CsvFile csv, ChartPage page, double limit) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
    this.page = page;
    this.limit = limit;
  }

  void row(CompareResult result) {
    results.add(result);
    JsonLine json = json(result);
    csv.add(json);
    page.add(json);
    addPoints(result);
    if (isJson) {
      terminal.out().println(json);
      terminal.out().flush();
      return;
    }
    table.row(
        result.cell(),
        result.chosen().label(),
        Text.number(result.chosenMicros()),
        result.fastest().label(),
        Text.number(result.fastestMicros()),
        Sentence.of("%.2f", result.ratio().median()),
        result.ratio(),
        result.noise(),
        result.noise().count(),
        result.hopNanos() == 0 ? "-" : result.hopNanos(),
        result.verdict().label());
  }

  /**
   * Adds the fastest candidate, and the chosen one, if they differ, with the range of its ratio.
   */
  private void addPoints(CompareResult result) {
    double fastest = result.fastestMicros();
    page.add(point(result, result.fastest().label(), fastest, fastest, fastest));
    if (!result.fastest().label().equals(result.chosen().label())) {
      Ratio ratio = result.ratio();
      page.add(
          point(
              result,
              result.chosen().label(),
              fastest * ratio.median(),
              fastest * ratio.low(),
              fastest * ratio.high()));
    }
  }

  private static ChartPoint point(
      CompareResult result, String label, double micros, double least, double most) {
    return result.cell().point(label, micros, least, most, result.hopNanos());
  }

  private static JsonLine json(CompareResult result) {
    return SweepTable.json(result.cell())
        .put("chosen", result.chosen().label())
        .put("chosenBy", result.chosen().estimate().origin().label())
        .put("chosenMicros", result.chosenMicros())
        .put("fastest", result.fastest().label())
        .put("fastestMicros", result.fastestMicros())
        .put("ratio", result.ratio().median())
        .put("ratioLow", result.ratio().low())
        .put("ratioHigh", result.ratio().high())
        .put("noise", result.noise().median())
        .put("noiseLow", result.noise().low())
        .put("noiseHigh", result.noise().high())
        .put("batches", result.noise().count())
        .put("hopNanos", result.hopNanos())
        .put("verdict", result.verdict().label());
  }

  /**
   * Prints the table and the summary, and writes the requested files.
   *
   * @param tuned the states of the machine in which algorithms were measured before
   */
  void end(List<Integer> tuned) {
    warnOfOtherStates(tuned);
    if (!isJson && !results.isEmpty()) {
      print();
    }
    csv.write();
    page.write();
  }

  private void print() {
    table.print(terminal);
    Distribution ratios = Distribution.of(results.stream().mapToDouble(it -> it.ratio().median()));
    Distribution noise = Distribution.of(results.stream().mapToDouble(it -> it.noise().spread()));
    terminal
        .out()
        .println(
            Sentence.of(
                "of %s, %d within %.2f, %d beyond, %d open; the largest ratio is"
                    + " %.2f; noise up to %.2f, %.2f in the median",
                Text.count(results.size(), "ratio"),
                count(Verdict.WITHIN),
                limit,
                count(Verdict.BEYOND),
                count(Verdict.OPEN),
                ratios.largest(),
                noise.largest(),
                noise.median()));
  }

  private void warnOfOtherStates(List<Integer> tuned) {
    if (tuned.isEmpty() || tuned.contains(0)) {
      return;
    }
    results.stream()
        .map(CompareResult::hopNanos)
        .distinct()
        .filter(state -> state > 0 && !tuned.contains(state))
        .sorted()
        .forEach(
            state ->
                terminal
                    .err()
                    .println(
                        Sentence.of(
                            "tutti: no measurements exist for the state in which a cache line takes"
                                + " %d ns; run 'tutti tune' in this state to add them",
                            state)));
  }

  private long count(Verdict verdict) {
    return results.stream().filter(it -> it.verdict() == verdict).count();
  }
}
