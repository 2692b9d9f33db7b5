package dev.tutti.plugins.template;

/** The recurrence of one of the terms in bytes of a {@link Timetable}. */
final class PortRun {

  private final Entries entries;
  private final Followers followers;
  private final boolean moves;
  private final int[] waits;
  private final int[] turns;
  private final long[] starts;
  private final long[] senderFree;
  private final long[] receiverFree;
  private final long[] unitFree;
  private final PortRequests requests;

  /** Entries that wait for nothing more; each is in it once. */
  private final int[] ready;

  private int readyCount;
  private long time;

  /**
   * A run.
   *
   * @param moves whether bytes are moved at ports, or combined in units
   */
  PortRun(Entries entries, Followers followers, int ranks, int streams, boolean moves) {
    this.entries = entries;
    this.followers = followers;
    this.moves = moves;
    this.waits = new int[entries.size()];
    this.turns = new int[entries.size()];
    this.starts = new long[entries.size()];
    this.ready = new int[entries.size()];
    this.senderFree = new long[ranks];
    this.receiverFree = new long[ranks];
    this.unitFree = new long[ranks];
    this.requests = new PortRequests(ranks * streams);
  }

  /** When the last entry has ended. */
  long time() {
    for (int i = 0; i < waits.length; i++) {
      waits[i] = entries.afters(i);
      if (waits[i] == 0) {
        ready[readyCount++] = i;
      }
    }
    begin();
    while (!requests.isEmpty()) {
      long now = requests.firstTime();
      serve(requests.remove(), now);
    }
    return time;
  }

  /** Asks for what entries need; one that needs nothing ends before anybody else is served. */
  private void begin() {
    while (readyCount > 0) {
      int entry = ready[--readyCount];
      if (needsNothing(entry)) {
        end(entry, starts[entry]);
      } else {
        requests.add(entries.row(entry), entry, starts[entry]);
      }
    }
  }

  private boolean needsNothing(int entry) {
    return moves ? entries.senders(entry) == 0 : entries.combined(entry) == 0;
  }

  private void serve(int entry, long now) {
    long done = moves ? move(entry, now) : combine(entry, now);
    if (moves && ++turns[entry] < entries.senders(entry)) {
      requests.add(entries.row(entry), entry, done);
      return;
    }
    end(entry, done);
    begin();
  }

  private long move(int entry, long now) {
    int from = entries.sender(entry, turns[entry]);
    int to = entries.receiver(entry);
    long end = Math.max(now, Math.max(senderFree[from], receiverFree[to])) + entries.bytes(entry);
    senderFree[from] = end;
    receiverFree[to] = end;
    return end;
  }

  private long combine(int entry, long now) {
    int unit = entries.receiver(entry);
    unitFree[unit] = Math.max(now, unitFree[unit]) + entries.combined(entry);
    return unitFree[unit];
  }

  private void end(int entry, long at) {
    time = Math.max(time, at);
    for (int place = followers.start(entry); place < followers.end(entry); place++) {
      int follower = followers.at(place);
      starts[follower] = Math.max(starts[follower], at);
      if (--waits[follower] == 0) {
        ready[readyCount++] = follower;
      }
    }
  }
}
