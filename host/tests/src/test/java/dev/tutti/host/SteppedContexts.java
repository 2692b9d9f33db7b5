package dev.tutti.host;

import dev.tutti.plugin.store.Steps;

/** Contexts that report each step of each change of their plugins to a test. */
public final class SteppedContexts {

  private SteppedContexts() {}

  /** The same builder with a listener. */
  public static ContextBuilder told(ContextBuilder builder, Steps steps) {
    return builder.pluginSteps(steps);
  }
}
