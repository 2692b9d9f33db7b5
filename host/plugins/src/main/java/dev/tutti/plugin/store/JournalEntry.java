package dev.tutti.plugin.store;

import java.time.Instant;

/**
 * One event in the journal. Immutable.
 *
 * @param sequence its number, greater than those of all earlier entries
 * @param time when it was recorded
 * @param event the event
 */
public record JournalEntry(long sequence, Instant time, PluginEvent event)
    implements Comparable<JournalEntry> {

  @Override
  public int compareTo(JournalEntry other) {
    return Long.compare(sequence, other.sequence);
  }
}
