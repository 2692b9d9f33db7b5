package dev.tutti.host.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** What has happened, a sentence each: told at once, and the last of it kept. Thread-safe. */
final class News {

  private static final int KEPT = 256;

  private final Consumer<String> listener;
  private final Deque<String> last = new ArrayDeque<>();
  private long told;

  News(Consumer<String> listener) {
    this.listener = listener;
  }

  void tell(String sentence) {
    synchronized (this) {
      last.addLast(sentence);
      told++;
      if (last.size() > KEPT) {
        last.removeFirst();
      }
    }
    listener.accept(sentence);
  }

  /** How many sentences there were. */
  synchronized long count() {
    return told;
  }

  /** The sentences since there were so many, as far as they are kept. */
  synchronized List<String> since(long count) {
    List<String> kept = new ArrayList<>(last);
    int wanted = (int) Math.min(told - count, kept.size());
    return List.copyOf(kept.subList(kept.size() - wanted, kept.size()));
  }
}
