package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Browser;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.PageChecks;
import dev.tutti.cli.host.HostNews;
import dev.tutti.cli.terminal.LinePrinter;
import dev.tutti.host.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(600)
class StatusCommandTest {

  /** The parts of a page that one must scroll sideways to read. */
  private static final String SIDEWAYS =
      "[...document.querySelectorAll('.scroll, pre')].filter(each => each.scrollWidth >"
          + " each.clientWidth).map(each => each.textContent)";

  @TempDir private Path directory;
  private Path plugins;

  @BeforeEach
  void makePluginsDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @Test
  void peopleSeeWhatIsGoingOn() throws Exception {
    try (ServedHost host =
        ServedHost.start(plugins, "--load", "allreduce", "-a", "gathering", "-n", "2")) {
      host.call("plugins", "pin", "org.example.ring", "0.9");

      Outcome outcome = host.call("status");

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.lines())
          .anyMatch(line -> line.startsWith("host       tutti "))
          .anyMatch(line -> line.matches("process +pid \\d+, up \\d+ s"))
          .contains("plugins    " + plugins, "state      " + host.state())
          .contains("catalogue  7 algorithms of 1 plugin for 4 operations")
          .anyMatch(line -> line.matches("memory +heap .* of .*, classes and code .*"))
          .anyMatch(line -> line.matches("threads +\\d+"))
          .anyMatch(line -> line.matches("classes +\\d+ loaded, \\d+ unloaded"))
          .anyMatch(line -> line.matches("load +allreduce, 2 ranks, 1 MiB: .* 0 wrong, 0 failed.*"))
          .anyMatch(line -> line.matches("org.example.ring +0.9 +serving, pinned +3 +1000 +1"))
          .anyMatch(line -> line.matches("group of +ranks +for"))
          .anyMatch(line -> line.matches("load +2 +\\d+ s"))
          .anyMatch(line -> line.endsWith("  org.example.ring 0.9 serves: pinned"));
    }
  }

  @Test
  void theUseOfAlgorithmsAndTheLastOperationsAreShown() throws Exception {
    try (ServedHost host =
        ServedHost.start(
            plugins, "--flight", "2", "--load", "allreduce", "-a", "gathering", "-n", "2")) {
      JsonNode flight = flight(host);
      while (flight.size() < 2) {
        flight = flight(host);
      }
      JsonNode operation = flight.get(1);
      assertThat(operation.get("call").asString()).startsWith("allreduce of ");
      assertThat(operation.get("algorithm").asString()).isEqualTo("embedded:gathering");
      assertThat(operation.get("bytes").asLong()).isEqualTo(1 << 20);
      assertThat(operation.get("state").asString()).isIn("running", "done");
      assertThat(operation.get("number").asLong()).isGreaterThan(1);
      assertThat(host.call("status", "--flight").lines().getFirst())
          .matches(" *group +rank +number +begun +state +time +bytes +call +algorithm");
      JsonNode use =
          JsonMapper.shared().readTree(host.call("status", "--json").out()).get("use").get(0);
      assertThat(use.get("operation").asString()).isEqualTo("allreduce");
      assertThat(use.get("calls").asLong()).isPositive();
      assertThat(use.get("bytes").asLong()).isEqualTo(use.get("calls").asLong() << 20);
      assertThat(use.get("nanos").asLong()).isPositive();
      assertThat(use.get("failures").asLong()).isZero();
      assertThat(host.call("status").lines())
          .anyMatch(
              line -> line.matches("allreduce +embedded:gathering +\\d+ +.*B +.* s +0.000 s +0"));
    }
  }

  /** The operations of the load's group; none before there is a group. */
  private static JsonNode flight(ServedHost host) {
    String printed = host.call("status", "--flight", "--json").out();
    JsonNode flights = JsonMapper.shared().readTree(printed).get("flight");
    return flights.isEmpty() ? flights : flights.get(0).get("operations");
  }

  @Test
  void jsonHasTheAgreedKeys() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Outcome outcome = host.call("status", "--json");

      assertThat(outcome.lines()).hasSize(1);
      JsonNode status = JsonMapper.shared().readTree(outcome.out());
      assertThat(status.propertyNames())
          .containsExactly(
              "version",
              "pid",
              "startedAt",
              "uptimeSeconds",
              "pluginsDirectory",
              "stateDirectory",
              "algorithms",
              "operations",
              "heapBytes",
              "maxHeapBytes",
              "otherBytes",
              "threads",
              "loadedClasses",
              "unloadedClasses",
              "planCache",
              "load",
              "plugins",
              "use",
              "groups",
              "activity",
              "refusedClients",
              "changes",
              "jobs");
      assertThat(status.get("refusedClients").isNull()).isTrue();
      assertThat(status.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
      assertThat(status.get("load").isNull()).isTrue();
      assertThat(status.get("plugins")).hasSize(2);
      assertThat(status.get("threads").asInt()).isPositive();
    }
  }

  @Test
  void clientsThatWereTurnedAwayAreCounted() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      UnixDomainSocketAddress socket =
          UnixDomainSocketAddress.of(host.state().resolve("control.sock"));
      List<SocketChannel> clients = new ArrayList<>();
      for (int i = 0; i < 70; i++) {
        clients.add(SocketChannel.open(socket));
      }
      for (SocketChannel each : clients) {
        int _ = each.read(ByteBuffer.allocate(1));
      }
      for (SocketChannel each : clients) {
        each.close();
      }
      Await.until(() -> host.call("status").exitCode() == 0);

      assertThat(host.call("status").out())
          .containsPattern(
              "refused    \\d+ clients of the control socket, the last at .*Z: the host has 64"
                  + " clients already; try again later\n");
      JsonNode refused =
          JsonMapper.shared().readTree(host.call("status", "--json").out()).get("refusedClients");
      assertThat(refused.get("count").asInt()).isGreaterThanOrEqualTo(6);
      assertThat(refused.get("lastReason").asString()).startsWith("the host has 64 clients");
    }
  }

  @Test
  void theLastChangesAreKept() {
    try (LinePrinter printer = new LinePrinter(new PrintWriter(new StringWriter()))) {
      HostNews news = new HostNews(printer, () -> Instant.EPOCH);
      for (int i = 0; i < 30; i++) {
        news.accept("change " + i);
      }

      List<HostNews.Item> last = news.last();
      assertThat(last).hasSize(20);
      assertThat(last.getFirst().text()).isEqualTo("change 10");
      assertThat(last.getLast().text()).isEqualTo("change 29");
    }
  }

  @Test
  void aPageShowsWhatTheTerminalShows(@TempDir Path profile) throws Exception {
    Path page = directory.resolve("status.html");
    try (ServedHost host =
        ServedHost.start(plugins, "--load", "allreduce", "-a", "gathering", "-n", "2")) {
      host.call("plugins", "pin", "org.example.ring", "0.9");

      Outcome outcome = host.call("status", "--html", page.toString());

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.exitCode()).isZero();
      Document document = PageChecks.parse(page);
      String text = document.getDocumentElement().getTextContent();
      assertThat(PageChecks.elements(document, "th"))
          .extracting(Element::getTextContent)
          .contains("host", "plugin", "runs", "group of");
      assertThat(PageChecks.elements(document, "h2"))
          .extracting(Element::getTextContent)
          .contains("plugins", "last changes");
      assertThat(text).contains("org.example.ring 0.9 serves: pinned", plugins.toString());
      assertThat(outcome.out()).contains("org.example.ring");

      // The first run of the load may come late.
      Await.until(() -> host.call("status", "--flight").out().contains("embedded:gathering"));
      assertThat(host.call("status", "--flight", "--json", "--html", page.toString()).exitCode())
          .isZero();
      assertThat(PageChecks.parse(page).getDocumentElement().getTextContent())
          .contains("embedded:gathering");
      assertThat(host.call("status", "--html", directory.resolve("no/x.html").toString()).err())
          .contains("cannot write the page");
      host.call("status", "--html", page.toString());
    }
    try (Browser browser = Browser.open(profile)) {
      PageChecks.view(browser, page);
      browser.show(page, 400, false);
      assertThat(browser.evaluate(SIDEWAYS)).isEmpty();
    }
  }
}
