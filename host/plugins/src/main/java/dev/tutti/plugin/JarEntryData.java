package dev.tutti.plugin;

import dev.tutti.sdk.TuttiException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Where an entry of a jar is, and what its header says about it; none of it is believed before
 * {@link #unpack} has seen the data.
 *
 * @param name its name
 * @param method {@link #STORED} or {@link #DEFLATED}
 * @param checksum the CRC-32 of the unpacked bytes
 * @param size how many bytes it says it unpacks to
 * @param header where its header starts in the file
 * @param start where its data starts
 * @param packedSize the bytes of its data
 */
record JarEntryData(
    String name, int method, int checksum, long size, int header, int start, long packedSize) {

  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** The first byte behind the data. */
  long end() {
    return start + packedSize;
  }

  boolean isFolder() {
    return name.endsWith("/");
  }

  /**
   * The unpacked bytes. Memory is taken for the size in the header, which the limits bound; the
   * data must then have exactly that size and the checksum.
   */
  byte[] unpack(byte[] file) {
    byte[] bytes = new byte[(int) size];
    if (method == STORED && packedSize == size) {
      System.arraycopy(file, start, bytes, 0, bytes.length);
    } else if (method == STORED || !isInflated(file, bytes)) {
      throw wrong();
    }
    CRC32 sum = new CRC32();
    sum.update(bytes);
    if ((int) sum.getValue() != checksum) {
      throw wrong();
    }
    return bytes;
  }

  /** Whether the packed bytes give just as many bytes as there is room for. */
  private boolean isInflated(byte[] file, byte[] bytes) {
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(file, start, (int) packedSize);
      int count = 0;
      while (count < bytes.length) {
        int more = inflater.inflate(bytes, count, bytes.length - count);
        if (more == 0) {
          return false;
        }
        count += more;
      }
      return inflater.inflate(new byte[1]) == 0
          && inflater.finished()
          && inflater.getBytesRead() == packedSize;
    } catch (DataFormatException e) {
      return false;
    }
  }

  private TuttiException wrong() {
    return JarEntries.damaged(
        "the data of its entry '" + JarEntries.cut(name) + "' does not match its header");
  }
}
