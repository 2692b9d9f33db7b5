package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** What has happened, a sentence each: told at once, and the last of it kept. Thread-safe. */
final class News {

  private static final int KEPT = 1024;

  private final Consumer<String> listener;
  private final Deque<Item> last = new ArrayDeque<>();
  private long told;

  /**
   * A sentence.
   *
   * @param isChange whether it tells of a change, and not of what follows from it some time
   */
  private record Item(String sentence, boolean isChange) {}

  News(Consumer<String> listener) {
    this.listener = listener;
  }

  /** Tells of a change, on the thread that makes it. */
  void tell(String sentence) {
    tell(new Item(sentence, true));
  }

  /** Tells of what follows from a change; who has asked for the change does not wait for it. */
  void tellAfterwards(String sentence) {
    tell(new Item(sentence, false));
  }

  private void tell(Item item) {
    synchronized (this) {
      last.addLast(item);
      told++;
      if (last.size() > KEPT) {
        last.removeFirst();
      }
    }
    hear(item.sentence());
  }

  /** A listener that fails must not stop the change that it is notified of, nor later ones. */
  private void hear(String sentence) {
    try {
      listener.accept(sentence);
    } catch (Throwable t) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
    }
  }

  /** How many sentences there were. */
  synchronized long count() {
    return told;
  }

  /** The sentences that are kept, oldest first. */
  synchronized List<String> all() {
    return last.stream().map(Item::sentence).toList();
  }

  /**
   * The changes since there was a given number of messages; says how many of those are not kept.
   */
  synchronized List<String> changesSince(long count) {
    List<String> changes = new ArrayList<>();
    long lost = told - count - last.size();
    if (lost > 0) {
      changes.add(Sentence.of("%d earlier messages are not kept", lost));
    }
    last.stream()
        .skip(Math.max(0, last.size() - (told - count)))
        .filter(Item::isChange)
        .forEach(item -> changes.add(item.sentence()));
    return List.copyOf(changes);
  }
}
