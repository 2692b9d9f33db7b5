package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.gate.PluginText;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One round of questions to the executors of an operation. */
final class Inquiry implements PlanningGuard.Job<Planned> {

  private final String subject;
  private final List<RankTask> tasks;
  private final Supplier<Declared> declared;
  private final boolean mayRefuse;
  private final PlanRecorder recorder;
  private final int workers;

  /** The planning thread writes these, perhaps even after the caller has stopped waiting for it. */
  private final Queue<Finding> findings = new ConcurrentLinkedQueue<>();

  private volatile String doing = "planning";

  Inquiry(
      String subject,
      List<RankTask> tasks,
      Supplier<Declared> declared,
      boolean mayRefuse,
      PlanRecorder recorder,
      int workers) {
    this.subject = subject;
    this.tasks = tasks;
    this.declared = declared;
    this.mayRefuse = mayRefuse;
    this.recorder = recorder;
    this.workers = workers;
  }

  @Override
  public String doing() {
    return doing + " for " + subject;
  }

  /** The findings so far; none are added once the call must end. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }

  /**
   * Notes the current question. If the call must end, keeps the earlier one, so that the finding
   * names it.
   */
  private void does(String next) {
    if (!Gate.isEnding()) {
      doing = next;
    }
  }

  private void add(Finding finding) {
    // A failure that the interrupt causes is not a finding.
    if (!Gate.isEnding()) {
      findings.add(finding);
    }
  }

  private void add(Rule rule, String message) {
    add(new Finding(rule, message));
  }

  @Override
  public Planned run() {
    List<@Nullable Support> answers = supports();
    if (answers.isEmpty() || !isUniform(answers)) {
      return Planned.REFUSED;
    }
    for (Support answer : answers) {
      if (answer != null && !answer.isSupported()) {
        if (!mayRefuse) {
          add(Rule.REFUSED, "nothing was checked: " + PluginText.cut(answer.reason()));
        }
        return Planned.REFUSED;
      }
    }
    return plan();
  }

  // ---- supports

  /**
   * Each rank's answer, null for ranks that take no part. If a rank fails, adds a finding and
   * returns an empty list.
   */
  private List<@Nullable Support> supports() {
    List<@Nullable Support> answers = new ArrayList<>();
    for (int rank = 0; rank < tasks.size(); rank++) {
      Supplier<@Nullable Support> question = tasks.get(rank).supports();
      Support answer = question == null ? null : ask(rank, question);
      if (question != null && answer == null) {
        return List.of();
      }
      answers.add(answer);
    }
    // In reverse order, to reveal answers that depend on earlier questions.
    for (int rank = tasks.size() - 1; rank >= 0; rank--) {
      Supplier<@Nullable Support> question = tasks.get(rank).supports();
      if (question == null) {
        continue;
      }
      Support again = ask(rank, question);
      if (again == null) {
        return List.of();
      }
      Support first = answers.get(rank);
      if (first != null && !again.equals(first)) {
        add(
            Rule.NOT_PURE,
            "supports of rank %d answers differently each time: %s, then %s"
                .formatted(rank, text(first), text(again)));
      }
    }
    return answers;
  }

  private @Nullable Support ask(int rank, Supplier<@Nullable Support> question) {
    does("supports of rank " + rank);
    Support answer;
    try {
      answer = question.get();
    } catch (Throwable e) {
      add(PlanningGuard.thrown(e, doing));
      return null;
    }
    if (answer == null) {
      add(
          Rule.PLANNING_FAILED,
          doing + " returned null; return Support.yes(), or Support.no with a reason");
    }
    return answer;
  }

  /** Whether all ranks answer alike; adds a finding if not. */
  private boolean isUniform(List<@Nullable Support> answers) {
    int first = -1;
    for (int rank = 0; rank < answers.size(); rank++) {
      Support answer = answers.get(rank);
      Support firstAnswer = first < 0 ? null : answers.get(first);
      if (answer != null && firstAnswer == null) {
        first = rank;
      } else if (answer != null
          && firstAnswer != null
          && answer.isSupported() != firstAnswer.isSupported()) {
        add(
            Rule.SUPPORTS_DIFFERS,
            "supports must be the same on every rank. Actual: rank %d says %s, rank %d says %s"
                .formatted(first, text(firstAnswer), rank, text(answer)));
        return false;
      }
    }
    return true;
  }

  private static String text(Support support) {
    return support.isSupported() ? "yes" : "no (" + PluginText.cut(support.reason()) + ")";
  }

  // ---- plans

  /** Records the plan twice and compares the recordings; adds a finding if planning fails. */
  private Planned plan() {
    List<RankProgram> programs = tasks.stream().map(RankTask::program).toList();
    GroupPlan plan = null;
    try (Work work = Work.begin("planning", 3)) {
      does("calcResRequest");
      GroupRecording recording = recorder.prepare(subject, programs);
      work.step();
      does("orchestrate");
      plan = recording.plan();
      work.step();
      does("planning once more");
      Purity.difference(plan, recording, workers).ifPresent(this::add);
      return new Planned(true, plan, recording, declared());
    } catch (TuttiException e) {
      RuntimeException copy = PluginFailure.of(e);
      Finding finding =
          plan == null
              ? new Finding(Rule.of(e.code()), String.valueOf(copy.getMessage()))
              : new Finding(
                  Rule.NOT_PURE, "planned once, but not when asked again: " + copy.getMessage());
      add(finding.withExplanation(StackLines.ofCause(copy)));
    } catch (Throwable e) {
      add(PlanningGuard.thrown(e, doing));
    }
    return Planned.FAILED;
  }

  /**
   * What the executors declare. If that fails, adds a finding and returns {@link Declared#NOTHING}.
   */
  private Declared declared() {
    does("cost or determinism");
    try {
      return declared.get();
    } catch (Throwable e) {
      add(PlanningGuard.thrown(e, doing));
      return Declared.NOTHING;
    }
  }
}
