package dev.tutti.verifier.order;

/** The first post and the last await of each notify cell. */
final class Signals {

  private static final int FIELDS = 4;

  /** For each cell, the stream + 1 and the event of the last await, then of the first post. */
  private final int[] ends;

  Signals(int cells) {
    this.ends = new int[Math.multiplyExact(cells, FIELDS)];
  }

  void post(int cell, int stream, int event) {
    int at = cell * FIELDS + 2;
    if (ends[at] == 0) {
      ends[at] = stream + 1;
      ends[at + 1] = event;
    }
  }

  void await(int cell, int stream, int event) {
    ends[cell * FIELDS] = stream + 1;
    ends[cell * FIELDS + 1] = event;
  }

  /** The stream of the last await, or -1 if there was none. */
  int awaitStream(int cell) {
    return ends[cell * FIELDS] - 1;
  }

  /** The last await. */
  int awaitEvent(int cell) {
    return ends[cell * FIELDS + 1];
  }

  /** The stream of the first post, or -1 if there was none. */
  int postStream(int cell) {
    return ends[cell * FIELDS + 2] - 1;
  }

  /** The first post. */
  int postEvent(int cell) {
    return ends[cell * FIELDS + 3];
  }
}
