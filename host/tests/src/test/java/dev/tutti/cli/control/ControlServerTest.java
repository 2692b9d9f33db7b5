package dev.tutti.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.host.Await;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class ControlServerTest {

  private static final Duration BRIEF = Duration.ofMillis(100);

  /** Prints its arguments and ends with their number. */
  private static final ControlHandler ECHO =
      (request, out, err) -> {
        request.arguments().forEach(out::println);
        err.print(request.directory());
        return request.arguments().size();
      };

  @TempDir private Path directory;
  private final RefusedClients refused = new RefusedClients(InstantSource.system());
  private @Nullable ControlServer server;

  private ControlServer serve(Path state, ControlHandler handler) {
    return serve(state, handler, ControlLimits.DEFAULTS);
  }

  private ControlServer serve(Path state, ControlHandler handler, ControlLimits limits) {
    server =
        ControlServer.open(state, handler, limits, refused, Thread.ofPlatform().daemon().factory());
    return server;
  }

  @AfterEach
  void endServer() {
    if (server != null) {
      server.close();
    }
  }

  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome call(Path state, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (ControlClient client = ControlClient.find(state).orElseThrow()) {
      ControlRequest request =
          new ControlRequest(List.of(arguments), Path.of("/somewhere"), false, true);
      int exitCode = client.call(request, new PrintWriter(out), new PrintWriter(err));
      return new Outcome(exitCode, out.toString(), err.toString());
    }
  }

  /** Whether a command is carried out, and not cut off. */
  private boolean isAnswered(String argument) {
    try {
      return call(directory, argument).exitCode() == 1;
    } catch (TuttiException e) {
      return false;
    }
  }

  private SocketChannel rawClient() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(ControlFiles.SOCKET)));
  }

  /** The server's answer, without its hello, to bytes that no client would send. */
  private String answerTo(String text) throws IOException {
    try (SocketChannel channel = rawClient()) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
      channel.shutdownOutput();
      String answer =
          new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
      return answer.substring(answer.indexOf('\n') + 1);
    }
  }

  @Test
  void aCommandIsCarriedOutAndItsOutputComesBack() {
    serve(directory, ECHO);
    assertThat(call(directory, "run", "ålgorithm 🎼", "quote\" and \\"))
        .isEqualTo(new Outcome(3, "run\nålgorithm 🎼\nquote\" and \\\n", "/somewhere"));
    assertThat(call(directory)).isEqualTo(new Outcome(0, "", "/somewhere"));
  }

  @Test
  void outputComesWhileTheCommandRuns() throws Exception {
    SynchronousQueue<String> steps = new SynchronousQueue<>();
    ControlHandler slow =
        (request, out, err) -> {
          out.println("begun");
          try {
            return steps.take().length();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    serve(directory, slow);
    try (SocketChannel channel = rawClient()) {
      channel.write(
          ByteBuffer.wrap(
              """
              {"tutti":1,"arguments":[],"directory":"/","colours":false,"progress":false}
              """
                  .getBytes(StandardCharsets.UTF_8)));
      BufferedReader lines =
          new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
      assertThat(lines.readLine())
          .isEqualTo("{\"tutti\":1,\"pid\":%d}".formatted(ProcessHandle.current().pid()));
      assertThat(lines.readLine()).isEqualTo("{\"out\":\"begun\\n\"}");
      steps.put("four");
      assertThat(lines.readLine()).isEqualTo("{\"exit\":4}");
      assertThat(lines.readLine()).isNull();
    }
  }

  @Test
  void muchOutputComesWhole() {
    String line = "0123456789".repeat(100);
    ControlHandler loud =
        (request, out, err) -> {
          for (int i = 0; i < 1000; i++) {
            out.print(line);
          }
          return 0;
        };
    serve(directory, loud);
    assertThat(call(directory).out()).isEqualTo(line.repeat(1000));
  }

  @Test
  void twentyClientsAreServedAtOnce() throws Exception {
    CyclicBarrier all = new CyclicBarrier(20);
    ControlHandler together =
        (request, out, err) -> {
          try {
            all.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          out.println(request.arguments().getFirst());
          return 0;
        };
    serve(directory, together);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Outcome>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String name = "client " + i;
        calls.add(() -> call(directory, name));
      }
      List<Future<Outcome>> outcomes = clients.invokeAll(calls);
      for (int i = 0; i < 20; i++) {
        assertThat(outcomes.get(i).get().out()).isEqualTo("client " + i + "\n");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "garbage | a line is not valid JSON at line 1, column 1: Unrecognized token 'garbage'",
        "[1] | a line must be an object. Actual: a list",
        "{} | a line must have a field 'tutti'",
        "{\"tutti\":2} | the two sides speak different versions, 1 and 2; use one version of Tutti",
        "{\"tutti\":1} | a line must have a field 'arguments'",
        "{\"tutti\":1,\"arguments\":[1]} | 'arguments' must be a list of strings. Actual: 1 in it",
        "{\"tutti\":1,\"arguments\":[]} | a line must have a field 'directory'",
        "{\"tutti\":1,\"arguments\":[],\"directory\":\"x\"} | 'directory' must be an absolute path",
        "{\"tutti\":1,\"arguments\":[],\"directory\":\"/\",\"colours\":1} | 'colours' must be true or"
            + " false",
        "{\"tutti\":1,\"extra\":1} | unknown field of a line 'extra'",
        "{\"tutti\":1,\"tutti\":1} | a line is not valid JSON at line 1, column 19: Duplicate"
            + " Object property",
        "{\"tutti\":1} {} | a line must hold one JSON object and nothing else"
      })
  void nonsenseIsRefusedWithASentence(String line, String reason) throws IOException {
    serve(directory, ECHO);
    assertThat(answerTo(line + "\n"))
        .startsWith("{\"refused\":\"the request cannot be understood: " + reason)
        .endsWith("\"}\n");
    assertThat(call(directory, "still well").exitCode()).isEqualTo(1);
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    serve(directory, ECHO);
    assertThat(answerTo("\u00ff\n")).contains("a line must be UTF-8");
    assertThat(answerTo("{\"tutti\"")).contains("it ends in the middle of a line");
  }

  @Test
  void anOversizedLineIsRefusedBeforeItsEnd() throws IOException {
    serve(directory, ECHO);
    assertThat(answerTo("x".repeat((64 << 10) + 1))).contains("a line has at most 65536 bytes");
    assertThat(call(directory, "still well").exitCode()).isEqualTo(1);
  }

  @Test
  void whoSaysNothingIsCutOff() throws IOException {
    serve(directory, ECHO, ControlLimits.DEFAULTS.withRequest(BRIEF));
    try (SocketChannel channel = rawClient()) {
      assertThat(Channels.newInputStream(channel).readAllBytes()).asString().hasLineCount(1);
      // A client that is slow, as all are on a busy machine, is cut off as well.
      Await.until(() -> isAnswered("still well"));
    }
  }

  @Test
  void whoReadsNothingEndsItsCommand() throws Exception {
    CountDownLatch isEnded = new CountDownLatch(1);
    ControlHandler endless =
        (request, out, err) -> {
          try {
            while (true) {
              out.println("more");
            }
          } finally {
            isEnded.countDown();
          }
        };
    serve(directory, endless, ControlLimits.DEFAULTS.withAnswer(BRIEF));
    try (SocketChannel channel = rawClient()) {
      channel.write(
          ByteBuffer.wrap(
              """
              {"tutti":1,"arguments":[],"directory":"/","colours":false,"progress":false}
              """
                  .getBytes(StandardCharsets.UTF_8)));
      Await.latch(isEnded);
    }
  }

  @Test
  void whoLeavesEarlyEndsItsCommandAndNobodyElses() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch isGone = new CountDownLatch(1);
    CountDownLatch isEnded = new CountDownLatch(1);
    ControlHandler handler =
        (request, out, err) -> {
          if (request.arguments().isEmpty()) {
            begun.countDown();
            try {
              isGone.await();
              while (true) {
                out.println("for nobody");
              }
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            } finally {
              isEnded.countDown();
            }
          }
          return 7;
        };
    serve(directory, handler);
    try (SocketChannel channel = rawClient()) {
      channel.write(
          ByteBuffer.wrap(
              """
              {"tutti":1,"arguments":[],"directory":"/","colours":false,"progress":false}
              """
                  .getBytes(StandardCharsets.UTF_8)));
      begun.await();
    }
    isGone.countDown();
    Await.latch(isEnded);
    assertThat(call(directory, "still well").exitCode()).isEqualTo(7);
  }

  @Test
  void clientsBeyondTheLimitAreToldSo() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ControlHandler waiting =
        (request, out, err) -> {
          begun.countDown();
          try {
            mayEnd.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return 0;
        };
    ControlLimits one = ControlLimits.DEFAULTS.withClients(1);
    serve(directory, waiting, one);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Outcome> first = clients.submit(() -> call(directory));
      begun.await();
      assertThatThrownBy(() -> call(directory))
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE))
          .hasMessage("the host has 1 clients already; try again later");
      mayEnd.countDown();
      assertThat(first.get().exitCode()).isZero();
    }
  }

  @Test
  void theEndOfAServerWaitsForItsCommands() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ControlHandler waiting =
        (request, out, err) -> {
          begun.countDown();
          try {
            mayEnd.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          out.println("done");
          return 5;
        };
    ControlServer server = serve(directory, waiting);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Outcome> outcome = clients.submit(() -> call(directory));
      begun.await();
      Future<?> end = clients.submit(server::close);
      mayEnd.countDown();
      end.get();
      assertThat(outcome.get()).isEqualTo(new Outcome(5, "done\n", ""));
    }
    assertThat(directory).isEmptyDirectory();
    assertThat(ControlClient.find(directory)).isEmpty();
  }

  @Test
  void aServerThatEndsCutsOffWhatTakesTooLong() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ControlHandler endless =
        (request, out, err) -> {
          begun.countDown();
          while (true) {
            out.println("more");
          }
        };
    ControlServer server = serve(directory, endless, ControlLimits.DEFAULTS.withDrain(BRIEF));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Outcome> outcome = clients.submit(() -> call(directory));
      Await.latch(begun);
      server.close();
      assertThatThrownBy(outcome::get)
          .hasRootCauseInstanceOf(IOException.class)
          .cause()
          .hasMessageStartingWith("the host of " + directory + " broke the connection (");
    }
  }

  @Test
  void onlyTheOwnerMayUseTheSocket() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    serve(directory, ECHO);
    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(directory.resolve("control.sock"))).isEqualTo("rw-------");
    assertThat(permissions(directory.resolve("control.json"))).isEqualTo("rw-------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aSocketThatADeadHostLeftIsReplaced() throws IOException {
    Path socket = directory.resolve("control.sock");
    ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    dead.bind(UnixDomainSocketAddress.of(socket));
    dead.close();
    ControlFiles files = new ControlFiles(directory);
    files.publish(new ControlAddress(1, socket));
    assertThat(socket).exists();
    assertThat(ControlClient.find(directory)).isEmpty();

    serve(directory, ECHO);
    assertThat(call(directory, "a", "b").exitCode()).isEqualTo(2);
  }

  @Test
  void aHalfWrittenAddressIsReplaced() throws IOException {
    Files.writeString(directory.resolve("control.json"), "{\"tutti\":");
    assertThatThrownBy(() -> ControlClient.find(directory))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("a line is not valid JSON");

    serve(directory, ECHO);
    assertThat(call(directory).exitCode()).isZero();
  }

  @Test
  void aSecondHostIsRefused() {
    serve(directory, ECHO);
    assertThatThrownBy(() -> ControlServer.open(directory, ECHO))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_STATE))
        .hasMessage(
            "process %d serves %s already; stop it, or name another state directory",
            ProcessHandle.current().pid(), directory);
    assertThat(call(directory).exitCode()).isZero();
  }

  @Test
  void aLongPathGetsAShorterSocketThatIsTheOwnersAlone() throws IOException {
    Path deep = directory.resolve("d".repeat(60)).resolve("e".repeat(60));
    ControlServer open = serve(deep, ECHO);
    Path socket = new ControlFiles(deep).read().socket();
    assertThat(ControlFiles.isShort(socket)).isTrue();
    assertThat(permissions(socket)).isEqualTo("rw-------");
    assertThat(permissions(socket.getParent())).isEqualTo("rwx------");
    assertThat(call(deep, "x").exitCode()).isEqualTo(1);
    open.close();
    assertThat(socket.getParent()).doesNotExist();
    assertThat(deep).isEmptyDirectory();
  }

  @Test
  void theShorterSocketOfADeadHostIsDeleted() throws IOException {
    Path deep = directory.resolve("d".repeat(60)).resolve("e".repeat(60));
    ControlFiles files = new ControlFiles(deep);
    Path left = files.prepare();
    ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    dead.bind(UnixDomainSocketAddress.of(left));
    dead.close();
    files.publish(new ControlAddress(1, left));

    ControlServer.open(deep, ECHO).close();

    assertThat(left.getParent()).doesNotExist();
  }

  @Test
  void aDamagedAddressDeletesNothingElse() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "x");
    Files.writeString(
        directory.resolve("control.json"),
        "{\"tutti\":1,\"pid\":1,\"socket\":\"%s\"}".formatted(precious));

    serve(directory, ECHO);
    assertThat(precious).exists();
  }

  @Test
  void nobodyIsFoundWhereNobodyServes() {
    assertThat(ControlClient.find(directory)).isEmpty();
    assertThat(ControlClient.find(directory.resolve("missing"))).isEmpty();
  }

  @Test
  void aHostThatDoesNotAnswerIsSaidToBeThere() throws IOException {
    Path socket = directory.resolve("control.sock");
    try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      mute.bind(UnixDomainSocketAddress.of(socket));
      new ControlFiles(directory).publish(new ControlAddress(1, socket));

      assertThatThrownBy(() -> ControlClient.find(directory, Duration.ofMillis(50)))
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE))
          .hasMessageContaining("does not answer");
    }
  }

  @Test
  void aHostOfAnotherVersionIsSaidToBeOne() throws IOException {
    Path socket = directory.resolve("control.sock");
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket));
      new ControlFiles(directory).publish(new ControlAddress(1, socket));
      Thread.startVirtualThread(
          () -> {
            try (SocketChannel client = other.accept()) {
              client.write(
                  ByteBuffer.wrap("{\"tutti\":9,\"pid\":1}\n".getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });

      assertThatThrownBy(() -> ControlClient.find(directory))
          .hasMessageContaining("the two sides speak different versions, 1 and 9");
    }
  }
}
