package dev.tutti.plugin;

import dev.tutti.sdk.TuttiException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The place of an entry in a jar, and the data of its header, which is not trusted before {@link
 * #unpack} has checked it.
 *
 * @param name its name
 * @param method {@link #STORED} or {@link #DEFLATED}
 * @param checksum the CRC-32 of the unpacked bytes
 * @param size the unpacked size that the header claims, in bytes
 * @param header the start of its header in the file
 * @param start the start of its data
 * @param packedSize the bytes of its data
 */
record JarEntryData(
    String name, int method, int checksum, long size, int header, int start, long packedSize) {

  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** The first byte after the data. */
  long end() {
    return start + packedSize;
  }

  boolean isFolder() {
    return name.endsWith("/");
  }

  /**
   * The unpacked bytes. Allocates the size in the header, which the limits bound. The data must
   * have exactly that size and the right checksum.
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

  /** Whether the packed bytes unpack to exactly the expected number of bytes. */
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
