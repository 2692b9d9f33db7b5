package dev.tutti.host;

import dev.tutti.plugin.store.Steps;

/** Contexts that tell a test of each step of each change of their plugins. */
public final class SteppedContexts {

  private SteppedContexts() {}

  /** The same builder, with somebody who is told. */
  public static ContextBuilder told(ContextBuilder builder, Steps steps) {
    return builder.pluginSteps(steps);
  }
}
