package dev.tutti.plugin.live;

import dev.tutti.sdk.CollAlgorithm;

/** Has a method for a thread that does not end by itself; needs the capability for threads. */
@CollAlgorithm(name = "pull", summary = "Brings a thread's body with it.")
public final class ThreadSample extends LiveSamples.Right {

  static void idle() {
    while (!Thread.interrupted()) {
      Thread.yield();
    }
  }
}
