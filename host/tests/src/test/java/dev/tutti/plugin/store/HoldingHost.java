package dev.tutti.plugin.store;

import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Path;

/** A host that opens a state directory, says how that went, and holds it until its input ends. */
final class HoldingHost {

  private HoldingHost() {}

  public static void main(String[] arguments) throws IOException {
    try (StateDirectory state = StateDirectory.open(Path.of(arguments[0]))) {
      System.out.println("holds " + state.path());
      System.in.transferTo(System.err);
    } catch (TuttiException e) {
      System.out.println(e.getMessage());
    }
  }
}
