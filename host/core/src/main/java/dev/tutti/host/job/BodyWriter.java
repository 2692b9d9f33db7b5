package dev.tutti.host.job;

import dev.tutti.sdk.TuttiException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes the body of a message. Not thread-safe. */
public final class BodyWriter {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** An empty body. */
  public BodyWriter() {}

  private interface Step {
    void run() throws IOException;
  }

  private BodyWriter add(Step step) {
    try {
      step.run();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public BodyWriter number(long value) {
    return add(() -> out.writeLong(value));
  }

  /** Numbers that are at least 0. */
  public BodyWriter counts(int[] values) {
    number(values.length);
    for (int each : values) {
      number(each);
    }
    return this;
  }

  public BodyWriter text(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    return add(
        () -> {
          out.writeInt(encoded.length);
          out.write(encoded);
        });
  }

  public BodyWriter texts(Map<String, String> values) {
    number(values.size());
    values.forEach((name, value) -> text(name).text(value));
    return this;
  }

  /** The body of another writer. */
  public BodyWriter part(byte[] body) {
    return add(
        () -> {
          out.writeInt(body.length);
          out.write(body);
        });
  }

  /** The code and the message of an error. */
  public BodyWriter error(TuttiException error) {
    return text(error.code().name()).text(String.valueOf(error.getMessage()));
  }

  /** The number of bytes so far. */
  public int size() {
    return bytes.size();
  }

  public byte[] bytes() {
    return bytes.toByteArray();
  }
}
