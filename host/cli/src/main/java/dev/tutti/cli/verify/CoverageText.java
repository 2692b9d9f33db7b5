package dev.tutti.cli.verify;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Text;
import dev.tutti.verifier.matrix.Coverage;
import dev.tutti.verifier.matrix.Coverage.Combinations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The coverage of cases as text: numbers for combinations of several factors, and the share of each
 * value for a single factor.
 */
record CoverageText(Coverage coverage) {

  /** The number of least visited combinations that each table names. */
  static final int THINNEST = 2;

  private static final int MOST_VALUES_IN_A_LINE = 16;

  List<String> lines() {
    Table table = new Table("combinations", ">visited", ">possible", ">fewest", "thinnest");
    coverage.pairs().forEach(each -> add(each, table));
    coverage.triples().forEach(each -> add(each, table));
    List<String> lines = new ArrayList<>();
    lines.add(
        Sentence.of(
            "coverage of %s, %d of them without data",
            Text.count(coverage.cases(), "checked case"), coverage.withoutData()));
    lines.addAll(table.lines());
    coverage.shares().forEach(each -> lines.add(share(each)));
    return lines;
  }

  private static void add(Combinations combinations, Table table) {
    table.row(
        combinations.factors(),
        combinations.visited(),
        combinations.possible(),
        combinations.fewest(),
        combinations.thinnest(THINNEST).entrySet().stream()
            .map(each -> each.getKey() + " (" + each.getValue() + ")")
            .collect(Collectors.joining(", ")));
  }

  private String share(Combinations values) {
    String shares =
        values.visits().entrySet().stream()
            .limit(MOST_VALUES_IN_A_LINE)
            .map(each -> each.getKey() + " " + percent(each))
            .collect(Collectors.joining(", "));
    int more = values.possible() - MOST_VALUES_IN_A_LINE;
    return values.factors() + ": " + shares + (more > 0 ? ", and " + more + " more" : "");
  }

  private String percent(Map.Entry<String, Integer> each) {
    return Math.round(100.0 * each.getValue() / coverage.cases()) + " %";
  }
}
