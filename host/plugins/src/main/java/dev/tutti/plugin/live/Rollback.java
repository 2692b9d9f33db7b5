package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;

/** Rolls back from a version to the previous one. Guarded by the lock of its callers. */
final class Rollback {

  private final PluginStore store;
  private final Reconciler reconciler;
  private final News news;

  Rollback(PluginStore store, Reconciler reconciler, News news) {
    this.store = store;
    this.reconciler = reconciler;
    this.news = news;
  }

  /** Makes the previous version serve; false if there is none that may serve. */
  boolean take(PluginFacts facts, PluginFacts.Served served, String reason, boolean isAutomatic) {
    String previous = served.previous();
    Content before = previous == null ? null : facts.contents().get(previous);
    if (previous == null || before == null || !reconciler.mayServe(before)) {
      return false;
    }
    PluginJfr.Revert event = new PluginJfr.Revert();
    event.isAutomatic = isAutomatic;
    event.reason = reason;
    store.record(
        new PluginEvent.RolledBack(
            facts.plugin(),
            served.sha256(),
            previous,
            before.version(),
            fileOf(previous, served.file()),
            reason,
            isAutomatic));
    news.tell(
        Sentence.of(
            "%s goes back from %s to %s: %s",
            facts.plugin(), served.version(), before.version(), reason));
    reconciler.turn();
    event.commit(facts.plugin(), before.version(), previous);
    return true;
  }

  private String fileOf(String sha256, String otherwise) {
    return reconciler.jars().stream()
        .filter(jar -> jar.sha256().equals(sha256))
        .map(PresentJar::file)
        .findFirst()
        .orElse(otherwise);
  }
}
