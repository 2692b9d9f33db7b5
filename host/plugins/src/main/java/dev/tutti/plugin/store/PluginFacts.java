package dev.tutti.plugin.store;

import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Drained;
import dev.tutti.plugin.store.PluginEvent.Leaked;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Refused;
import dev.tutti.plugin.store.PluginEvent.Removed;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unloaded;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a plugin, as entries of the journal. Immutable.
 *
 * @param plugin its id; empty for all jars whose manifest could not be read
 * @param turn when the serving version changed last: {@link Serving}, {@link RolledBack}, {@link
 *     Removed} or null
 * @param pin when it was pinned, or null if it is not
 * @param contents its contents, by hash
 * @param history its last events, oldest first
 */
public record PluginFacts(
    String plugin,
    @Nullable JournalEntry turn,
    @Nullable JournalEntry pin,
    SortedMap<String, Content> contents,
    List<JournalEntry> history) {

  /** The number of events of a plugin that are kept for its history. */
  static final int HISTORY = 32;

  /**
   * The serving version.
   *
   * @param version its version
   * @param sha256 its content
   * @param file the file that it represents
   * @param previous the content to which a rollback would return, or null
   */
  public record Served(String version, String sha256, String file, @Nullable String previous) {}

  /** A plugin without known facts. */
  static PluginFacts none(String plugin) {
    return new PluginFacts(plugin, null, null, Collections.emptySortedMap(), List.of());
  }

  /** The serving version, if there is one. */
  public Optional<Served> serving() {
    if (turn != null && turn.event() instanceof Serving e) {
      return Optional.of(new Served(e.version(), e.sha256(), e.file(), e.previous()));
    }
    if (turn != null && turn.event() instanceof RolledBack e && e.to() != null) {
      return Optional.of(new Served(e.version(), e.to(), e.file(), null));
    }
    return Optional.empty();
  }

  /** The version it is pinned to, if it is. */
  public Optional<String> pinned() {
    return pin != null && pin.event() instanceof Pinned event
        ? Optional.of(event.version())
        : Optional.empty();
  }

  /** The content with a hash, if it is known. */
  public Optional<Content> content(String sha256) {
    return Optional.ofNullable(contents.get(sha256));
  }

  /** Whether a content serves, or is the one to which a rollback would return. */
  public boolean isKept(String sha256) {
    return serving()
        .filter(it -> it.sha256().equals(sha256) || sha256.equals(it.previous()))
        .isPresent();
  }

  /**
   * The facts after one more event.
   *
   * <p>The journal is shortened to {@link #entries()}, which must lead to the same facts. They do,
   * because an entry that a later event undoes is never among them without that event: contents,
   * the pin and the turn each name the entry that made them, only a new turn ends an exclusion, and
   * an exclusion of an unknown content has no effect.
   */
  PluginFacts with(JournalEntry entry) {
    PluginFacts next = new PluginFacts(plugin, turn, pin, contents, extended(entry));
    return switch (entry.event()) {
      case Staged e -> next.withContent(e.sha256(), known(e.sha256(), entry));
      case Admitted e -> next.withVerdict(e.sha256(), entry);
      case Quarantined e -> next.withVerdict(e.sha256(), entry);
      case Serving e -> next.withTurn(entry).withExclusion(e.sha256(), null);
      case RolledBack e -> {
        PluginFacts turned = next.withTurn(entry).withExclusion(e.from(), entry);
        yield e.to() == null ? turned : turned.withExclusion(e.to(), null);
      }
      case Removed _ -> next.withTurn(entry);
      case Pinned _ -> new PluginFacts(plugin, turn, entry, contents, next.history);
      case Unpinned _ -> new PluginFacts(plugin, turn, null, contents, next.history);
      case Discarded e -> next.withContent(e.sha256(), null);
      case Drained _, Unloaded _, Leaked _, Refused _ -> next;
    };
  }

  private Content known(String sha256, JournalEntry entry) {
    return content(sha256).orElseGet(() -> new Content(entry, null, null));
  }

  private PluginFacts withVerdict(String sha256, JournalEntry entry) {
    return content(sha256)
        .map(content -> withContent(sha256, content.withVerdict(entry)))
        .orElse(this);
  }

  private PluginFacts withExclusion(String sha256, @Nullable JournalEntry entry) {
    return content(sha256)
        .map(content -> withContent(sha256, content.withExclusion(entry)))
        .orElse(this);
  }

  private PluginFacts withTurn(JournalEntry entry) {
    return new PluginFacts(plugin, entry, pin, contents, history);
  }

  private PluginFacts withContent(String sha256, @Nullable Content content) {
    SortedMap<String, Content> next = new TreeMap<>(contents);
    if (content == null) {
      next.remove(sha256);
    } else {
      next.put(sha256, content);
    }
    return new PluginFacts(plugin, turn, pin, Collections.unmodifiableSortedMap(next), history);
  }

  private List<JournalEntry> extended(JournalEntry entry) {
    List<JournalEntry> next = new ArrayList<>(history);
    next.add(entry);
    return List.copyOf(next.subList(Math.max(0, next.size() - HISTORY), next.size()));
  }

  /** The entries from which all these facts follow. */
  SortedSet<JournalEntry> entries() {
    NavigableSet<JournalEntry> entries = new TreeSet<>(history);
    contents.values().stream().flatMap(Content::entries).forEach(entries::add);
    Optional.ofNullable(turn).ifPresent(entries::add);
    Optional.ofNullable(pin).ifPresent(entries::add);
    return entries;
  }
}
