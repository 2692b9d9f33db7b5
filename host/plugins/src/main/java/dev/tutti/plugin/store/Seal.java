package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The checksum in the last field of a line: CRC-32C of all bytes before it, which detects any
 * change of up to four bytes in a row.
 */
final class Seal {

  /** The field that holds the checksum. */
  static final String FIELD = "sum";

  private static final String START = ",\"" + FIELD + "\":\"";
  private static final int LENGTH = START.length() + 8 + 2;

  private Seal() {}

  /** The line of a JSON object with its checksum and its end of line. */
  static byte[] put(String object) {
    byte[] open = object.substring(0, object.length() - 1).getBytes(StandardCharsets.UTF_8);
    String text = new String(open, StandardCharsets.UTF_8) + end(open, open.length) + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the first bytes, a line without its end, are unchanged since they were written. */
  static boolean isIntact(byte[] line, int length) {
    int open = length - LENGTH;
    return open > 0
        && new String(line, open, LENGTH, StandardCharsets.ISO_8859_1).equals(end(line, open));
  }

  private static String end(byte[] line, int length) {
    CRC32C sum = new CRC32C();
    sum.update(line, 0, length);
    return START + Sentence.of("%08x\"}", sum.getValue());
  }
}
