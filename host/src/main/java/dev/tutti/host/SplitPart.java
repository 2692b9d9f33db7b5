package dev.tutti.host;

import org.jspecify.annotations.Nullable;

/** One rank's part in splitting its group. Its own thread makes it, the last rank fills it in. */
final class SplitPart {

  private final int colour;
  private final int key;
  private @Nullable RankHandle result;

  SplitPart(int colour, int key) {
    this.colour = colour;
    this.key = key;
  }

  int colour() {
    return colour;
  }

  int key() {
    return key;
  }

  /** Called before the round of the split is over. */
  void give(RankHandle handle) {
    result = handle;
  }

  /** The rank in its new group, or null if it takes no part; after the round is over. */
  @Nullable RankHandle result() {
    return result;
  }
}
