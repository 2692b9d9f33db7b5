package dev.tutti.plugin.store;

import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Staged;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a content, as entries of the journal. Immutable.
 *
 * @param staged when it was first copied into the store
 * @param verdict its last check, {@link Admitted} or {@link Quarantined}; null if there was none
 * @param exclusion when it was rolled back, or null if it may serve
 */
public record Content(
    JournalEntry staged, @Nullable JournalEntry verdict, @Nullable JournalEntry exclusion) {

  /** The hash of the content. */
  public String sha256() {
    return staged.event() instanceof Staged event ? event.sha256() : "";
  }

  /** Its version; may be empty. */
  public String version() {
    return staged.event() instanceof Staged event ? event.version() : "";
  }

  /** Whether a version of the host has admitted it; verdicts of other versions do not count. */
  public boolean isAdmittedBy(String hostVersion) {
    return verdict != null
        && verdict.event() instanceof Admitted event
        && event.hostVersion().equals(hostVersion);
  }

  /** Why a version of the host does not admit it; empty if it does, or has not checked it. */
  public Optional<Quarantined> quarantinedBy(String hostVersion) {
    return verdict != null
            && verdict.event() instanceof Quarantined event
            && event.hostVersion().equals(hostVersion)
        ? Optional.of(event)
        : Optional.empty();
  }

  /** Why it was rolled back, so that it does not serve; empty if it may. */
  public Optional<RolledBack> rolledBack() {
    return exclusion != null && exclusion.event() instanceof RolledBack event
        ? Optional.of(event)
        : Optional.empty();
  }

  Content withVerdict(JournalEntry entry) {
    return new Content(staged, entry, exclusion);
  }

  Content withExclusion(@Nullable JournalEntry entry) {
    return new Content(staged, verdict, entry);
  }

  /** The entries from which these facts follow. */
  Stream<JournalEntry> entries() {
    return Stream.of(
            Optional.of(staged), Optional.ofNullable(verdict), Optional.ofNullable(exclusion))
        .flatMap(Optional::stream);
  }
}
