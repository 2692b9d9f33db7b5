package dev.tutti.verifier.order;

/**
 * What each stream knows of the others directly, by its own awaits, up to the present point of a
 * walk. Not thread-safe while it learns; once the walk is over, several threads may ask.
 */
final class DirectKnowledge {

  /** {@link #lastOf} of a stream of which nothing is known. */
  static final int NOTHING = -1;

  /** {@link #firstOf} of a rank of which nothing is known. */
  static final int NEVER = Integer.MAX_VALUE;

  /*
   * Of each stream that a stream has heard of one entry: the last event heard of, + 1. The entry of a
   * rank's main stream also has the await by which any stream of that rank was first heard of, + 1;
   * it is there even if the main stream itself is not heard of. Ranks have one stream mostly, so that
   * both lie in one place.
   */
  private static final int POST = 0;
  private static final int BEGIN = 1;
  private static final int FIELDS = 3;

  /** For each stream the main stream of its rank. */
  private final int[] mainOf;

  private final StreamTables entries;

  /**
   * Nothing heard yet.
   *
   * @param mainOf for each stream the main stream of its rank
   */
  DirectKnowledge(int[] mainOf) {
    this.mainOf = mainOf;
    this.entries = new StreamTables(mainOf.length, FIELDS);
  }

  /** A stream awaits a signal. */
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

  /** Whether an event of a stream is known to have happened to a stream as far as it has come. */
  boolean knows(int stream, int ofStream, int event) {
    return stream == ofStream || event <= lastOf(stream, ofStream);
  }

  /** The last event of another stream that a stream has heard of, or {@link #NOTHING}. */
  int lastOf(int stream, int ofStream) {
    int at = entries.find(stream, ofStream);
    return at < 0 ? NOTHING : entries.table(stream)[at + POST] - 1;
  }

  /**
   * The await by which a stream has first heard of another rank, or {@link #NEVER}.
   *
   * @param main the main stream of that rank
   */
  int firstOf(int stream, int main) {
    int at = entries.find(stream, main);
    int begin = at < 0 ? 0 : entries.table(stream)[at + BEGIN];
    return begin == 0 ? NEVER : begin - 1;
  }
}
