package dev.tutti.host;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One run of a request, for the flight recorder. */
@Name("dev.tutti.Run")
@Label("Collective Run")
@Category("Tutti")
@StackTrace(false)
final class RunEvent extends Event {

  @Label("Call")
  String call = "";

  @Label("Algorithm")
  String algorithm = "";

  @Label("Version")
  String version = "";

  @Label("Ranks")
  int ranks;
}
