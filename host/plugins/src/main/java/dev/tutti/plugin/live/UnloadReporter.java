package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.function.Consumer;

/** Records and reports the end of versions that no longer serve. Thread-safe. */
final class UnloadReporter implements GenerationManager.Listener {

  private final Consumer<PluginEvent> journal;
  private final UnloadWatch unloading;
  private final News news;

  UnloadReporter(Consumer<PluginEvent> journal, UnloadWatch unloading, News news) {
    this.journal = journal;
    this.unloading = unloading;
    this.news = news;
  }

  @Override
  public void drained(Generation generation, Duration took) {
    PluginJfr.drained(generation, took);
    news.tellAfterwards(
        Sentence.of("%s has no callers any more (%d ms)", generation, took.toMillis()));
    record(new PluginEvent.Drained(generation.plugin(), generation.content(), took.toMillis(), 0));
  }

  @Override
  public void stuck(Generation generation, String who) {
    news.tellAfterwards(Sentence.of("%s is still in use by %s", generation, who));
  }

  /** The number of closed plugins that are not collected. */
  int waiting() {
    return unloading.waiting();
  }

  /**
   * Reports which closed plugins are collected and which are not, and requests a garbage collection
   * when one is due. One caller at a time, so that nothing is reported twice.
   */
  synchronized void tell() {
    if (unloading.isCollectionDue()) {
      System.gc();
    }
    for (UnloadWatch.Outcome outcome : unloading.poll()) {
      PluginJfr.unloaded(outcome);
      if (outcome.isCollected()) {
        record(new PluginEvent.Unloaded(outcome.plugin(), outcome.content()));
        news.tellAfterwards(Sentence.of("%s %s is unloaded", outcome.plugin(), outcome.version()));
      } else {
        record(new PluginEvent.Leaked(outcome.plugin(), outcome.content(), outcome.suspects()));
        // After the record, so that a thread that sees the mark finds the reason.
        unloading.markReported(outcome);
        news.tellAfterwards(
            Sentence.of(
                "%s %s is closed, but its classes are still held: %s",
                outcome.plugin(), outcome.version(), String.join("; ", outcome.suspects())));
      }
    }
  }

  private void record(PluginEvent event) {
    try {
      journal.accept(event);
    } catch (TuttiException e) {
      news.tell(String.valueOf(e.getMessage()));
    }
  }
}
