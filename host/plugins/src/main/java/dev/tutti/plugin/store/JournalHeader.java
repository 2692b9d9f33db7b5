package dev.tutti.plugin.store;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * The first line of a journal.
 *
 * @param sequence the number of the last entry when the journal was rewritten; 0 if it is new
 * @param kept the number of entries that were kept then; they follow, and may have gaps between
 *     their numbers
 */
record JournalHeader(long sequence, long kept) {

  /** The format that this host reads and writes. */
  static final long FORMAT = 1;

  byte[] toBytes() {
    return new LineWriter().put("journal", FORMAT).put("seq", sequence).put("kept", kept).toBytes();
  }

  static JournalHeader read(byte[] json) {
    JsonFields line = JsonFields.read(json, "the line", ErrorCode.PLUGIN_STATE);
    long format = line.longNumber("journal");
    if (format != FORMAT) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE, "it has format %d, this host reads format %d", format, FORMAT);
    }
    JournalHeader header = new JournalHeader(line.longNumber("seq"), line.longNumber("kept"));
    line.text(Seal.FIELD);
    line.end();
    return header;
  }
}
