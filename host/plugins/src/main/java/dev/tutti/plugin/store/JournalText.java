package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads the bytes of a journal. A process that dies while it appends leaves an incomplete line,
 * which was never reported as written and is ignored. Any other difference from the written bytes
 * is damage, which is refused: a journal with a gap would make the wrong plugins serve.
 */
final class JournalText {

  private final Path file;
  private final byte[] bytes;
  private final List<JournalEntry> entries = new ArrayList<>();
  private JournalHeader header = new JournalHeader(0, 0);
  private long sequence;
  private int line;
  private int soundBytes;

  private JournalText(Path file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /**
   * Reads a journal.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} that names the line
   */
  static JournalText read(Path file, byte[] bytes) {
    JournalText text = new JournalText(file, bytes);
    text.readLines();
    return text;
  }

  List<JournalEntry> entries() {
    return entries;
  }

  /** The number of the last entry; 0 if there was none. */
  long sequence() {
    return sequence;
  }

  /** The end of the last complete line; the bytes after it are incomplete. */
  int soundBytes() {
    return soundBytes;
  }

  int tornBytes() {
    return bytes.length - soundBytes;
  }

  private void readLines() {
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        line++;
        readLine(start, i);
        start = i + 1;
      }
    }
    soundBytes = start;
    line++;
    checkTail();
    if (entries.size() < header.kept()) {
      throw damaged(
          Sentence.of("it ends after %d of %d kept entries", entries.size(), header.kept()));
    }
  }

  private void readLine(int start, int end) {
    byte[] content = Arrays.copyOfRange(bytes, start, end);
    if (!Seal.isIntact(content, content.length)) {
      throw damaged("its checksum does not match");
    }
    if (line == 1) {
      header = understood(() -> JournalHeader.read(content));
    } else {
      add(understood(() -> EntryFormat.read(content)));
    }
  }

  private <T> T understood(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (TuttiException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "line %d of %s was written by another version of the host: %s; start that version, or"
              + " move the file away to begin without history",
          line,
          file,
          e.getMessage());
    }
  }

  private void add(JournalEntry entry) {
    if (entries.size() < header.kept()) {
      if (entry.sequence() <= sequence || entry.sequence() > header.sequence()) {
        throw damaged(
            Sentence.of(
                "its number %d is not between %d and %d",
                entry.sequence(), sequence + 1, header.sequence()));
      }
    } else if (entry.sequence() != Math.max(sequence, header.sequence()) + 1) {
      throw damaged(
          Sentence.of(
              "its number must be %d. Actual: %d",
              Math.max(sequence, header.sequence()) + 1, entry.sequence()));
    }
    entries.add(entry);
    sequence = entry.sequence();
  }

  /**
   * Refuses a complete line followed by one byte: such bytes are not the beginning of a line, so
   * the line end was changed.
   */
  private void checkTail() {
    byte[] tail = Arrays.copyOfRange(bytes, soundBytes, bytes.length);
    if (soundBytes == 0) {
      throw damaged("it has no first line");
    }
    if (tail.length > 0 && Seal.isIntact(tail, tail.length - 1)) {
      throw damaged("it does not end with an end of line");
    }
    sequence = Math.max(sequence, header.sequence());
  }

  private TuttiException damaged(String what) {
    return new TuttiException(
        ErrorCode.PLUGIN_STATE,
        "line %d of %s is damaged: %s; put a copy of the file in its place, or move it away to"
            + " begin without history: pins and rollbacks are then forgotten, and every plugin is"
            + " checked again",
        line,
        file,
        what);
  }
}
