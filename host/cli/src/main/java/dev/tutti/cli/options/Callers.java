package dev.tutti.cli.options;

import dev.tutti.sdk.Names;
import java.util.Locale;

/** The threads that call a measured operation. */
public enum Callers {
  /** One thread runs a request of the whole group. */
  ONE,
  /** One platform thread per rank makes that rank's blocking calls. */
  THREADS,
  /** One virtual thread per rank makes that rank's blocking calls. */
  VIRTUAL,
  /** The ranks are in several processes; one thread per rank makes that rank's blocking calls. */
  PROCESSES;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Callers fromLabel(String label) {
    for (Callers callers : asked()) {
      if (callers.label().equalsIgnoreCase(label)) {
        return callers;
      }
    }
    throw Names.unknown("kind of callers", label, asked(), Callers::label);
  }

  /** The callers that an option can request; processes are requested in another way. */
  static Callers[] asked() {
    return new Callers[] {ONE, THREADS, VIRTUAL};
  }
}
