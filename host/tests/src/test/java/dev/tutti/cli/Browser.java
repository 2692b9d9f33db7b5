package dev.tutti.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A headless Chromium that a test drives through its DevTools protocol. Without one, tests that
 * open a browser are skipped.
 */
public final class Browser implements AutoCloseable {

  private static final List<String> NAMES =
      List.of(
          "chromium-headless-shell",
          "chromium",
          "chromium-browser",
          "google-chrome-stable",
          "google-chrome");

  private static final String LISTENS = "DevTools listening on ";
  private static final long PATIENCE_SECONDS = 120;

  private final JsonMapper json = new JsonMapper();
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<JsonNode>> events = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private @Nullable String session;

  private Browser(Path program, Path profile) throws IOException {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String address = address(process);
    socket = client.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).join();
    JsonNode target = call("Target.createTarget", Map.of("url", "about:blank"));
    String id = target.get("targetId").asString();
    session =
        call("Target.attachToTarget", Map.of("targetId", id, "flatten", true))
            .get("sessionId")
            .asString();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
  }

  /**
   * Starts a browser, or skips the test.
   *
   * @param profile an empty directory for its data
   */
  public static Browser open(Path profile) throws IOException {
    Optional<Path> program = program();
    assumeTrue(
        program.isPresent(),
        "no Chromium on the PATH: install chromium-headless-shell, and pages are tested in it");
    return new Browser(program.orElseThrow(), profile);
  }

  private static Optional<Path> program() {
    List<Path> directories =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(Path::of)
            .toList();
    return NAMES.stream()
        .flatMap(name -> directories.stream().map(directory -> directory.resolve(name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String address(Process process) throws IOException {
    BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(LISTENS)) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(each -> {}));
        return line.substring(LISTENS.length());
      }
      said.append(line).append('\n');
    }
    throw new IOException("the browser did not start: " + said);
  }

  /** Opens a file in a window of some width. */
  public void show(Path file, int width, boolean isDark) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
    errors.clear();
    requests.clear();
    CompletableFuture<JsonNode> loaded = new CompletableFuture<>();
    events.put("Page.loadEventFired", loaded);
    call("Page.navigate", Map.of("url", file.toUri().toString()));
    get(loaded);
    // Two frames: what observes the width of elements has drawn then.
    evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
  }

  /** The value of an expression; for a promise, its result. */
  public JsonNode evaluate(String expression) {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(result.get("exceptionDetails").toString());
    }
    JsonNode value = result.get("result").get("value");
    return value == null ? json.nullNode() : value;
  }

  /** Presses a key, with the text that it types; empty for keys that type none. */
  public void press(String key, String text) {
    for (String type : List.of("keyDown", "keyUp")) {
      boolean isTyped = type.equals("keyDown") && !text.isEmpty();
      call(
          "Input.dispatchKeyEvent",
          isTyped
              ? Map.of("type", type, "key", key, "code", key, "text", text)
              : Map.of(
                  "type",
                  type.equals("keyDown") ? "rawKeyDown" : type,
                  "key",
                  key,
                  "code",
                  key,
                  "windowsVirtualKeyCode",
                  virtualKey(key)));
    }
  }

  private static int virtualKey(String key) {
    return switch (key) {
      case "Tab" -> 9;
      case "Enter" -> 13;
      case "Escape" -> 27;
      case "Home" -> 36;
      case "ArrowLeft" -> 37;
      case "ArrowUp" -> 38;
      case "ArrowRight" -> 39;
      case "ArrowDown" -> 40;
      default -> 0;
    };
  }

  /** Moves the mouse to a place of the window. */
  public void point(double x, double y) {
    call("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
  }

  /** Errors of scripts, and refusals of the page's policy, since the file was opened. */
  public List<String> errors() {
    return List.copyOf(errors);
  }

  /** The addresses that were asked for since the file was opened. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private JsonNode call(String method, Map<String, Object> params) {
    int id = calls.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    Map<String, Object> message = new java.util.HashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", params);
    if (session != null) {
      message.put("sessionId", session);
    }
    socket.sendText(json.writeValueAsString(message), true).join();
    JsonNode said = get(answer);
    if (said.has("error")) {
      throw new AssertionError(method + ": " + said.get("error"));
    }
    return said.get("result");
  }

  private static JsonNode get(CompletableFuture<JsonNode> answer) {
    try {
      return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new AssertionError("the browser does not answer", e);
    }
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        hear(json.readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  private void hear(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.get("id").asInt());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    String method = message.get("method").asString();
    JsonNode params = message.get("params");
    switch (method) {
      case "Runtime.exceptionThrown" -> errors.add(params.toString());
      case "Log.entryAdded" -> errors.add(params.get("entry").get("text").asString());
      case "Network.requestWillBeSent" -> requests.add(params.get("request").get("url").asString());
      default -> {}
    }
    CompletableFuture<JsonNode> waiting = events.remove(method);
    if (waiting != null) {
      waiting.complete(params);
    }
  }

  @Override
  public void close() {
    session = null;
    try {
      call("Browser.close", Map.of());
      process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } finally {
      process.destroyForcibly();
      // Does not wait for the end of the connection, of which a client does not always hear.
      socket.abort();
      client.shutdownNow();
    }
  }

  /** The text of a resource beside a test. */
  public static String resource(String name) {
    try (var in = Browser.class.getResourceAsStream(name)) {
      return new String(
          java.util.Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
