package dev.tutti.cli.tune.network;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import java.util.List;

/** Shows the measured times of links, and the lines through them. */
final class NetworkReport {

  private static final double MICRO = 1e3;
  private static final double GIGA = 1e9;

  /** The largest spread on quiet machines. */
  private static final double MAX_SPREAD = 2;

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;

  NetworkReport(Terminal terminal, boolean isJson, CsvFile csv) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
  }

  void print(List<MeasuredLink> links) {
    Table table = new Table("link", ">pairs", ">size", ">µs", ">fitted");
    for (MeasuredLink link : links) {
      for (LinkSample each : link.samples()) {
        double fitted = link.fit().nanos(each.bytes());
        JsonLine line =
            new JsonLine()
                .put("link", link.name())
                .put("pairs", link.pairs())
                .put("bytes", each.bytes())
                .put("micros", each.nanos() / MICRO)
                .put("fittedMicros", fitted / MICRO);
        csv.add(line);
        if (isJson) {
          terminal.out().println(line);
        }
        table.row(
            link.name(),
            link.pairs(),
            Sizes.bytes(each.bytes()),
            Text.number(each.nanos() / MICRO),
            Text.number(fitted / MICRO));
      }
    }
    if (!isJson) {
      table.print(terminal);
      links.forEach(link -> terminal.out().println(summary(link)));
    }
    warn(links);
  }

  /** Warns if the machines were so busy that they disturbed most messages. */
  private void warn(List<MeasuredLink> links) {
    double usual =
        Distribution.of(
                links.stream()
                    .flatMap(link -> link.samples().stream())
                    .mapToDouble(LinkSample::spread))
            .median();
    if (usual > MAX_SPREAD) {
      terminal
          .err()
          .println(
              Sentence.of(
                  "tutti: the machines or the network were busy: messages usually took %.1f times"
                      + " as long as the fastest ones; measure again when nothing else runs",
                  usual));
    }
  }

  private static String summary(MeasuredLink link) {
    String bandwidth =
        Sentence.of(
            "%s: bandwidth %s GB/s", link.name(), Text.number(link.bytesPerSecond() / GIGA));
    return link.pairs() > 1
        ? Sentence.of("%s for %d pairs together", bandwidth, link.pairs())
        : Sentence.of(
            "%s, latency %s µs, mean error %.0f %%",
            bandwidth,
            Text.number(link.fit().latency() / MICRO),
            100 * link.fit().error(link.samples()));
  }
}
