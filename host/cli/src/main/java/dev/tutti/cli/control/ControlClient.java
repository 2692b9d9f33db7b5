package dev.tutti.cli.control;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A connection to the host that serves a state directory, for one command. */
public final class ControlClient implements AutoCloseable {

  /** The longest time for a host to say hello, and to accept a request. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path state;
  private final long pid;
  private final LineChannel lines;
  private final ScheduledExecutorService timer;
  private final Messages messages = new Messages();

  private ControlClient(Path state, long pid, LineChannel lines, ScheduledExecutorService timer) {
    this.state = state;
    this.pid = pid;
    this.lines = lines;
    this.timer = timer;
  }

  /**
   * Connects.
   *
   * @return empty if no host serves the directory
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if one does, but does not answer
   *     or speaks another version
   */
  public static Optional<ControlClient> find(Path state) {
    return find(state, PATIENCE);
  }

  /**
   * As {@link #find(Path)}.
   *
   * @param patience the longest time for the host to say hello
   */
  public static Optional<ControlClient> find(Path state, Duration patience) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tutti-control-timer").factory());
    @Nullable ControlClient client = null;
    try {
      client = connect(state, timer, patience);
      return Optional.ofNullable(client);
    } catch (IOException e) {
      throw unreachable(state, e, "does not answer");
    } finally {
      if (client == null) {
        timer.shutdownNow();
      }
    }
  }

  private static @Nullable ControlClient connect(
      Path state, ScheduledExecutorService timer, Duration patience) throws IOException {
    ControlAddress address = new ControlFiles(state).read();
    @Nullable SocketChannel channel =
        address == null ? null : ControlFiles.connect(address, timer, patience);
    if (channel == null) {
      return null;
    }
    LineChannel lines = new LineChannel(channel, timer, ControlLimits.ANSWER_BYTES);
    try {
      String line = lines.readLine(patience);
      Answer first = line == null ? null : new Messages().readAnswer(line);
      return switch (first) {
        case Answer.Hello(long pid) -> new ControlClient(state, pid, lines, timer);
        case Answer.Refused(String reason) -> throw refused(reason);
        case null, default -> throw new ProtocolException("it does not send a greeting");
      };
    } catch (IOException | TuttiException e) {
      lines.close();
      throw e;
    }
  }

  private static TuttiException refused(String reason) {
    return new TuttiException(ErrorCode.HOST_UNREACHABLE, "%s", reason);
  }

  /** The process of the host. */
  public long pid() {
    return pid;
  }

  /**
   * Makes the host run a command, and prints its output while it runs.
   *
   * @return its exit code
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if the host does not accept the
   *     command, or ends before the command does
   */
  public int call(ControlRequest request, PrintWriter out, PrintWriter err) {
    return call(request, out, err, null);
  }

  /**
   * The same for a short command.
   *
   * @param patience the longest time for each piece of the answer; null for no limit
   */
  public int call(
      ControlRequest request, PrintWriter out, PrintWriter err, @Nullable Duration patience) {
    try {
      lines.writeLine(messages.write(request), PATIENCE);
      while (true) {
        String line = patience == null ? lines.readLine() : lines.readLine(patience);
        if (line == null) {
          throw new ProtocolException("it ended before the command did");
        }
        switch (messages.readAnswer(line)) {
          case Answer.Out(String text) -> print(out, text);
          case Answer.Err(String text) -> print(err, text);
          case Answer.Exit(int code) -> {
            return code;
          }
          case Answer.Refused(String reason) -> throw refused(reason);
          case Answer.Hello hello ->
              throw new ProtocolException("it sent a second greeting: " + hello);
        }
      }
    } catch (IOException e) {
      throw unreachable(state, e, "broke the connection");
    }
  }

  private static void print(PrintWriter writer, String text) {
    writer.print(text);
    writer.flush();
  }

  private static TuttiException unreachable(Path state, IOException e, String what) {
    return new TuttiException(
        ErrorCode.HOST_UNREACHABLE,
        e,
        "the host of %s %s (%s); check whether its process is healthy, or start it again",
        state,
        what,
        e instanceof ProtocolException ? e.getMessage() : e.toString());
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      lines.close();
    } catch (IOException e) {
      throw unreachable(state, e, "cannot be disconnected");
    }
  }
}
