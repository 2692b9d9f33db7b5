package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsTest {

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (gauge|counter|info)");
  private static final Pattern LABEL = Pattern.compile("\\w+=\"(?:[^\"\\\\\\n]|\\\\[\\\\n\"])*\"");
  private static final Pattern VALUE =
      Pattern.compile("(\\w+)(?:\\{" + LABEL + "(?:," + LABEL + ")*\\})? (-?[0-9.E-]+)");

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path directory;
  private Path plugins;

  @BeforeEach
  void makePluginsDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  private HttpResponse<String> send(String method, String url) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.noBody()).build();
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String url(ServedHost host) {
    Matcher found =
        Pattern.compile("metrics at (http://127\\.0\\.0\\.1:\\d+/metrics)").matcher(host.out());
    assertThat(found.find()).as(host.out()).isTrue();
    return found.group(1);
  }

  @Test
  void whatRanIsCounted() throws Exception {
    try (ServedHost host =
        ServedHost.start(
            plugins, "--metrics", "0", "--load", "allreduce", "-a", "gathering", "--ranks", "2")) {
      String url = url(host);
      Await.until(
          () ->
              send("GET", url).body().contains("tutti_runs_total{operation=\"allreduce\"")
                  && !send("GET", url).body().contains("tutti_load_runs_total 0\n"));

      HttpResponse<String> metrics = send("GET", url);
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.headers().firstValue("Content-Type"))
          .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
      requireWellFormed(metrics.body());
      assertThat(metrics.body())
          .contains("tutti_groups 1\n", "tutti_plugins{state=\"serving\"} ")
          .containsPattern("tutti_load_runs_total [1-9]\\d*\n")
          .containsPattern(
              "tutti_run_seconds_total\\{operation=\"allreduce\",algorithm=\"[^\"]+\"\\} ")
          .contains("tutti_load_wrong_total 0\n", "# UNIT tutti_run_bytes bytes\n");
    }
  }

  /** The lines of OpenMetrics: each family once, its values below it, and an end. */
  private static void requireWellFormed(String text) {
    assertThat(text).endsWith("\n# EOF\n");
    Set<String> families = new HashSet<>();
    String prefix = "";
    List<String> lines = text.lines().toList();
    for (String line : lines.subList(0, lines.size() - 1)) {
      Matcher type = TYPE.matcher(line);
      Matcher value = VALUE.matcher(line);
      if (type.matches()) {
        assertThat(families.add(type.group(1))).as(line).isTrue();
        prefix =
            switch (type.group(2)) {
              case "counter" -> type.group(1) + "_total";
              case "info" -> type.group(1) + "_info";
              default -> type.group(1);
            };
      } else if (!line.startsWith("# HELP ") && !line.startsWith("# UNIT ")) {
        assertThat(value.matches()).as(line).isTrue();
        assertThat(value.group(1)).as(line).isEqualTo(prefix);
      }
    }
  }

  @Test
  void otherRequestsAreAnswered() throws Exception {
    try (ServedHost host = ServedHost.start(plugins, "--metrics", "0")) {
      String url = url(host);
      HttpResponse<String> elsewhere = send("GET", url.replace("/metrics", "/"));
      assertThat(elsewhere.statusCode()).isEqualTo(404);
      assertThat(elsewhere.body()).isEqualTo("the metrics are at /metrics\n");
      assertThat(send("DELETE", url).statusCode()).isEqualTo(405);
      HttpResponse<String> head = send("HEAD", url);
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
    }
  }

  @Test
  void nothingAnswersOnceTheHostHasEnded() throws Exception {
    String url;
    try (ServedHost host = ServedHost.start(plugins, "--metrics", "0")) {
      url = url(host);
    }
    assertThatThrownBy(() -> send("GET", url)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void withoutTheOptionNothingListens() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      assertThat(host.out()).doesNotContain("metrics");
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServedHost host =
            ServedHost.start(plugins, "--metrics", "127.0.0.1:" + taken.getLocalPort())) {
      assertThat(host.exitCode()).isEqualTo(3);
      assertThat(host.err())
          .startsWith(
              "tutti: [TUTTI-309] cannot offer metrics at 127.0.0.1:" + taken.getLocalPort())
          .contains("use another --metrics, or port 0 for any free port");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x | 'x' is not a port from 0 to 65535, or host:port, such as 9464 or 0.0.0.0:9464",
        "65536 | '65536' is not a port",
        "::1:9464 | '::1:9464' is not a port",
        "[zz]:9464 | there is no host '[zz]'"
      })
  void whatIsNoAddressIsRefused(String address, String message) throws Exception {
    try (ServedHost host = ServedHost.start(plugins, "--metrics", address)) {
      assertThat(host.exitCode()).isEqualTo(2);
      assertThat(host.err()).contains(message);
    }
  }

  @Test
  void labelsAreEscaped() {
    String text =
        new OpenMetrics().gauge("a_bytes", "Help.\nMore.").value(1.5, "x", "a\"b\\c\nd").toString();
    assertThat(text)
        .isEqualTo(
            "# TYPE a_bytes gauge\n# UNIT a_bytes bytes\n# HELP a_bytes Help.\\nMore.\n"
                + "a_bytes{x=\"a\\\"b\\\\c\\nd\"} 1.5\n# EOF\n");
    requireWellFormed(text);
  }
}
