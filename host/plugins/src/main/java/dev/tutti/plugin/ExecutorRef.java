package dev.tutti.plugin;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * The executor of an algorithm for as long as its plugin is loaded. Plans, requests and decisions
 * refer to the executor only through this object, so that they do not hold classes of an unloaded
 * plugin. Thread-safe.
 */
final class ExecutorRef {

  private final String algorithm;
  private volatile @Nullable CollExecutorBase<?> executor;

  ExecutorRef(String algorithm, CollExecutorBase<?> executor) {
    this.algorithm = algorithm;
    this.executor = executor;
  }

  /**
   * The executor.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_REMOVED} once the plugin is unloaded
   */
  CollExecutorBase<?> get() {
    CollExecutorBase<?> present = executor;
    if (present == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_REMOVED,
          "the plugin of algorithm %s was unloaded; look the algorithm up again",
          algorithm);
    }
    return present;
  }

  void clear() {
    executor = null;
  }
}
