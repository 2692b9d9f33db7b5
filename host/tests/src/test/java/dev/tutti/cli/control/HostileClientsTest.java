package dev.tutti.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Await;
import dev.tutti.sdk.TuttiException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that clients do, and nothing that the system lacks meanwhile, ends a server. */
@Timeout(600)
class HostileClientsTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private static final ControlHandler COUNT = (request, out, err) -> request.arguments().size();

  private static final String REQUEST =
      """
      {"tutti":1,"arguments":[],"directory":"/","colours":false,"progress":false}
      """;

  @TempDir private Path directory;
  private final RefusedClients refused = new RefusedClients(InstantSource.fixed(NOW));

  private ControlServer serve(ControlHandler handler, ControlLimits limits, ThreadFactory threads) {
    return ControlServer.open(directory, handler, limits, refused, threads);
  }

  private static ThreadFactory threads() {
    return Thread.ofPlatform().daemon().factory();
  }

  private int call(String... arguments) {
    StringWriter nowhere = new StringWriter();
    try (ControlClient client = ControlClient.find(directory).orElseThrow()) {
      ControlRequest request = new ControlRequest(List.of(arguments), Path.of("/"), false, false);
      return client.call(request, new PrintWriter(nowhere), new PrintWriter(nowhere));
    }
  }

  private SocketChannel rawClient() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(ControlFiles.SOCKET)));
  }

  private static String firstLine(SocketChannel client) throws IOException {
    return String.valueOf(
        new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8)).readLine());
  }

  @Test
  void aFloodOfClientsMakesFewThreadsAndIsToldToWait() throws IOException {
    AtomicInteger made = new AtomicInteger();
    ThreadFactory counting =
        work -> {
          made.incrementAndGet();
          return Thread.ofPlatform().daemon().unstarted(work);
        };
    List<SocketChannel> clients = new ArrayList<>();
    try (ControlServer server = serve(COUNT, ControlLimits.DEFAULTS.withClients(4), counting)) {
      for (int i = 0; i < 300; i++) {
        clients.add(rawClient());
      }
      for (SocketChannel each : clients.subList(4, clients.size())) {
        assertThat(firstLine(each))
            .isEqualTo("{\"refused\":\"the host has 4 clients already; try again later\"}");
      }
      assertThat(made.get()).isLessThanOrEqualTo(10);
      assertThat(refused.summary())
          .contains(
              new RefusedClients.Summary(
                  296, NOW, "the host has 4 clients already; try again later"));
      for (SocketChannel each : clients) {
        each.close();
      }
      Await.until(() -> isServed("one"));
      assertThat(server.pid()).isEqualTo(ProcessHandle.current().pid());
    }
  }

  private boolean isServed(String... arguments) {
    try {
      return call(arguments) == arguments.length;
    } catch (TuttiException e) {
      assertThat(e).hasMessageContaining("try again later");
      return false;
    }
  }

  @Test
  void clientsComeAndGoWithoutAWord() throws IOException {
    try (ControlServer server = serve(COUNT, ControlLimits.DEFAULTS, threads())) {
      for (int i = 0; i < 500; i++) {
        SocketChannel client = rawClient();
        if (i % 3 == 1) {
          client.write(ByteBuffer.wrap(new byte[] {'{', '"'}));
        } else if (i % 3 == 2) {
          client.write(ByteBuffer.wrap(REQUEST.getBytes(StandardCharsets.UTF_8)));
        }
        client.close();
      }
      Await.until(() -> isServed("still", "well"));
      assertThat(server.pid()).isPositive();
    }
  }

  @Test
  void whereNoThreadCanBeMadeAClientIsToldSoAndTheNextOnesAreServed() throws Exception {
    AtomicBoolean isExhausted = new AtomicBoolean();
    ThreadFactory limited =
        work -> {
          if (isExhausted.get()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return Thread.ofPlatform().daemon().unstarted(work);
        };
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ControlHandler waiting =
        (request, out, err) -> {
          if (request.arguments().isEmpty()) {
            begun.countDown();
            Await.latch(mayEnd);
          }
          return request.arguments().size();
        };
    try (ControlServer server = serve(waiting, ControlLimits.DEFAULTS, limited);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      isExhausted.set(true);
      // The two threads that a server always has, once they have started.
      List<Future<?>> first =
          List.of(
              clients.submit(() -> Await.until(() -> isServed())),
              clients.submit(() -> Await.until(() -> isServed())));
      Await.latch(begun);

      assertThatThrownBy(() -> call("one too many"))
          .hasMessage(
              "the host cannot make a thread for another client; raise its limit of processes or"
                  + " memory, or try again later");

      mayEnd.countDown();
      for (Future<?> each : first) {
        each.get();
      }
      Await.until(() -> isServed("a", "b"));
      isExhausted.set(false);
      assertThat(call("well")).isEqualTo(1);
      assertThat(refused.summary()).isPresent();
      assertThat(server.pid()).isPositive();
    }
  }

  @Test
  void aCommandThatEndsWithAnErrorIsAnswered() {
    ControlHandler failing =
        (request, out, err) -> {
          if (request.arguments().isEmpty()) {
            throw new StackOverflowError("deep");
          }
          return 1;
        };
    try (ControlServer server = serve(failing, ControlLimits.DEFAULTS, threads())) {
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> call())
            .hasMessage(
                "the host could not finish the command, please report it:"
                    + " java.lang.StackOverflowError");
      }
      assertThat(call("next")).isEqualTo(1);
      assertThat(server.pid()).isPositive();
    }
  }

  @Test
  void anInterruptOfTheThreadThatAcceptsIsMended() {
    try (ControlServer server = serve(COUNT, ControlLimits.DEFAULTS, threads())) {
      for (int i = 0; i < 3; i++) {
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("tutti-control"))
            .forEach(Thread::interrupt);
        Await.until(this::isFound);
        assertThat(call("a", "b", "c")).isEqualTo(3);
      }
      assertThat(server.pid()).isPositive();
    }
    assertThat(directory).isEmptyDirectory();
  }

  private boolean isFound() {
    try {
      return call() == 0;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** The exit code, or the reason why there is none. */
  private String answer(String... arguments) {
    try {
      return String.valueOf(call(arguments));
    } catch (TuttiException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aHostThatLetsNobodyInIsGivenUp() throws IOException {
    Path socket = directory.resolve(ControlFiles.SOCKET);
    try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      stopped.bind(UnixDomainSocketAddress.of(socket), 1);
      new ControlFiles(directory).publish(new ControlAddress(1, socket));
      List<String> messages = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        try {
          ControlClient.find(directory, Duration.ofMillis(50));
        } catch (TuttiException e) {
          messages.add(String.valueOf(e.getMessage()));
        }
      }
      assertThat(messages).hasSize(4);
      assertThat(messages.getLast())
          .contains("does not answer (it accepted no connection within 50 ms)");
    }
  }

  @Test
  void whereNoFileCanBeOpenedAClientIsToldSoAndTheNextOnesAreServed() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/bin/sh"))).as("there is a shell").isTrue();
    Process host =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                "ulimit -n 128; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FilelessHost.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = host.inputReader(StandardCharsets.UTF_8);
        PrintWriter orders = new PrintWriter(host.outputWriter(StandardCharsets.UTF_8), true)) {
      assertThat(said.readLine()).isEqualTo("serving");
      assertThat(call("warm")).isEqualTo(1);
      for (int round = 0; round < 2; round++) {
        String answer;
        do {
          // If a file was closed meanwhile, the host can serve one more client.
          orders.println("take all files");
          assertThat(said.readLine()).isEqualTo("taken");
          answer = answer("is one left");
        } while (answer.equals("1"));
        assertThat(answer).isEqualTo("the host has too many open files; try again later");
        orders.println("give them back");
        assertThat(said.readLine()).isEqualTo("given");
        assertThat(call("a", "b")).isEqualTo(2);
      }
    } finally {
      host.destroyForcibly().waitFor();
    }
  }
}
