package dev.tutti.verifier.process;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages between a parent and a child process. A message is a list of texts. It begins with a
 * secret that only the two processes know, so that other code with access to the stream cannot
 * forge a message. Any data that is not a message ends the exchange.
 */
final class Frames {

  /** The length of the secret in bytes. */
  static final int SECRET_BYTES = 16;

  /** The most bytes of a message, without the secret and the length. */
  static final int MAX_BYTES = 16 << 20;

  private Frames() {}

  /** Writes a message and flushes it. */
  static void write(DataOutputStream to, byte[] secret, List<String> message) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(content);
    fields.writeInt(message.size());
    for (String field : message) {
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      fields.writeInt(bytes.length);
      fields.write(bytes);
    }
    if (content.size() > MAX_BYTES) {
      throw new IOException(
          "a message must have %d bytes at most. Actual: %d".formatted(MAX_BYTES, content.size()));
    }
    to.write(secret);
    to.writeInt(content.size());
    content.writeTo(to);
    to.flush();
  }

  /**
   * Reads a message; null at the end of the stream.
   *
   * @throws IOException if the data is not a message
   */
  static @Nullable List<String> read(DataInputStream from, byte[] secret) throws IOException {
    byte[] start = from.readNBytes(SECRET_BYTES);
    if (start.length == 0) {
      return null;
    }
    if (!MessageDigest.isEqual(start, secret)) {
      throw new IOException("something that is not an answer was written to the stream of answers");
    }
    int size = from.readInt();
    if (size < 0 || size > MAX_BYTES) {
      throw new IOException("a message of %d bytes was announced".formatted(size));
    }
    byte[] content = from.readNBytes(size);
    if (content.length < size) {
      throw new IOException("a message ended too early");
    }
    return fields(ByteBuffer.wrap(content));
  }

  private static List<String> fields(ByteBuffer content) throws IOException {
    int count = length(content, Integer.BYTES);
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = length(content, 1);
      ByteBuffer field = content.slice(content.position(), length);
      content.position(content.position() + length);
      try {
        fields.add(StandardCharsets.UTF_8.newDecoder().decode(field).toString());
      } catch (CharacterCodingException e) {
        throw new IOException("a field of a message is not text", e);
      }
    }
    if (content.hasRemaining()) {
      throw new IOException("a message has bytes after its fields");
    }
    return List.copyOf(fields);
  }

  /**
   * Reads a number of items, and checks that as many items of {@code bytesEach} bytes or more can
   * still follow.
   */
  private static int length(ByteBuffer content, int bytesEach) throws IOException {
    if (content.remaining() < Integer.BYTES) {
      throw new IOException("a message ended before its fields");
    }
    int length = content.getInt();
    if (length < 0 || length > content.remaining() / bytesEach) {
      throw new IOException("a message announced %d fields or bytes too many".formatted(length));
    }
    return length;
  }
}
