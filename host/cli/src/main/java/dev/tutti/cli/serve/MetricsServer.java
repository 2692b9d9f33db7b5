package dev.tutti.cli.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Answers {@code GET /metrics} over HTTP. */
final class MetricsServer implements AutoCloseable {

  private static final String PATH = "/metrics";
  private static final int NO_BODY = -1;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private MetricsServer(HttpServer server, Supplier<OpenMetrics> metrics) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, metrics));
    server.start();
  }

  /**
   * Starts to listen.
   *
   * @param metrics gives the current metrics for each request
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if the address cannot be used
   */
  static MetricsServer open(InetSocketAddress address, Supplier<OpenMetrics> metrics) {
    try {
      return new MetricsServer(HttpServer.create(address, 0), metrics);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.HOST_UNREACHABLE,
          e,
          "cannot offer metrics at %s:%d: %s; use another --metrics, or port 0 for any free port",
          address.getHostString(),
          address.getPort(),
          e.getMessage());
    }
  }

  /** The address of the metrics as a URL. */
  String url() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return "http://"
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + address.getPort()
        + PATH;
  }

  private static void answer(HttpExchange exchange, Supplier<OpenMetrics> metrics)
      throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, 404, "text/plain; charset=utf-8", "the metrics are at " + PATH + "\n");
      } else if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, "text/plain; charset=utf-8", "metrics can only be read\n");
      } else {
        send(exchange, 200, OpenMetrics.CONTENT_TYPE, metrics.get().toString());
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, NO_BODY);
    } else {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
