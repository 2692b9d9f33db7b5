package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Scans the plugins directory, regularly or on request, and makes changes. Thread-safe. */
final class DirectoryScanner implements AutoCloseable {

  /** The longest time that a rescan waits for files that are being written. */
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

  /** The smallest number of scans in a rescan while files are being written. */
  private static final int LEAST_LOOKS = 5;

  private final Changes changes;
  private final PluginsDirectory directory;
  private final Trust trust;
  private final JarStaging staging;
  private final Reconciler reconciler;
  private final UnloadReporter unloadReporter;
  private final News news;
  private final Clock clock;
  private final DirectoryWatch watch;
  private volatile @Nullable String problem;

  DirectoryScanner(
      Changes changes,
      PluginsDirectory directory,
      Trust trust,
      JarStaging staging,
      Reconciler reconciler,
      UnloadReporter unloadReporter,
      News news,
      Clock clock) {
    this.changes = changes;
    this.directory = directory;
    this.trust = trust;
    this.staging = staging;
    this.reconciler = reconciler;
    this.unloadReporter = unloadReporter;
    this.news = news;
    this.clock = clock;
    this.watch = new DirectoryWatch(directory.path(), this::lookAgain, clock);
  }

  /** Starts to scan regularly. */
  void start() {
    watch.start();
  }

  /**
   * Checks that the directory can be read, before a host serves from it.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it cannot
   */
  void requireDirectory() {
    String absent = directory.problem();
    if (absent != null) {
      throw new TuttiException(ErrorCode.PLUGIN_UNREADABLE, "%s", absent);
    }
  }

  /**
   * Scans all files, including those that were refused before.
   *
   * @return the changes, and the jars that are still quarantined
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if there is no directory
   */
  List<String> rescan() {
    Known known =
        changes.make(
            () -> {
              staging.forgetRefused();
              return new Known(news.count(), reconciler.quarantine().contents(reconciler.jars()));
            });
    lookUntil(() -> false);
    String present = problem;
    if (present != null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, "%s; the host keeps what it serves", present);
    }
    List<String> sentences = new ArrayList<>(news.changesSince(known.news()));
    sentences.addAll(
        changes.make(
            () -> reconciler.quarantine().stillOf(known.quarantined(), reconciler.jars())));
    return sentences;
  }

  /**
   * The state when a rescan began.
   *
   * @param news the number of reported sentences
   * @param quarantined the contents that were reported as quarantined
   */
  private record Known(long news, Set<String> quarantined) {}

  /**
   * Scans until all files are stable, or a condition holds. A scan of many new jars may take longer
   * than the limit, so a few more follow in any case.
   */
  void lookUntil(BooleanSupplier isDone) {
    long end = clock.nanoTime() + SETTLE_LIMIT.toNanos();
    for (int looks = 1; !look() && !isDone.getAsBoolean(); looks++) {
      if (looks >= LEAST_LOOKS && clock.nanoTime() - end > 0) {
        return;
      }
      pause();
    }
  }

  private void pause() {
    try {
      clock.sleep(DirectoryWatch.UNSETTLED_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Scans the directory once, and makes the changes; returns whether all files were stable. */
  boolean look() {
    return changes.makeOr(
        true,
        () -> {
          boolean isSettled = trust.look();
          PluginsDirectory.Look look = directory.look();
          tellOf(look.problem());
          if (look.problem() != null) {
            reconciler.turnIfTrustChanged();
            return isSettled;
          }
          JarStaging.Contents contents = staging.take(look);
          reconciler.turn(contents);
          reconciler.sweep();
          return isSettled && contents.isSettled();
        });
  }

  private void tellOf(@Nullable String present) {
    if (!Objects.equals(problem, present)) {
      problem = present;
      news.tell(
          present == null
              ? "the plugins directory is back"
              : present + "; the host keeps what it serves");
    }
  }

  /** One scan for the watch, which reports errors instead of throwing them. */
  private boolean lookAgain() {
    try {
      return look();
    } catch (TuttiException e) {
      news.tell("the plugins directory could not be followed: " + e.getMessage());
      return true;
    } catch (RuntimeException | Error e) {
      // The thread is interrupted if the host is being closed. Otherwise the watch must continue.
      if (!Thread.currentThread().isInterrupted()) {
        news.tell("internal error in the watch of plugins, please report it: " + e);
      }
      return true;
    } finally {
      unloadReporter.tell();
    }
  }

  /** Ends the scans. */
  @Override
  public void close() {
    watch.close();
  }
}
