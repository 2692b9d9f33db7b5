package dev.tutti.plugins.template;

/** Who waits for each entry of a {@link Timetable}. */
final class Followers {

  private final int[] starts;
  private final int[] followers;

  Followers(Entries entries) {
    starts = new int[entries.size() + 1];
    for (int i = 0; i < entries.size(); i++) {
      for (int before = 0; before < entries.afters(i); before++) {
        starts[entries.after(i, before) + 1]++;
      }
    }
    for (int i = 0; i < entries.size(); i++) {
      starts[i + 1] += starts[i];
    }
    followers = new int[starts[entries.size()]];
    int[] next = starts.clone();
    for (int i = 0; i < entries.size(); i++) {
      for (int before = 0; before < entries.afters(i); before++) {
        followers[next[entries.after(i, before)]++] = i;
      }
    }
  }

  /** Where those of an entry begin. */
  int start(int entry) {
    return starts[entry];
  }

  /** Where those of an entry end. */
  int end(int entry) {
    return starts[entry + 1];
  }

  int at(int place) {
    return followers[place];
  }
}
