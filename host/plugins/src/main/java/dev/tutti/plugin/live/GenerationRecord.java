package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.Decision;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records and reports which versions will serve, before they do. Guarded by the lock of its owner.
 */
final class GenerationRecord {

  private final PluginStore store;
  private final GenerationManager generations;
  private final News news;

  GenerationRecord(PluginStore store, GenerationManager generations, News news) {
    this.store = store;
    this.generations = generations;
    this.news = news;
  }

  /** Records that a plugin begins or continues to serve with the version chosen for it, if any. */
  void goesOn(Decision decision) {
    Decision.Choice choice = decision.choice().orElse(null);
    if (choice == null) {
      return;
    }
    PluginFacts facts = store.state().plugin(decision.plugin());
    Optional<PluginFacts.Served> before = facts.serving();
    if (before.filter(it -> it.sha256().equals(choice.sha256())).isPresent()) {
      stays(decision, choice, before.get());
      return;
    }
    store.record(
        new PluginEvent.Serving(
            decision.plugin(),
            choice.version(),
            choice.sha256(),
            choice.file(),
            before.map(PluginFacts.Served::sha256).orElse(null)));
    news.tell(
        Sentence.of(
            "%s %s (%s) serves%s: %s",
            decision.plugin(),
            choice.version(),
            choice.file(),
            before.map(it -> " instead of " + it.version()).orElse(""),
            decision.reason()));
  }

  /** Handles the same content as before, perhaps in another file, or in a new process. */
  private void stays(Decision decision, Decision.Choice choice, PluginFacts.Served before) {
    if (!before.file().equals(choice.file())) {
      store.record(
          new PluginEvent.Serving(
              decision.plugin(),
              choice.version(),
              choice.sha256(),
              choice.file(),
              before.previous()));
    }
    Generation now = generations.serving(decision.plugin());
    if (now == null || !now.content().equals(choice.sha256())) {
      news.tell(Sentence.of("%s %s serves", decision.plugin(), choice.version()));
    }
  }

  /** Records that a plugin no longer serves. */
  void ends(PluginFacts facts, @Nullable Decision decision) {
    PluginFacts.Served served = facts.serving().orElseThrow();
    String reason = decision == null ? served.file() + " is gone" : decision.reason();
    store.record(new PluginEvent.Removed(facts.plugin(), served.sha256(), reason));
    news.tell(Sentence.of("%s %s no longer serves: %s", facts.plugin(), served.version(), reason));
  }
}
