package dev.tutti.host;

/** All ranks are in this JVM. */
record EmbeddedRte(String name) implements Rte {

  static final EmbeddedRte INSTANCE = new EmbeddedRte("embedded");

  @Override
  public boolean isLocal(int rank) {
    return true;
  }

  @Override
  public int ranks() {
    return 0;
  }
}
