package dev.tutti.plugin.store;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * A file of entries, one per line, that only grows at its end. An entry is on disk when {@link
 * #append} returns. Now and then the file is rewritten with fewer entries: the new file is written
 * under another name, and gets the journal's name when it is on disk. Not thread-safe.
 */
final class Journal implements AutoCloseable {

  /** A journal below this size is never rewritten. */
  static final long SMALL_BYTES = 1 << 18;

  /** The largest size; no journal comes near it. */
  private static final int MOST_BYTES = 512 << 20;

  private final Path file;
  private final InstantSource clock;
  private final Steps steps;
  private RandomAccessFile out;
  private long length;
  private long sequence;
  private long longBytes;
  private boolean isBroken;

  private Journal(
      Path file, RandomAccessFile out, JournalText text, InstantSource clock, Steps steps)
      throws IOException {
    this.file = file;
    this.out = out;
    this.clock = clock;
    this.steps = steps;
    this.length = text.soundBytes();
    this.sequence = text.sequence();
    this.longBytes = Math.max(SMALL_BYTES, 2 * length);
    cut();
  }

  /**
   * The contents of a journal when it was opened.
   *
   * @param journal the journal, ready to be appended to
   * @param entries its entries
   * @param sequence the number of the last entry
   * @param tornBytes the number of bytes of an incomplete last line that were cut off
   */
  record Opened(Journal journal, List<JournalEntry> entries, long sequence, int tornBytes) {}

  /**
   * Opens a journal, or begins one.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it is damaged, of another version
   *     of the host, or cannot be read or written
   */
  static Opened open(Path file, InstantSource clock, Steps steps) {
    try {
      Files.deleteIfExists(temporary(file));
      if (!Files.exists(file)) {
        replace(file, 0, List.of(), Steps.NONE).close();
        Durable.syncName(file);
      }
      JournalText text = JournalText.read(file, BoundedFile.read(file, MOST_BYTES));
      RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw");
      try {
        Journal journal = new Journal(file, out, text, clock, steps);
        return new Opened(journal, List.copyOf(text.entries()), text.sequence(), text.tornBytes());
      } catch (IOException e) {
        out.close();
        throw e;
      }
    } catch (IOException e) {
      throw failed(file, "cannot be opened", e);
    }
  }

  /**
   * Adds an event. After an error the event is not in the journal.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it cannot be written
   */
  JournalEntry append(PluginEvent event) {
    requireSound();
    JournalEntry entry = new JournalEntry(sequence + 1, clock.instant(), event);
    byte[] line = EntryFormat.toBytes(entry);
    try {
      steps.reached(Step.APPEND_STARTED);
      out.write(line);
      steps.reached(Step.APPEND_WRITTEN);
      out.getFD().sync();
      steps.reached(Step.APPEND_SYNCED);
    } catch (IOException e) {
      takeBack(e);
      throw failed(file, "cannot be written", e);
    }
    length += line.length;
    sequence = entry.sequence();
    return entry;
  }

  /** Whether it is time to rewrite the journal with fewer entries. */
  boolean isLong() {
    return length > longBytes;
  }

  /**
   * Rewrites the journal with some of its entries. After an error, the journal is unchanged, or no
   * more entries can be appended.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it cannot be written
   */
  void rewrite(Collection<JournalEntry> kept) {
    requireSound();
    try {
      RandomAccessFile last = out;
      out = replace(file, sequence, kept, steps);
      length = out.length();
      last.close();
      isBroken = true;
      Durable.syncName(file);
      isBroken = false;
      steps.reached(Step.REWRITE_NAMED);
    } catch (IOException e) {
      throw failed(file, "cannot be shortened", e);
    } finally {
      longBytes = Math.max(SMALL_BYTES, 2 * length);
    }
  }

  /**
   * Replaces the journal by a complete new one, and returns it open, positioned at its end. After
   * an error, the old one still exists.
   */
  private static RandomAccessFile replace(
      Path file, long sequence, Collection<JournalEntry> entries, Steps steps) throws IOException {
    Path temporary = temporary(file);
    steps.reached(Step.REWRITE_STARTED);
    RandomAccessFile next = new RandomAccessFile(temporary.toFile(), "rw");
    try {
      next.setLength(0);
      next.write(new JournalHeader(sequence, entries.size()).toBytes());
      for (JournalEntry entry : entries) {
        steps.reached(Step.REWRITE_WRITING);
        next.write(EntryFormat.toBytes(entry));
      }
      next.getFD().sync();
      Durable.permit(temporary, "rw-------");
      steps.reached(Step.REWRITE_SYNCED);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      return next;
    } catch (IOException e) {
      next.close();
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }

  /** Removes a partly written line; otherwise the next line would become part of it. */
  private void takeBack(IOException failure) {
    try {
      cut();
    } catch (IOException e) {
      failure.addSuppressed(e);
      isBroken = true;
    }
  }

  private void cut() throws IOException {
    if (out.length() != length) {
      out.setLength(length);
      out.getFD().sync();
    }
    out.seek(length);
  }

  private void requireSound() {
    if (isBroken) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          "nothing more can be recorded in %s, because an earlier write failed half-way; check the"
              + " disk and restart the host",
          file);
    }
    if (!Files.exists(file)) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          "%s was deleted while the host is running; put it back or restart the host",
          file);
    }
  }

  private static TuttiException failed(Path file, String what, IOException e) {
    return new TuttiException(
        ErrorCode.PLUGIN_STATE,
        e,
        "%s %s (%s); check its disk and its permissions",
        file,
        what,
        DiskProblem.of(file, e));
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw failed(file, "cannot be closed", e);
    }
  }
}
