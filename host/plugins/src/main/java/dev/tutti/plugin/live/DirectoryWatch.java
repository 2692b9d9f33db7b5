package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Scans a directory when the system reports a change, and every second in any case: not every file
 * system reports changes, and none reports that the directory was replaced by another one.
 */
final class DirectoryWatch implements AutoCloseable {

  /** The time after which a file that is being written is checked again. */
  static final long UNSETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time during which events are collected. */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path directory;
  private final BooleanSupplier look;
  private final Clock clock;
  private final Thread thread;
  private volatile boolean isClosed;
  private @Nullable WatchService generations;
  private @Nullable Object watched;

  /**
   * Makes a watch that is not started.
   *
   * @param look scans the directory, and returns whether all files were stable
   * @param clock the clock of the pauses between scans
   */
  DirectoryWatch(Path directory, BooleanSupplier look, Clock clock) {
    this.clock = clock;
    this.directory = directory;
    this.look = look;
    this.thread = Thread.ofPlatform().daemon().name("tutti-plugins").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    long wait = UNSETTLED_NANOS;
    while (!isClosed) {
      try {
        await(wait);
      } catch (InterruptedException e) {
        return;
      }
      if (!isClosed) {
        long start = clock.nanoTime();
        wait = look.getAsBoolean() ? IDLE_NANOS : UNSETTLED_NANOS;
        rest(clock.nanoTime() - start);
      }
    }
  }

  /**
   * A program that writes into the directory all the time must not keep a core busy: a long scan is
   * followed by an equally long pause.
   */
  private void rest(long tookNanos) {
    clock.park(this, Math.min(tookNanos, IDLE_NANOS));
  }

  /** Waits for a change, at most for a time. */
  private void await(long nanos) throws InterruptedException {
    WatchService present = present();
    if (present == null || nanos == UNSETTLED_NANOS) {
      clock.sleep(nanos);
      return;
    }
    try {
      WatchKey key = present.poll(nanos, TimeUnit.NANOSECONDS);
      if (key != null) {
        // More events may follow immediately, and a file is used only when it is stable anyway.
        clock.sleep(QUIET_NANOS);
        key.pollEvents();
        if (!key.reset()) {
          forget();
        }
      }
    } catch (ClosedWatchServiceException e) {
      forget();
    }
  }

  /** The system's watch on the directory that is at the path now; null if there is none. */
  private @Nullable WatchService present() {
    try {
      Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      if (generations == null || !Objects.equals(key, watched)) {
        forget();
        WatchService fresh = directory.getFileSystem().newWatchService();
        generations = fresh;
        watched = key;
        directory.register(
            fresh,
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_MODIFY,
            StandardWatchEventKinds.ENTRY_DELETE);
      }
      return generations;
    } catch (IOException | UnsupportedOperationException e) {
      // The scan every second needs no watch.
      forget();
      return null;
    }
  }

  private void forget() {
    WatchService old = generations;
    generations = null;
    if (old != null) {
      try {
        old.close();
      } catch (IOException e) {
        // The watch is no longer used.
      }
    }
  }

  /** Ends the watch, and waits for the current scan unless this is called from it. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    if (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
      boolean wasInterrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    forget();
  }
}
