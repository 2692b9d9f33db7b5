package dev.tutti.cli.simulate;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.simulator.Gantt;
import dev.tutti.simulator.LinkLoads;
import dev.tutti.simulator.LinkTraffic;
import dev.tutti.simulator.PathStep;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.page.Html;
import dev.tutti.simulator.page.HtmlPage;
import dev.tutti.simulator.page.PageScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Simulations as a page: a table of all, and drawings of the first ones. Not thread-safe. */
final class SimulateHtml {

  /** The largest number of drawings; the data of one may have several megabytes. */
  private static final int MAX_DRAWN = 8;

  private static final int BUSIEST = 10;
  private static final int LAST_OF_PATH = 30;
  private static final double PS_PER_MICRO = 1e6;
  private static final double GIGA = 1e9;

  private static final List<String> HEADINGS =
      List.of(
          "operation",
          "algorithm",
          ">ranks",
          ">size",
          ">time µs",
          ">× bound",
          ">busbw GB/s",
          ">steps");

  private static final List<String> LINK_HEADINGS =
      List.of("from rank", "to rank", "across", ">bytes", ">messages");

  private final List<SimulateRow> rows = new ArrayList<>();
  private final List<Drawing> drawings = new ArrayList<>();
  private final int simulations;

  /** The parts of a simulation that the page shows. */
  private record Drawing(
      String title,
      String gantt,
      String loads,
      List<LinkTraffic> busiest,
      List<PathStep> path,
      int pathLength) {}

  /**
   * Begins a page without simulations.
   *
   * @param simulations the expected number; a page with fewer is marked as incomplete
   */
  SimulateHtml(int simulations) {
    this.simulations = simulations;
  }

  /**
   * Adds a simulation.
   *
   * @param simulation null if there is none
   */
  void add(SimulateRow row, @Nullable Simulation simulation) {
    rows.add(row);
    if (simulation == null || drawings.size() == MAX_DRAWN) {
      return;
    }
    List<PathStep> path = simulation.criticalPath();
    drawings.add(
        new Drawing(
            row.subject().algorithm().qualifiedName() + ", " + row.simulated(),
            Gantt.toJson(simulation),
            LinkLoads.toJson(simulation.traffic()),
            simulation.traffic().links().stream()
                .sorted(Comparator.comparingLong(LinkTraffic::bytes).reversed())
                .limit(BUSIEST)
                .toList(),
            path.subList(Math.max(0, path.size() - LAST_OF_PATH), path.size()),
            path.size()));
  }

  /** The text of the page. */
  @Override
  public String toString() {
    HtmlPage page = new HtmlPage("Tutti: algorithms simulated");
    page.body().element("p", TuttiVersion.line(), "class", "muted");
    if (rows.size() < simulations) {
      String text = Sentence.of("incomplete: %d of %d simulations", rows.size(), simulations);
      page.body().element("p", text, "class", "verdict bad");
    }
    addTable(page.body());
    drawings.forEach(drawing -> add(page, drawing));
    return page.toString();
  }

  private void addTable(Html html) {
    html.openTable("Simulations", HEADINGS);
    for (SimulateRow row : rows) {
      html.open("tr");
      html.element("td", row.simulated().operation().label());
      html.element("td", row.subject().algorithm().qualifiedName());
      html.number(row.simulated().comm().rankSize() + "");
      html.number(Sizes.bytes(row.bytes()));
      if (row.isSimulated()) {
        html.number(Text.number(row.micros()));
        html.number(number(row.boundRatio()));
        html.number(number(row.busBandwidth() / GIGA));
        html.number(row.steps() + "");
      } else {
        html.element("td", row.problem(), "colspan", "4");
      }
      html.closeLine();
    }
    html.closeTable();
    long simulated = rows.stream().filter(SimulateRow::isSimulated).count();
    if (simulated > drawings.size()) {
      html.element("p", Sentence.of("The first %d of %d are drawn.", drawings.size(), simulated));
    }
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Text.number(value) : "-";
  }

  private static void add(HtmlPage page, Drawing drawing) {
    Html html = page.body();
    html.open("section").element("h2", drawing.title());
    html.element("h3", "What every rank does");
    page.drawing(
        "simulation", PageScript.SIMULATION, drawing.gantt(), "Gantt chart of " + drawing.title());
    addPath(html, drawing);
    if (!drawing.busiest().isEmpty()) {
      html.element("h3", "What crosses the links");
      page.drawing(
          "heat", PageScript.HEAT, drawing.loads(), "Bytes between ranks of " + drawing.title());
      addBusiest(html, drawing.busiest());
    }
    html.closeLine();
  }

  private static void addPath(Html html, Drawing drawing) {
    html.open("details");
    html.element("summary", "The critical path, " + Text.count(drawing.pathLength(), "action"));
    int skipped = drawing.pathLength() - drawing.path().size();
    if (skipped > 0) {
      html.element("p", Sentence.of("The last ones; %d come before.", skipped));
    }
    html.open("ol", "start", Integer.toString(skipped + 1));
    for (PathStep step : drawing.path()) {
      html.element(
          "li",
          Sentence.of(
              "%s, %s to %s µs",
              step.action(),
              Text.number(step.start() / PS_PER_MICRO),
              Text.number(step.end() / PS_PER_MICRO)));
    }
    html.close().closeLine();
  }

  private static void addBusiest(Html html, List<LinkTraffic> busiest) {
    html.open("details").element("summary", "The busiest pairs");
    html.openTable("The busiest pairs", LINK_HEADINGS);
    for (LinkTraffic link : busiest) {
      html.open("tr");
      html.element("td", link.src() + "").element("td", link.dst() + "");
      html.element("td", link.level().label());
      html.number(link.bytes() + "");
      html.number(link.messages() + "").closeLine();
    }
    html.closeTable();
    html.closeLine();
  }
}
