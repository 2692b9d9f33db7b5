package dev.tutti.verifier.gate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** A process with a small heap, which calls try to fill. Prints the outcome of each call. */
final class FullHeap {

  private static final List<Class<?>> HOGS =
      List.of(
          GateSamples.Chunks.class,
          GateSamples.Doubling.class,
          GateSamples.ReferenceHog.class,
          GateSamples.NearlyAll.class);

  private FullHeap() {}

  public static void main(String[] args) {
    Gate gate = Gate.of(GateLimits.of(Duration.ofMinutes(2), 1L << 40));
    for (Class<?> hog : HOGS) {
      Callable<?> woven = Woven.instance(hog, Callable.class);
      Outcome<?> outcome = gate.runUninterrupted(woven::call);
      String answer =
          switch (outcome) {
            case Outcome.Returned<?> returned -> "returned";
            case Outcome.Threw<?> threw ->
                threw.isOutOfMemory() ? "MEMORY" : threw.copy().toString();
            case Outcome.Stopped<?> stopped ->
                stopped.isLeftRunning() ? "left" : stopped.breach().kind().toString();
          };
      // Half of the heap can be allocated again.
      int room = new byte[(int) (Runtime.getRuntime().maxMemory() / 2)].length;
      System.out.println(hog.getSimpleName() + " " + answer + (room > 0 ? " free" : ""));
    }
  }
}
