package dev.tutti.host;

/** One rank's part in splitting its group: what it asks for. Two of them are never equal. */
final class SplitPart {

  private final int colour;
  private final int key;

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
}
