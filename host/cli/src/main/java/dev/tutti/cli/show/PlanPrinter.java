package dev.tutti.cli.show;

import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanDot;
import dev.tutti.plan.PlanJson;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.Diagram;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a plan in one of its formats. */
final class PlanPrinter {

  private final PlanJson.Content content;
  private final GroupPlan plan;
  private final boolean averages;
  private final PrintWriter target;

  /**
   * Makes a printer.
   *
   * @param averages whether the host divides the sums of the plan
   */
  PlanPrinter(PlanJson.Content content, boolean averages, PrintWriter target) {
    this.content = content;
    this.plan = content.plan();
    this.averages = averages;
    this.target = target;
  }

  void printJson() throws IOException {
    PlanJson.write(content, target);
    target.println();
  }

  void printDot() {
    target.println(PlanDot.toDot(plan).stripTrailing());
  }

  void printSvg() {
    target.print(Diagram.toSvg(plan));
  }

  /** A table of each rank, or of one. */
  void printText(@Nullable Integer onlyRank) {
    target.printf(Locale.ROOT, "%s, digest %s%n", plan, plan.digest().substring(0, 12));
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      if (onlyRank == null || onlyRank == rank) {
        printRank(plan.rank(rank));
      }
    }
    if (averages) {
      target.printf(
          Locale.ROOT, "%nThen each rank that has a result divides it by %d.%n", plan.rankSize());
    }
  }

  private void printRank(RankPlan rank) {
    target.printf(Locale.ROOT, "%nrank %d: %s%n", rank.rank(), counts(rank));
    if (rank.actionCount() == 0) {
      return;
    }
    Table table = new Table(">#", ">stream", "action", "line");
    for (int action = 0; action < rank.actionCount(); action++) {
      table.row(action, rank.stream(action), rank.describe(action), rank.source(action));
    }
    table.lines().forEach(target::println);
  }

  private static String counts(RankPlan rank) {
    return Text.count(rank.actionCount(), "action")
        + ", "
        + Text.count(rank.streamCount(), "stream")
        + ", "
        + Text.count(rank.linkCount(), "link");
  }
}
