package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;

/**
 * The first line of a journal.
 *
 * @param sequence the number of the last entry when the journal was rewritten; 0 if it is new
 * @param kept how many entries were kept then; they follow, and may have gaps between their numbers
 */
record JournalHeader(long sequence, long kept) {

  /** The format that this host reads and writes. */
  static final long FORMAT = 1;

  byte[] toBytes() {
    return new LineWriter().put("journal", FORMAT).put("seq", sequence).put("kept", kept).toBytes();
  }

  static JournalHeader read(String json) {
    LineReader line = new LineReader(json);
    long format = line.number("journal");
    if (format != FORMAT) {
      throw new LineException(
          Sentence.of("it has format %d, this host reads format %d", format, FORMAT));
    }
    JournalHeader header = new JournalHeader(line.number("seq"), line.number("kept"));
    line.text(Seal.FIELD);
    line.end();
    return header;
  }
}
