package dev.tutti.testkit.order;

/**
 * What each stream has heard of the others directly, that is by its own awaits, up to the present
 * point of a walk. Not thread-safe.
 */
final class Heard {

  private final int[] rankOf;

  /** For each stream: the stream it has heard of, and its last event heard of. */
  private final StreamTables posts;

  /** For each stream: the rank it has heard of, and the await by which it first did. */
  private final StreamTables begins;

  /**
   * Nothing heard yet.
   *
   * @param rankOf the rank of each stream
   */
  Heard(int[] rankOf) {
    this.rankOf = rankOf;
    this.posts = new StreamTables(rankOf.length, 1);
    this.begins = new StreamTables(rankOf.length, 1);
  }

  /** A stream awaits a signal. */
  void await(int stream, int event, int postStream, int postEvent) {
    if (stream == postStream) {
      return;
    }
    int at = posts.find(stream, postStream);
    if (at >= 0) {
      int[] table = posts.table(stream);
      table[at] = Math.max(table[at], postEvent);
      return;
    }
    at = posts.add(stream, postStream);
    posts.table(stream)[at] = postEvent;
    int rank = rankOf[postStream];
    if (rank != rankOf[stream] && begins.find(stream, rank) < 0) {
      at = begins.add(stream, rank);
      begins.table(stream)[at] = event;
    }
  }

  /** Whether an event of a stream is known to have happened to a stream as far as it has come. */
  boolean knows(int stream, int ofStream, int event) {
    if (stream == ofStream) {
      return true;
    }
    int at = posts.find(stream, ofStream);
    return at >= 0 && posts.table(stream)[at] >= event;
  }

  /** Whether a stream has heard of any event of a rank when it comes to an event. */
  boolean knowsBegin(int stream, int event, int rank) {
    if (rankOf[stream] == rank) {
      return true;
    }
    int at = begins.find(stream, rank);
    return at >= 0 && begins.table(stream)[at] <= event;
  }
}
