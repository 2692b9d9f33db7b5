package dev.tutti.plugin.store;

import java.time.DateTimeException;
import java.time.Instant;

/** An entry of the journal as a line. */
final class EntryFormat {

  private EntryFormat() {}

  static byte[] toBytes(JournalEntry entry) {
    LineWriter line =
        new LineWriter().put("seq", entry.sequence()).put("time", entry.time().toString());
    EventFormat.write(entry.event(), line);
    return line.toBytes();
  }

  static JournalEntry read(String json) {
    LineReader line = new LineReader(json);
    long sequence = line.number("seq");
    Instant time = time(line.text("time"));
    PluginEvent event = EventFormat.read(line.text("event"), line);
    line.text(Seal.FIELD);
    line.end();
    return new JournalEntry(sequence, time, event);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new LineException(
          "its field 'time' must be like 2026-01-31T12:00:00Z. Actual: " + text);
    }
  }
}
