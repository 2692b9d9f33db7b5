package dev.tutti.host.planning;

import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.rules.Ruling;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The choices of a group, by size class. Thread-safe. */
final class Choices {

  private static final int MAX_CHOICES = 1024;

  private final Map<Key, Choice> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Choice> eldest) {
          return size() > MAX_CHOICES;
        }
      };

  /** The number of the catalogue from which they were chosen. */
  private long catalogue;

  /**
   * The facts that determine a choice: the call by which it is made, and the rules that apply to
   * the real call.
   */
  private record Key(PlanKey chosenAs, Ruling ruling) {}

  /** The earlier choice from a catalogue; null if there is none. */
  synchronized @Nullable Choice find(PlanKey chosenAs, Ruling ruling, long newCatalogue) {
    if (newCatalogue != catalogue) {
      known.clear();
      catalogue = newCatalogue;
    }
    return known.get(new Key(chosenAs, ruling));
  }

  synchronized void add(PlanKey chosenAs, Ruling ruling, long ofCatalogue, Choice choice) {
    if (ofCatalogue == catalogue) {
      known.put(new Key(chosenAs, ruling), choice);
    }
  }
}
