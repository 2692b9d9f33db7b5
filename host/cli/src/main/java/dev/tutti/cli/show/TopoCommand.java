package dev.tutti.cli.show;

import dev.tutti.cli.options.GroupOptions;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.engine.machine.MachineLayout;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows a topology. */
@Command(
    name = "topo",
    description = "Shows the levels of a topology, and the ranks of each plane.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti topo --topology 8+4",
      "  tutti topo --topology '4+4|4+3'",
      "  tutti topo --ranks 8 --topology found"
    })
public final class TopoCommand implements Callable<Integer> {

  private static final int MAX_LISTED = 16;

  private final Terminal terminal;

  @Mixin private final GroupOptions groupOptions = new GroupOptions();

  public TopoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Topology topology = groupOptions.topology();
    if (groupOptions.isFound()) {
      terminal.out().println("machine: " + MachineLayout.found());
    }
    terminal
        .out()
        .printf(
            Locale.ROOT,
            "%s: %s, %s, %s, %s%n",
            topology,
            Text.count(topology.rankSize(), "rank"),
            Text.count(topology.nodeCount(), "node"),
            Text.count(topology.podCount(), "pod"),
            topology.isUniform() ? "uniform" : "not uniform");
    Table table = new Table("level", ">planes", "ranks");
    for (CommPlane level : CommPlane.values()) {
      Set<RankList> planes = new LinkedHashSet<>();
      for (int rank = 0; rank < topology.rankSize(); rank++) {
        planes.add(topology.plane(level, rank));
      }
      table.row(level.label(), planes.size(), listed(planes));
    }
    table.print(terminal);
    return ExitCode.OK;
  }

  private static String listed(Set<RankList> planes) {
    List<String> texts = planes.stream().limit(MAX_LISTED).map(RankList::toString).toList();
    return String.join(" ", texts) + (planes.size() > MAX_LISTED ? " …" : "");
  }
}
