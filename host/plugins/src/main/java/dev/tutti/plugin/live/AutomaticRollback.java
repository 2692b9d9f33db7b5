package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.TuttiException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rolls back to the previous version when the first plans or runs of a version fail, and at any
 * time when one of its plans breaks a rule. Thread-safe.
 */
final class AutomaticRollback implements Catalogues.Observer {

  private final Changes changes;
  private final PluginStore store;
  private final GenerationManager generations;
  private final Rollback rollback;
  private final Supplier<Followers> followers;
  private final News news;

  AutomaticRollback(
      Changes changes,
      PluginStore store,
      GenerationManager generations,
      Rollback rollback,
      Supplier<Followers> followers,
      News news) {
    this.changes = changes;
    this.store = store;
    this.generations = generations;
    this.rollback = rollback;
    this.followers = followers;
    this.news = news;
  }

  @Override
  public boolean planFailed(Generation generation, TuttiException failure) {
    return isReplaced(generation, TrialFailure.ofPlan(generation, failure));
  }

  @Override
  public void runFailed(Generation generation, TuttiException failure) {
    boolean _ = isReplaced(generation, TrialFailure.ofRun(generation, failure));
  }

  @Override
  public void passedOver(String what) {
    news.tell(what);
  }

  private boolean isReplaced(Generation generation, @Nullable String reason) {
    return reason != null
        && followers.get().goBack(() -> change(generation, () -> goBack(generation, reason)));
  }

  /** Rolls back if the serving content was rejected by another process. */
  void reported(String plugin, String content, String reason) {
    Generation generation = generations.serving(plugin);
    if (generation != null && generation.content().equals(content)) {
      generation.failed();
      boolean _ = change(generation, () -> goBack(generation, reason));
    }
  }

  private boolean change(Generation generation, BooleanSupplier step) {
    try {
      return changes.makeOr(false, step::getAsBoolean);
    } catch (TuttiException e) {
      news.tell(Sentence.of("%s could not be taken back: %s", generation.plugin(), e.getMessage()));
      return false;
    }
  }

  private boolean goBack(Generation generation, String reason) {
    if (generations.serving(generation.plugin()) != generation) {
      return true;
    }
    PluginFacts facts = store.state().plugin(generation.plugin());
    return facts.serving().filter(it -> rollback.take(facts, it, reason, true)).isPresent();
  }
}
