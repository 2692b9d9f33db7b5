package dev.tutti.cli.control;

import dev.tutti.base.text.Sentence;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes lines of UTF-8 over a channel, with limits of length and time. When a time limit
 * has passed, the channel is closed, which ends any wait. One reader and one writer at a time.
 */
final class LineChannel implements Closeable {

  private static final int BUFFER = 8 << 10;

  private final ByteChannel channel;
  private final ScheduledExecutorService timer;
  private final int maxLineBytes;
  private final ByteBuffer read = ByteBuffer.allocate(BUFFER).flip();

  LineChannel(ByteChannel channel, ScheduledExecutorService timer, int maxLineBytes) {
    this.channel = channel;
    this.timer = timer;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * The next line.
   *
   * @return null at the end
   * @throws ProtocolException if it is too long, is not UTF-8, is incomplete, or does not arrive in
   *     time
   */
  @Nullable String readLine(Duration limit) throws IOException {
    ScheduledFuture<?> end = closeAfter(channel, timer, limit);
    try {
      return readLine();
    } catch (ClosedChannelException e) {
      throw new ProtocolException(Sentence.of("it sent nothing within %d ms", limit.toMillis()));
    } finally {
      end.cancel(false);
    }
  }

  /** As {@link #readLine(Duration)}, without a time limit. */
  @Nullable String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      while (read.hasRemaining()) {
        byte next = read.get();
        if (next == '\n') {
          return text(line.toByteArray());
        }
        if (line.size() == maxLineBytes) {
          throw new ProtocolException(Sentence.of("a line has at most %d bytes", maxLineBytes));
        }
        line.write(next);
      }
      read.clear();
      int count = channel.read(read);
      read.flip();
      if (count < 0) {
        if (line.size() > 0) {
          throw new ProtocolException("it ends in the middle of a line");
        }
        return null;
      }
    }
  }

  private static String text(byte[] line) throws ProtocolException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolException("a line must be UTF-8");
    }
  }

  void writeLine(String line, Duration limit) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    ScheduledFuture<?> end = closeAfter(channel, timer, limit);
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } finally {
      end.cancel(false);
    }
  }

  /** Closes a channel when the time is over, unless the returned future is cancelled. */
  static ScheduledFuture<?> closeAfter(
      Channel channel, ScheduledExecutorService timer, Duration limit) {
    return timer.schedule(
        () -> {
          channel.close();
          return true;
        },
        limit.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
