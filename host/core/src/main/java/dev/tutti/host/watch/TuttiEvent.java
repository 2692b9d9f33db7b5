package dev.tutti.host.watch;

import dev.tutti.host.status.RunFacts;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The fields of all events of operations and their phases. */
@Category({"Tutti", "Operations"})
@StackTrace(false)
public abstract class TuttiEvent extends Event {

  @Label("Group")
  @Description("The number of the group in its context, from 1")
  long group;

  @Label("Operation")
  String operation = "";

  @Label("Call")
  @Description("The operation with its numbers")
  String call = "";

  @Label("Data Type")
  String dataType = "";

  @Label("Bytes")
  @Description("The size of the message of one rank")
  @DataAmount
  long bytes;

  @Label("Ranks")
  @Description("The ranks of the group")
  int ranks;

  @Label("Algorithm")
  String algorithm = "";

  @Label("Plugin")
  String plugin = "";

  @Label("Version")
  @Description("The version of the plugin")
  String version = "";

  @Label("Outcome")
  @Description("'done', or the code of the error")
  String outcome = "done";

  TuttiEvent() {}

  /** Fills the event in and commits it. */
  void commit(RunFacts facts, String howItEnded) {
    group = facts.group();
    operation = facts.operation();
    call = facts.call();
    dataType = facts.dataType();
    bytes = facts.bytes();
    ranks = facts.ranks();
    algorithm = facts.algorithm();
    plugin = facts.plugin();
    version = facts.version();
    outcome = howItEnded;
    commit();
  }
}
