package dev.tutti.host.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Reads the values that {@link BodyWriter} has written, in the same order. Not thread-safe. */
public final class BodyReader {

  private final ByteBuffer bytes;

  private BodyReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Reads a body from its start. */
  public BodyReader(byte[] body) {
    this.bytes = ByteBuffer.wrap(body);
  }

  private <T> T read(Supplier<T> step) {
    try {
      return step.get();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, e, "a message from another process is malformed: %s", e);
    }
  }

  public long number() {
    return read(bytes::getLong);
  }

  /** A number that must be at least 0 and fit in 31 bits. */
  public int count() {
    return read(
        () -> {
          long value = bytes.getLong();
          if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no count: " + value);
          }
          return (int) value;
        });
  }

  /** Reads {@link BodyWriter#counts}. */
  public int[] counts() {
    return IntStream.range(0, count()).map(i -> count()).toArray();
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** Reads {@link BodyWriter#part}. */
  public BodyReader part() {
    return new BodyReader(bytes());
  }

  private byte[] bytes() {
    return read(
        () -> {
          int length = bytes.getInt();
          if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
          }
          byte[] content = new byte[length];
          bytes.get(content);
          return content;
        });
  }

  /** The remaining bytes. */
  public byte[] rest() {
    byte[] left = new byte[bytes.remaining()];
    bytes.get(left);
    return left;
  }

  public Map<String, String> texts() {
    Map<String, String> values = new LinkedHashMap<>();
    for (int left = count(); left > 0; left--) {
      values.put(text(), text());
    }
    return values;
  }

  public TuttiException error() {
    ErrorCode code = read(() -> ErrorCode.valueOf(text()));
    return new TuttiException(code, "%s", text());
  }

  public boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** A new reader of the remaining bytes; the position of this reader does not change. */
  public BodyReader again() {
    return new BodyReader(bytes.duplicate());
  }
}
