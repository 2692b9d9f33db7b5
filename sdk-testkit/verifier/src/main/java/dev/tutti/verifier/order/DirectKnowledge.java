package dev.tutti.verifier.order;

/**
 * The events of other streams that each stream knows of directly, through its own awaits, up to the
 * current point of a walk. Not thread-safe during the walk. After it, several threads may read.
 */
final class DirectKnowledge {

  /** The result of {@link #lastOf} if nothing is known of the other stream. */
  static final int NOTHING = -1;

  /** The result of {@link #firstOf} if nothing is known of the rank. */
  static final int NEVER = Integer.MAX_VALUE;

  /*
   * A stream has one entry for each stream that it knows of: the last known event, + 1. The entry
   * for a rank's main stream also holds the await through which the stream first learned of any
   * stream of that rank, + 1. This entry exists even if nothing is known of the main stream itself.
   * Most ranks have only one stream, so both numbers are usually in one place.
   */
  private static final int POST = 0;
  private static final int BEGIN = 1;
  private static final int FIELDS = 3;

  /** For each stream, the main stream of its rank. */
  private final int[] mainOf;

  private final StreamTables entries;

  /**
   * Starts without any knowledge.
   *
   * @param mainOf for each stream, the main stream of its rank
   */
  DirectKnowledge(int[] mainOf) {
    this.mainOf = mainOf;
    this.entries = new StreamTables(mainOf.length, FIELDS);
  }

  /** Records that a stream awaits a signal. */
  void await(int stream, int event, int postStream, int postEvent) {
    if (stream == postStream) {
      return;
    }
    int at = entry(stream, postStream);
    int[] table = entries.table(stream);
    table[at + POST] = Math.max(table[at + POST], postEvent + 1);
    int main = mainOf[postStream];
    if (main == mainOf[stream]) {
      return;
    }
    if (main != postStream) {
      at = entry(stream, main);
      table = entries.table(stream);
    }
    if (table[at + BEGIN] == 0) {
      table[at + BEGIN] = event + 1;
    }
  }

  private int entry(int stream, int ofStream) {
    int at = entries.find(stream, ofStream);
    return at >= 0 ? at : entries.add(stream, ofStream);
  }

  /** Whether a stream, at its current point, knows that an event of another stream has happened. */
  boolean knows(int stream, int ofStream, int event) {
    return stream == ofStream || event <= lastOf(stream, ofStream);
  }

  /** The last event of another stream that a stream knows of, or {@link #NOTHING}. */
  int lastOf(int stream, int ofStream) {
    int at = entries.find(stream, ofStream);
    return at < 0 ? NOTHING : entries.table(stream)[at + POST] - 1;
  }

  /**
   * The await through which a stream first learned of another rank, or {@link #NEVER}.
   *
   * @param main the main stream of that rank
   */
  int firstOf(int stream, int main) {
    int at = entries.find(stream, main);
    int begin = at < 0 ? 0 : entries.table(stream)[at + BEGIN];
    return begin == 0 ? NEVER : begin - 1;
  }
}
