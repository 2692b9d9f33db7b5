package dev.tutti.host.rank;

/** One rank's part in splitting its group: its colour and its key. Two parts are never equal. */
public final class SplitPart {

  private final int colour;
  private final int key;

  public SplitPart(int colour, int key) {
    this.colour = colour;
    this.key = key;
  }

  public int colour() {
    return colour;
  }

  public int key() {
    return key;
  }
}
