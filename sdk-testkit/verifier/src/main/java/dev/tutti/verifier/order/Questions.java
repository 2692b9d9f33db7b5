package dev.tutti.verifier.order;

import java.util.ArrayList;
import java.util.List;

/**
 * Open questions of the form "does this event happen before that one?", in the order in which they
 * were added. Not thread-safe.
 */
final class Questions {

  /** Receives the questions. */
  interface Visitor {
    /**
     * Does event 1 happen before event 2?
     *
     * @param topic the reason for the question
     * @param from the cell in question, or the first of several segments
     * @param to the last of these segments; for a cell, the cell again
     */
    void question(int stream1, int event1, int stream2, int event2, int topic, int from, int to);
  }

  private static final int FIELDS = 7;
  private static final int CHUNK = FIELDS << 13;

  private final List<int[]> chunks = new ArrayList<>();
  private int[] last = new int[0];

  /** The end of the last question in the last chunk. */
  private int end;

  boolean isEmpty() {
    return chunks.isEmpty();
  }

  /**
   * Adds a question. If only its segment differs from the last question and is the next one,
   * extends that question.
   */
  void add(int stream1, int event1, int stream2, int event2, int topic, int at) {
    if (isLast(stream1, event1, stream2, event2, topic) && last[end - 1] == at - 1) {
      last[end - 1] = at;
      return;
    }
    if (end == last.length) {
      last = new int[chunks.isEmpty() ? FIELDS << 4 : CHUNK];
      chunks.add(last);
      end = 0;
    }
    last[end++] = stream1;
    last[end++] = event1;
    last[end++] = stream2;
    last[end++] = event2;
    last[end++] = topic;
    last[end++] = at;
    last[end++] = at;
  }

  private boolean isLast(int stream1, int event1, int stream2, int event2, int topic) {
    int at = end - FIELDS;
    return at >= 0
        && last[at] == stream1
        && last[at + 1] == event1
        && last[at + 2] == stream2
        && last[at + 3] == event2
        && last[at + 4] == topic;
  }

  /** Visits all questions. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < chunks.size(); i++) {
      int[] chunk = chunks.get(i);
      int limit = i == chunks.size() - 1 ? end : chunk.length;
      for (int at = 0; at < limit; at += FIELDS) {
        visitor.question(
            chunk[at],
            chunk[at + 1],
            chunk[at + 2],
            chunk[at + 3],
            chunk[at + 4],
            chunk[at + 5],
            chunk[at + 6]);
      }
    }
  }
}
