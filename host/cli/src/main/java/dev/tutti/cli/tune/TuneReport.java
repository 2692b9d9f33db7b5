package dev.tutti.cli.tune;

import dev.tutti.cli.chart.ChartPage;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the measurements, and how much slower the choice is than the fastest algorithm. */
final class TuneReport {

  private static final String[] KEYS = {"algorithm", "micros"};

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;
  private final ChartPage page;
  private final List<TuneResult> results = new ArrayList<>();
  private final SweepTable table =
      new SweepTable("fastest", ">µs", "chosen", ">µs", ">ratio", ">hop ns");

  TuneReport(Terminal terminal, boolean isJson, CsvFile csv, ChartPage page) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
    this.page = page;
  }

  void row(TuneResult result) {
    results.add(result);
    TuneResult.Time best = result.best();
    JsonLine json = json(result);
    csv.add(json);
    page.add(json);
    addPoints(result);
    if (isJson) {
      terminal.out().println(json);
      return;
    }
    table.row(
        result.cell(),
        best.candidate().label(),
        Text.number(best.micros()),
        result.chosen().label(),
        Text.number(result.chosenMicros()),
        String.format(Locale.ROOT, "%.2f", result.ratio()),
        result.hopNanos() == 0 ? "-" : result.hopNanos());
  }

  /** Adds all algorithms; the range of a time is that of its ratio to the fastest. */
  private void addPoints(TuneResult result) {
    double fastest = result.best().micros();
    for (TuneResult.Time time : result.times()) {
      page.add(
          result
              .cell()
              .point(
                  time.candidate().label(),
                  time.micros(),
                  fastest * time.ratio().low(),
                  fastest * time.ratio().high(),
                  result.hopNanos()));
    }
  }

  private static JsonLine json(TuneResult result) {
    List<String[]> times =
        result.times().stream()
            .map(each -> new String[] {each.candidate().label(), String.valueOf(each.micros())})
            .toList();
    return SweepTable.json(result.cell())
        .put("fastest", result.best().candidate().label())
        .put("fastestMicros", result.best().micros())
        .put("chosen", result.chosen().label())
        .put("chosenBy", result.chosen().estimate().origin().label())
        .put("chosenMicros", result.chosenMicros())
        .put("ratio", result.ratio())
        .put("hopNanos", result.hopNanos())
        .putObjects("times", KEYS, times);
  }

  /** All rows so far. */
  List<TuneResult> results() {
    return List.copyOf(results);
  }

  /** Prints the table and the overall ratios, and writes the requested files. */
  void end() {
    if (!isJson) {
      print();
    }
    csv.write();
    page.write();
  }

  private void print() {
    table.print(terminal);
    if (!results.isEmpty()) {
      Distribution ratios = Distribution.of(results.stream().mapToDouble(TuneResult::ratio));
      terminal
          .out()
          .printf(
              Locale.ROOT,
              "the chosen algorithm takes at most %.2f times as long as the fastest, and %.2f"
                  + " times in the median%n",
              ratios.largest(),
              ratios.median());
    }
  }
}
