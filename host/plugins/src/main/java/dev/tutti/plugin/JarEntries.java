package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries of a zip file in memory, read from its central directory and compared with the local
 * headers. Strict: ambiguous data, which two readers might read differently, is refused, and so is
 * everything beyond the limits. Immutable.
 */
final class JarEntries {

  static final int MAX_ENTRIES = 20_000;

  private static final int END = 0x06054b50;
  private static final int CENTRAL = 0x02014b50;
  private static final int LOCAL = 0x04034b50;
  private static final int END_BYTES = 22;
  private static final int CENTRAL_BYTES = 46;
  private static final int LOCAL_BYTES = 30;
  private static final int MAX_COMMENT = 0xffff;
  private static final int IS_ENCRYPTED = 1;

  private static final int SHOWN_NAME = 200;

  /** The character by which decoding replaces invalid bytes. */
  private static final char REPLACEMENT = '\ufffd';

  private final ByteBuffer file;
  private final Map<String, JarEntryData> entries = new LinkedHashMap<>();

  private JarEntries(byte[] bytes) {
    this.file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads the directory of a zip file.
   *
   * @return the entries by name, in their order, without folders
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE}
   */
  static Map<String, JarEntryData> read(byte[] bytes) {
    JarEntries reader = new JarEntries(bytes);
    try {
      reader.readDirectory();
    } catch (IndexOutOfBoundsException e) {
      throw damaged("its table of contents is cut off");
    }
    return reader.entries;
  }

  private void readDirectory() {
    int end = findEnd();
    for (int at = end + 1; at <= file.limit() - Integer.BYTES; at++) {
      if (file.getInt(at) == END) {
        throw refused("its comment looks like another table of contents; make a plain jar");
      }
    }
    int count = unsignedShort(end + 10);
    int size = file.getInt(end + 12);
    int start = file.getInt(end + 16);
    if (unsignedShort(end + 8) != count || count == 0xffff || start < 0 || size < 0) {
      throw refused("it is a zip file of several parts or of the 64-bit form; make a plain jar");
    }
    if ((long) start + size != end) {
      throw damaged("its table of contents is not where it should be");
    }
    if (count > MAX_ENTRIES) {
      throw refused("it has %d entries; at most %d are allowed", count, MAX_ENTRIES);
    }
    List<JarEntryData> all = new ArrayList<>();
    int at = start;
    for (int i = 0; i < count; i++) {
      JarEntryData entry = entry(at, start);
      all.add(entry);
      at +=
          CENTRAL_BYTES + unsignedShort(at + 28) + unsignedShort(at + 30) + unsignedShort(at + 32);
    }
    if (at != end) {
      throw damaged("its table of contents does not have the size that it states");
    }
    checkNoOverlap(all);
    all.forEach(this::add);
  }

  /** The end record is the last one whose comment reaches exactly to the end of the file. */
  private int findEnd() {
    int last = file.limit() - END_BYTES;
    for (int at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
      if (file.getInt(at) == END && at + END_BYTES + unsignedShort(at + 20) == file.limit()) {
        return at;
      }
    }
    throw damaged("it has no table of contents");
  }

  private JarEntryData entry(int at, int directory) {
    if (file.getInt(at) != CENTRAL) {
      throw damaged("its table of contents is broken");
    }
    int nameLength = unsignedShort(at + 28);
    String name = name(at + CENTRAL_BYTES, nameLength);
    int method = unsignedShort(at + 10);
    if ((unsignedShort(at + 8) & IS_ENCRYPTED) != 0
        || (method != JarEntryData.STORED && method != JarEntryData.DEFLATED)) {
      throw refused(
          "its entry '%s' is encrypted or packed in an unusual way; make a plain jar", cut(name));
    }
    int local = file.getInt(at + 42);
    if (local < 0 || local >= directory || file.getInt(local) != LOCAL) {
      throw damaged("its entry '" + cut(name) + "' is not where it should be");
    }
    if (unsignedShort(local + 8) != method
        || unsignedShort(local + 26) != nameLength
        || !file.slice(local + LOCAL_BYTES, nameLength)
            .equals(file.slice(at + CENTRAL_BYTES, nameLength))) {
      throw damaged("its entry '" + cut(name) + "' differs from the one in the table of contents");
    }
    int data = local + LOCAL_BYTES + nameLength + unsignedShort(local + 28);
    JarEntryData entry =
        new JarEntryData(
            name,
            method,
            file.getInt(at + 16),
            Integer.toUnsignedLong(file.getInt(at + 24)),
            local,
            data,
            Integer.toUnsignedLong(file.getInt(at + 20)));
    if (entry.end() > directory) {
      throw damaged("its entry '" + cut(name) + "' is cut off");
    }
    return entry;
  }

  /** Refuses entries that share bytes, because they let a small file unpack to a huge one. */
  private static void checkNoOverlap(List<JarEntryData> entries) {
    List<JarEntryData> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparingInt(JarEntryData::header));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).header() < sorted.get(i - 1).end()) {
        throw refused(
            "its entries '%s' and '%s' overlap; make a plain jar",
            cut(sorted.get(i - 1).name()), cut(sorted.get(i).name()));
      }
    }
  }

  private void add(JarEntryData entry) {
    String name = entry.name();
    checkName(name);
    if (entries.putIfAbsent(name, entry) != null) {
      throw refused("it has two entries of the name '%s'; build it again", cut(name));
    }
  }

  private static void checkName(String name) {
    if (name.startsWith("/") || name.startsWith(":", 1)) {
      throw refused("its entry '%s' has an absolute name; build it again", cut(name));
    }
    if (name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0) {
      throw refused(
          "its entry '%s' has a backslash or a zero in its name; build it again",
          cut(name).replace('\0', '?'));
    }
    String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw refused("its entry '%s' has an empty, '.' or '..' part; build it again", cut(name));
      }
    }
  }

  private String name(int at, int length) {
    String name = new String(file.array(), at, length, StandardCharsets.UTF_8);
    if (name.indexOf(REPLACEMENT) >= 0) {
      throw refused("it has an entry whose name is not UTF-8; build it again");
    }
    return name;
  }

  /** A name for messages, shortened because names can be very long. */
  static String cut(String name) {
    return name.length() <= SHOWN_NAME ? name : name.substring(0, SHOWN_NAME) + "…";
  }

  private int unsignedShort(int at) {
    return Short.toUnsignedInt(file.getShort(at));
  }

  static TuttiException refused(String format, Object... arguments) {
    return new TuttiException(ErrorCode.PLUGIN_UNREADABLE, format, arguments);
  }

  static TuttiException damaged(String how) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE,
        "it is not a jar, or it is damaged or not copied to its end (%s); copy it again",
        how);
  }
}
