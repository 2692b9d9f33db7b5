package dev.tutti.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes zip files byte by byte, so that they can be wrong in every way. */
final class ZipBytes {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<byte[]> directory = new ArrayList<>();

  ZipBytes entry(String name, String text) {
    return entry(name, name, text.getBytes(StandardCharsets.UTF_8), -1, true);
  }

  /** An entry whose local header has another name than the table of contents. */
  ZipBytes renamed(String local, String central, String text) {
    return entry(local, central, text.getBytes(StandardCharsets.UTF_8), -1, true);
  }

  /** An entry that says it unpacks to another size. */
  ZipBytes saying(String name, byte[] data, long size) {
    return entry(name, name, data, size, true);
  }

  ZipBytes stored(String name, byte[] data) {
    return entry(name, name, data, -1, false);
  }

  private ZipBytes entry(String local, String central, byte[] data, long size, boolean isPacked) {
    byte[] packed = isPacked ? deflate(data) : data;
    CRC32 sum = new CRC32();
    sum.update(data);
    int offset = out.size();
    long said = size < 0 ? data.length : size;
    out.writeBytes(header(false, local, isPacked, (int) sum.getValue(), packed.length, said, 0));
    out.writeBytes(packed);
    directory.add(
        header(true, central, isPacked, (int) sum.getValue(), packed.length, said, offset));
    return this;
  }

  /** A second name for the data of the first entry. */
  ZipBytes overlapping() {
    directory.add(directory.getFirst());
    return this;
  }

  private static byte[] header(
      boolean isCentral,
      String name,
      boolean isPacked,
      int sum,
      int packedSize,
      long size,
      int offset) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate((isCentral ? 46 : 30) + text.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(isCentral ? 0x02014b50 : 0x04034b50);
    if (isCentral) {
      bytes.putShort((short) 20);
    }
    bytes.putShort((short) 20).putShort((short) 0x800).putShort((short) (isPacked ? 8 : 0));
    bytes.putInt(0).putInt(sum).putInt(packedSize).putInt((int) size);
    bytes.putShort((short) text.length).putShort((short) 0);
    if (isCentral) {
      bytes.putShort((short) 0).putInt(0).putInt(0).putInt(offset);
    }
    return bytes.put(text).array();
  }

  private static byte[] deflate(byte[] data) {
    try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
      deflater.setInput(data);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      byte[] chunk = new byte[4096];
      while (!deflater.finished()) {
        packed.write(chunk, 0, deflater.deflate(chunk));
      }
      return packed.toByteArray();
    }
  }

  byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(out.toByteArray());
    directory.forEach(all::writeBytes);
    int size = all.size() - out.size();
    ByteBuffer end = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt(0x06054b50).putInt(0);
    end.putShort((short) directory.size()).putShort((short) directory.size());
    end.putInt(size).putInt(out.size()).putShort((short) 0);
    all.writeBytes(end.array());
    return all.toByteArray();
  }

  Path write(Path file) {
    try {
      return Files.write(file, bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
