package dev.tutti.plugin.store;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.sdk.ErrorCode;
import java.time.DateTimeException;
import java.time.Instant;

/** The format of an entry of the journal as a line. */
final class EntryFormat {

  private EntryFormat() {}

  static byte[] toBytes(JournalEntry entry) {
    LineWriter line =
        new LineWriter().put("seq", entry.sequence()).put("time", entry.time().toString());
    EventFormat.write(entry.event(), line);
    return line.toBytes();
  }

  static JournalEntry read(byte[] json) {
    JsonFields line = JsonFields.read(json, "the line", ErrorCode.PLUGIN_STATE);
    long sequence = line.longNumber("seq");
    Instant time = time(line);
    PluginEvent event = EventFormat.read(line.text("event"), line);
    line.text(Seal.FIELD);
    line.end();
    return new JournalEntry(sequence, time, event);
  }

  private static Instant time(JsonFields line) {
    String text = line.text("time");
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw line.wrong("time", "like 2026-01-31T12:00:00Z", text);
    }
  }
}
