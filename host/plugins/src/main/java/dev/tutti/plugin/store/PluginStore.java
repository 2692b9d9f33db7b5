package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The state of a live host on disk: copies of jars, the journal, and the state that follows from
 * it. No other store can use its directory until it is closed or the process ends. Wherever a
 * process ends, the next one can open the directory. Thread-safe.
 */
public final class PluginStore implements AutoCloseable {

  private final StateDirectory directory;
  private final BlobStore blobs;
  private final Journal journal;
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private volatile PluginState state;

  private PluginStore(StateDirectory directory, InstantSource clock, Steps steps) {
    this.directory = directory;
    Path file = directory.path().resolve("journal.jsonl");
    Journal.Opened opened = Journal.open(file, clock, steps);
    journal = opened.journal();
    state = PluginState.of(opened.entries(), opened.sequence());
    notes.addAll(directory.notes());
    if (opened.tornBytes() > 0) {
      notes.add(
          Sentence.of(
              "%s ended with %d bytes of an unfinished line, which were cut off",
              file, opened.tornBytes()));
    }
    try {
      blobs = BlobStore.open(directory.path().resolve("store"), steps);
      blobs.sweep(state.contents());
    } catch (RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  /**
   * Opens the state of a host, and repairs the unfinished work of a dead process.
   *
   * @param state the state directory; made if it is missing
   * @param clock the clock of the journal's times
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if another host has it, or if it is
   *     damaged or cannot be used
   */
  public static PluginStore open(Path state, InstantSource clock) {
    return open(state, clock, Steps.NONE);
  }

  /** The same, with a listener for each step. */
  public static PluginStore open(Path state, InstantSource clock, Steps steps) {
    StateDirectory directory = StateDirectory.open(state);
    try {
      return new PluginStore(directory, clock, steps);
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  /** The state that follows from all recorded events. */
  public PluginState state() {
    return state;
  }

  /** Notes for the user about repairs, and about things that could not be done. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Copies a jar into the store. Unless its {@link PluginEvent.Staged} is recorded, the copy may be
   * deleted the next time the store is opened or swept.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if the jar cannot be read;
   *     {@link ErrorCode#PLUGIN_STATE} if the copy cannot be written
   */
  public StageResult stage(Path jar) {
    return blobs.stage(jar);
  }

  /**
   * The copy of a content, if it exists. It is read and compared with its hash, so that the
   * returned bytes are those that were checked.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if the store cannot be read
   */
  public Optional<Path> find(String sha256) {
    return blobs.find(sha256);
  }

  /** The stored signature of a content; null if there is none, or if it cannot be read. */
  public byte @Nullable [] signature(String sha256) {
    return blobs.signature(sha256);
  }

  /**
   * Stores the signature of a content beside its copy, and replaces an older one.
   *
   * @param signature the signature; null if there is none any more
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it cannot be written
   */
  public void keepSignature(String sha256, byte @Nullable [] signature) {
    blobs.keepSignature(sha256, signature);
  }

  /**
   * Records an event. When this returns, the event is on disk and in the state. After an error, it
   * is in neither.
   *
   * @return the state after it
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it cannot be written; {@link
   *     ErrorCode#INVALID_ARGUMENT} if it is about an unknown content
   */
  public synchronized PluginState record(PluginEvent event) {
    requireKnown(event);
    state = state.with(journal.append(event));
    if (journal.isLong()) {
      shorten();
    }
    return state;
  }

  /** Shortens the journal if possible; the event is recorded in any case. */
  private void shorten() {
    try {
      journal.rewrite(state.entries());
    } catch (TuttiException e) {
      notes.add(String.valueOf(e.getMessage()));
    }
  }

  /** Refuses events of unknown contents, which would be lost silently. */
  private void requireKnown(PluginEvent event) {
    Optional<String> unknown =
        subjects(event).stream()
            .filter(sha256 -> state.plugin(event.plugin()).content(sha256).isEmpty())
            .findFirst();
    if (unknown.isPresent()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "plugin '%s' has no content %s; its staging must be recorded first. Actual: %s",
          event.plugin(),
          unknown.get(),
          event);
    }
  }

  private static List<String> subjects(PluginEvent event) {
    return switch (event) {
      case Admitted e -> List.of(e.sha256());
      case Quarantined e -> List.of(e.sha256());
      case Serving e -> List.of(e.sha256());
      case RolledBack e -> e.to() == null ? List.of(e.from()) : List.of(e.from(), e.to());
      default -> List.of();
    };
  }

  /**
   * Discards the contents that are not needed: neither in use, nor serving, nor kept for a
   * rollback. First it drops the facts about them, then their copies.
   *
   * @param inUse the contents that are in the plugins directory or are still running
   * @return the discarded contents
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if the store cannot be written
   */
  public synchronized SortedSet<String> sweep(Set<String> inUse) {
    SortedSet<String> gone = new TreeSet<>();
    for (PluginFacts facts : state.plugins().values()) {
      for (String sha256 : facts.contents().keySet()) {
        if (!inUse.contains(sha256) && !facts.isKept(sha256)) {
          record(new Discarded(facts.plugin(), sha256));
          gone.add(sha256);
        }
      }
    }
    gone.removeAll(state.contents());
    gone.forEach(blobs::delete);
    return gone;
  }

  /** Closes the journal, and releases the directory for another host. */
  @Override
  public synchronized void close() {
    journal.close();
    directory.close();
  }
}
