package dev.tutti.plugin.store;

import java.time.Instant;

/**
 * One event in the journal. Immutable.
 *
 * @param sequence its number; each entry has a greater one than the entries before
 * @param time when it was recorded
 * @param event what happened
 */
public record JournalEntry(long sequence, Instant time, PluginEvent event)
    implements Comparable<JournalEntry> {

  @Override
  public int compareTo(JournalEntry other) {
    return Long.compare(sequence, other.sequence);
  }
}
