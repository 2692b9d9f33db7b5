package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** Which threads call a measured operation. */
public enum Callers {
  /** One thread runs a request of the whole group. */
  ONE,
  /** One platform thread per rank makes that rank's blocking calls. */
  THREADS,
  /** One virtual thread per rank makes that rank's blocking calls. */
  VIRTUAL,
  /** The main thread of a process per rank makes that rank's blocking calls. */
  PROCESSES;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Callers fromLabel(String label) {
    // Processes are asked for in another way.
    Callers[] known = {ONE, THREADS, VIRTUAL};
    for (Callers callers : known) {
      if (callers.label().equalsIgnoreCase(label)) {
        return callers;
      }
    }
    throw Names.unknown("kind of callers", label, known, Callers::label);
  }
}
