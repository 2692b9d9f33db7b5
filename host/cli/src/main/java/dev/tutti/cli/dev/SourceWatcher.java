package dev.tutti.cli.dev;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the files of a project change. Every event leads to a scan of all files. So lost
 * events do no harm, editors may save in any way, and a file with a new time but the same content
 * is not a change. Thread-safe.
 */
final class SourceWatcher implements AutoCloseable {

  private static final List<WatchEvent.Kind<?>> KINDS =
      List.of(
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_DELETE,
          StandardWatchEventKinds.ENTRY_MODIFY);

  /** One save causes several events, with at most this time between two of them. */
  private static final long PAUSE_MILLIS = 30;

  /** If events never pause, a scan follows after this time. */
  private static final long LONGEST_SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path root;
  private final WatchService service;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasChanged = lock.newCondition();
  private Save latest;
  private @Nullable TuttiException problem;
  private volatile boolean isStopped;

  /**
   * A state of the project.
   *
   * @param files the files
   * @param nanos when the save was noticed, or the command began, by the clock
   * @param isSave whether it is a save; otherwise it is the state when the command began
   */
  record Save(ProjectFiles files, long nanos, boolean isSave) {}

  private SourceWatcher(Path root, WatchService service, Clock clock) {
    this.root = root;
    this.service = service;
    this.clock = clock;
    watchDirectories();
    latest = new Save(ProjectFiles.read(root), clock.nanoTime(), false);
  }

  /**
   * Watches a project until it is closed.
   *
   * @param root the directory of the project
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it cannot be watched
   */
  static SourceWatcher open(Path root, Clock clock) {
    WatchService service;
    try {
      service = root.getFileSystem().newWatchService();
    } catch (IOException e) {
      throw unwatchable(root, e);
    }
    try {
      SourceWatcher watcher = new SourceWatcher(root, service, clock);
      Thread.ofPlatform().daemon().name("tutti-watch").start(watcher::watch);
      return watcher;
    } catch (RuntimeException | Error e) {
      close(service);
      throw e;
    }
  }

  private static TuttiException unwatchable(Path root, IOException e) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE,
        e,
        "%s cannot be watched (%s); on Linux, raise fs.inotify.max_user_instances or"
            + " fs.inotify.max_user_watches if the message names a limit",
        root.toAbsolutePath().normalize(),
        e.getMessage());
  }

  /** Watches all directories, including new ones; watching one again has no effect. */
  private void watchDirectories() {
    try {
      for (Path parent : ProjectFiles.parents(root)) {
        watch(parent);
      }
      for (Path tree : ProjectFiles.trees(root)) {
        Files.walkFileTree(
            tree,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes all)
                  throws IOException {
                watch(directory);
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException e) {
                // It is gone, or this user may not read it; the next build reports that.
                return FileVisitResult.CONTINUE;
              }
            });
      }
    } catch (IOException e) {
      throw unwatchable(root, e);
    }
  }

  private void watch(Path directory) throws IOException {
    try {
      WatchKey _ = directory.register(service, KINDS.toArray(WatchEvent.Kind<?>[]::new));
    } catch (NoSuchFileException | NotDirectoryException e) {
      // If it ever appears, it does so in a directory that is watched.
    }
  }

  private void watch() {
    try {
      while (true) {
        WatchKey first = service.take();
        long nanos = clock.nanoTime();
        awaitPause(first, nanos);
        watchDirectories();
        publish(new Save(ProjectFiles.read(root), nanos, true));
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      stop();
    } catch (TuttiException e) {
      fail(e);
    } catch (UncheckedIOException e) {
      fail(unwatchable(root, new IOException(e)));
    }
  }

  private void awaitPause(WatchKey first, long start) throws InterruptedException {
    @Nullable WatchKey key = first;
    while (key != null) {
      key.pollEvents();
      boolean _ = key.reset();
      if (clock.nanoTime() - start > LONGEST_SAVE_NANOS) {
        return;
      }
      key = service.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Makes a state the latest one, if its files differ from those of the latest. */
  void publish(Save save) {
    lock.lock();
    try {
      if (!save.files().equals(latest.files())) {
        latest = save;
        hasChanged.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void fail(TuttiException e) {
    lock.lock();
    try {
      problem = e;
    } finally {
      lock.unlock();
    }
    stop();
  }

  /** The latest state. */
  Save latest() {
    lock.lock();
    try {
      return latest;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a state is no longer the latest one, or watching has ended. */
  boolean isOutdated(Save save) {
    return isStopped || !latest().equals(save);
  }

  /**
   * Waits for a state other than {@code known}. An interrupt ends the wait as {@link #stop} does.
   *
   * @return the state; null if watching has ended
   * @throws TuttiException if the project can no longer be watched
   */
  @Nullable Save awaitNext(Save known) {
    lock.lock();
    try {
      while (latest.equals(known) && !isStopped) {
        hasChanged.await();
      }
      if (problem != null) {
        throw problem;
      }
      return isStopped ? null : latest;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits. */
  void stop() {
    isStopped = true;
    lock.lock();
    try {
      hasChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stop();
    close(service);
  }

  private static void close(WatchService service) {
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
