package dev.tutti.plugin.live;

import dev.tutti.base.listener.ListenerFailure;
import dev.tutti.base.text.ControlCharacters;
import dev.tutti.base.text.Sentence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The events of plugins, a sentence each. They are reported and logged at once, and the last ones
 * are kept. Thread-safe.
 */
final class News {

  private static final int KEPT = 1024;

  private static final System.Logger LOGGER = System.getLogger("dev.tutti.plugin");

  private final Consumer<String> listener;
  private final Deque<Item> last = new ArrayDeque<>();
  private long told;

  /**
   * A sentence.
   *
   * @param isChange whether it reports a change, and not a later consequence of one
   */
  private record Item(String sentence, boolean isChange) {}

  News(Consumer<String> listener) {
    this.listener = listener;
  }

  /** Reports a change, on the thread that makes it. */
  void tell(String sentence) {
    tell(new Item(sentence, true));
  }

  /** Reports a consequence of a change, for which the caller that made the change does not wait. */
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

  /** Calls the listener. If it fails, this must not stop the current change or later ones. */
  private void hear(String sentence) {
    try {
      // Sentences repeat texts of plugins, which must not forge a line of the log.
      LOGGER.log(System.Logger.Level.INFO, ControlCharacters.onOneLine(sentence));
    } catch (Throwable t) {
      ListenerFailure.report(t);
    }
    try {
      listener.accept(sentence);
    } catch (Throwable t) {
      ListenerFailure.report(t);
    }
  }

  /** The number of all sentences so far. */
  synchronized long count() {
    return told;
  }

  /** The sentences that are kept, oldest first. */
  synchronized List<String> all() {
    return last.stream().map(Item::sentence).toList();
  }

  /** The changes since a given number of messages; reports how many of these are not kept. */
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
