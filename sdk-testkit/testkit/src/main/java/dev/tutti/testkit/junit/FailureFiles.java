package dev.tutti.testkit.junit;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.simulator.Trace;
import dev.tutti.simulator.page.HtmlPage;
import dev.tutti.verifier.Illustration;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.page.FailurePage;
import dev.tutti.verifier.page.SourceFiles;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes files about a failed case: the report as text, and as a page with a drawing of the
 * plan; the plan as JSON, and a trace of its simulated run.
 */
final class FailureFiles {

  /** The most actions of a published plan, whose JSON then has some hundred megabytes. */
  private static final long MAX_ACTIONS = 1_000_000;

  /** The usual source directories of a project; tests run in the project's directory. */
  private static final List<Path> SOURCES =
      List.of(Path.of("src", "main", "java"), Path.of("src", "test", "java"));

  private FailureFiles() {}

  /**
   * Publishes the files of a failed case.
   *
   * @param report the report; null if the test failed for another reason
   * @param text the message of the failure
   * @param canBePlanned whether there is a plan to publish; false if planning does not end
   */
  static void publish(
      Publisher publisher,
      Subject subject,
      CollectiveCase c,
      @Nullable Report report,
      String text,
      boolean canBePlanned) {
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
    String said = subject.nameOf(c) + "\n" + text + "\n" + note + trace;
    publisher.publish(name + "-report.txt", "text/plain", file -> Files.writeString(file, said));
    if (report != null && !report.isClean()) {
      String page = page(subject, c, report, plan != null);
      publisher.publish(name + "-report.html", "text/html", file -> Files.writeString(file, page));
    }
    if (plan != null) {
      publishPlan(publisher, name, plan);
    }
  }

  /** The report as a page. To draw the plan, the method judges it once more without running it. */
  private static String page(Subject subject, CollectiveCase c, Report report, boolean canBeDrawn) {
    List<Illustration.Diagram> diagrams = List.of();
    if (canBeDrawn) {
      VirtualCluster cluster = VirtualCluster.builder(c).staticOnly().build();
      diagrams = cluster.illustrate(c, subject.executors()).diagrams();
    }
    HtmlPage page = new HtmlPage("Tutti: " + subject.nameOf(c));
    FailurePage failures = new FailurePage(page, new SourceFiles(SOURCES));
    failures.add(
        report.subject(),
        new Illustration(report, diagrams),
        List.of(new FailurePage.Fact("The case", c.token())));
    failures.addRules();
    return page.toString();
  }

  private static long actions(GroupPlan plan) {
    return plan.ranks().stream().mapToLong(RankPlan::actionCount).sum();
  }

  /** Publishes a simulated run on a model of this machine; returns a note if it fails, else "". */
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
  }
}
