package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * Goes back to the version before when the first plans or runs of a version fail, and at any time
 * when a plan of it breaks a rule. Thread-safe.
 */
final class AutomaticRollback implements Catalogues.Observer {

  private final Changes changes;
  private final PluginStore store;
  private final GenerationManager generations;
  private final Rollback rollback;
  private final News news;

  AutomaticRollback(
      Changes changes,
      PluginStore store,
      GenerationManager generations,
      Rollback rollback,
      News news) {
    this.changes = changes;
    this.store = store;
    this.generations = generations;
    this.rollback = rollback;
    this.news = news;
  }

  @Override
  public boolean planFailed(Generation generation, TuttiException failure) {
    if (failure.code() == ErrorCode.PLUGIN_REJECTED) {
      return isReplaced(generation, "one of its plans was judged wrong", failure);
    }
    return generation.isOnTrial()
        && isReplaced(generation, "one of its first plans failed", failure);
  }

  @Override
  public void runFailed(Generation generation, TuttiException failure) {
    boolean _ =
        generation.isOnTrial()
            && isReplaced(generation, "a run of one of its first plans failed", failure);
  }

  @Override
  public void passedOver(String what) {
    news.tell(what);
  }

  private boolean isReplaced(Generation generation, String what, TuttiException failure) {
    if (generation == Generation.PERMANENT) {
      return false;
    }
    String reason =
        Sentence.of(
            "%s: [%s] %s", what, failure.code().id(), Sentence.firstLine(failure.getMessage()));
    try {
      return changes.makeOr(false, () -> goBack(generation, reason));
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
