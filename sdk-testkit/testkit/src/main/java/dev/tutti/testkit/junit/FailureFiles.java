package dev.tutti.testkit.junit;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanDot;
import dev.tutti.plan.PlanJson;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.simulator.Trace;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.BufferedWriter;
import java.nio.file.Files;

/**
 * Publishes what helps to understand a failed case: the report; the plan as JSON, as a drawing, and
 * as a trace of a simulated run.
 */
final class FailureFiles {

  /** The most actions of a plan that is published: its JSON then has some hundred megabytes. */
  private static final long MAX_ACTIONS = 1_000_000;

  private FailureFiles() {}

  /**
   * Publishes.
   *
   * @param report what was found
   * @param canBePlanned whether there is a plan to publish: not if planning does not end
   */
  static void publish(
      Publisher publisher, Subject subject, CollectiveCase c, String report, boolean canBePlanned) {
    String name = subject.algorithm() + "-" + c.token().replaceAll("[^a-zA-Z0-9.+]+", "-");
    GroupPlan plan = null;
    String note = canBePlanned ? "" : "\nThere is no plan: planning broke its limit.\n";
    try {
      plan = canBePlanned ? subject.record(c) : null;
      long actions = plan == null ? 0 : actions(plan);
      if (actions > MAX_ACTIONS) {
        plan = null;
        note =
            "\nThe plan has %d actions; plans of more than %d are not published.\n"
                .formatted(actions, MAX_ACTIONS);
      }
    } catch (TuttiException e) {
      note = "\nThere is no plan: " + e.getMessage() + "\n";
    }
    String trace = plan == null ? "" : publishTrace(publisher, name, plan);
    String text = subject.nameOf(c) + "\n" + report + "\n" + note + trace;
    publisher.publish(name + "-report.txt", "text/plain", file -> Files.writeString(file, text));
    if (plan != null) {
      publishPlan(publisher, name, plan);
    }
  }

  private static long actions(GroupPlan plan) {
    return plan.ranks().stream().mapToLong(RankPlan::actionCount).sum();
  }

  /** How the plan runs on a model of this machine; gives what to say if it does not. */
  private static String publishTrace(Publisher publisher, String name, GroupPlan plan) {
    Simulation simulation;
    try {
      simulation = Simulator.of(NetworkModel.machine()).run(plan);
    } catch (TuttiException e) {
      return "\nThere is no trace: " + e.getMessage() + "\n";
    }
    publisher.publish(
        name + "-trace.json",
        "application/json",
        file -> {
          try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            Trace.write(simulation, writer);
          }
        });
    return "";
  }

  private static void publishPlan(Publisher publisher, String name, GroupPlan plan) {
    publisher.publish(
        name + "-plan.json",
        "application/json",
        file -> {
          try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            PlanJson.write(plan, writer);
          }
        });
    publisher.publish(
        name + "-plan.dot",
        "text/vnd.graphviz",
        file -> {
          try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            PlanDot.write(plan, PlanDot.DEFAULT_MAX_ACTIONS, writer);
          }
        });
  }
}
