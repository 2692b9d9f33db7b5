package dev.tutti.plugin.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A host that follows the script until it is killed. It prints the number of each step that is
 * done, and stops for ever at the step that is named, if one is.
 */
final class CrashingHost {

  private CrashingHost() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    String stop = arguments[1];
    try (PluginStore store =
        PluginStore.open(
            directory.resolve("state"),
            () -> Instant.EPOCH,
            step -> {
              if (step.name().equals(stop)) {
                System.out.println("at " + step);
                System.in.transferTo(System.err);
              }
            })) {
      while (true) {
        CrashScript.go(store, directory);
        System.out.println(store.state().sequence());
      }
    }
  }
}
