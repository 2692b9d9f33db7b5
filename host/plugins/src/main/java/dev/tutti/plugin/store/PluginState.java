package dev.tutti.plugin.store;

import java.util.Collections;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The state that follows from the journal. Immutable.
 *
 * @param sequence the number of the last entry; 0 if there was none
 * @param plugins the facts about each plugin, by id
 */
public record PluginState(long sequence, SortedMap<String, PluginFacts> plugins) {

  /** The state of a host that never saw a plugin. */
  public static final PluginState EMPTY = new PluginState(0, Collections.emptySortedMap());

  /** The facts about a plugin; none if it was never seen. */
  public PluginFacts plugin(String plugin) {
    return plugins.getOrDefault(plugin, PluginFacts.none(plugin));
  }

  /** The state after one more entry. */
  PluginState with(JournalEntry entry) {
    String plugin = entry.event().plugin();
    SortedMap<String, PluginFacts> next = new TreeMap<>(plugins);
    next.put(plugin, plugin(plugin).with(entry));
    return new PluginState(entry.sequence(), Collections.unmodifiableSortedMap(next));
  }

  /** The state after many entries; the last one may be gone from the journal. */
  static PluginState of(Iterable<JournalEntry> entries, long sequence) {
    PluginState state = EMPTY;
    for (JournalEntry entry : entries) {
      state = state.with(entry);
    }
    return new PluginState(sequence, state.plugins());
  }

  /** The contents with known facts. */
  public Set<String> contents() {
    return plugins.values().stream()
        .flatMap(facts -> facts.contents().keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The entries from which the state follows. */
  SortedSet<JournalEntry> entries() {
    NavigableSet<JournalEntry> entries = new TreeSet<>();
    plugins.values().forEach(facts -> entries.addAll(facts.entries()));
    return entries;
  }
}
