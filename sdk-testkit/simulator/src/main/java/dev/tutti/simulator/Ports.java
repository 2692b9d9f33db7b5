package dev.tutti.simulator;

/**
 * Ports that serve one message after another, and the units of the ranks, which reduce and copy.
 * Requests must come in the order of time. Not thread-safe.
 */
final class Ports {

  private final long[] outFree;
  private final long[] inFree;
  private final long[] unitFree;

  // The action that used each of them last
  private final int[] outLast;
  private final int[] inLast;
  private final int[] unitLast;

  private int before = EngineLog.NO_CAUSE;

  Ports(Network network) {
    outFree = new long[network.portCount()];
    inFree = new long[network.portCount()];
    unitFree = new long[network.rankSize()];
    outLast = new int[network.portCount()];
    inLast = new int[network.portCount()];
    unitLast = new int[network.rankSize()];
  }

  /**
   * Holds the ports at both ends of a message as soon as both are free.
   *
   * @param held how long it holds them, in picoseconds
   * @param record the action that sends
   * @return the time from which they are held
   */
  long send(int out, int in, long now, long held, int record) {
    long from = Math.max(now, Math.max(outFree[out], inFree[in]));
    before = from == now ? EngineLog.NO_CAUSE : from == outFree[out] ? outLast[out] : inLast[in];
    outFree[out] = TimeText.add(from, held);
    inFree[in] = outFree[out];
    outLast[out] = record;
    inLast[in] = record;
    return from;
  }

  /** Holds the unit of a rank as soon as it is free; returns the time from which it is held. */
  long work(int rank, long now, long held, int record) {
    long from = Math.max(now, unitFree[rank]);
    before = from == now ? EngineLog.NO_CAUSE : unitLast[rank];
    unitFree[rank] = TimeText.add(from, held);
    unitLast[rank] = record;
    return from;
  }

  /** The action that the last request waited for, or NO_CAUSE if it did not wait. */
  int before() {
    return before;
  }
}
