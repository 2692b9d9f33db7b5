package dev.tutti.verifier;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.dynamic.DataOptions;
import dev.tutti.verifier.dynamic.DataRuns;
import dev.tutti.verifier.dynamic.FaultRuns;
import dev.tutti.verifier.explain.SpaceTimeDiagram;
import dev.tutti.verifier.explain.StepTable;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.Declared;
import dev.tutti.verifier.planning.Planned;
import dev.tutti.verifier.planning.Planner;
import dev.tutti.verifier.planning.RankTask;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.rule.Severity;
import dev.tutti.verifier.symbol.SymbolResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks one operation, or several sizes of it, and collects all findings. */
final class ClusterCheck {

  /** The families of rules about the order of actions. */
  private static final Set<String> ORDER = Set.of("SYN", "MEM", "SEQ");

  private final CommInfo comm;
  private final String subject;
  private final CheckSettings settings;
  private final Planner planner;
  private final Findings findings = new Findings();

  /** The causes found so far: a finding about one variant is not repeated for the other. */
  private final Set<String> reported = new HashSet<>();

  /** The contents of the outputs for each size, to compare sizes with each other. */
  private final List<SymbolResult> sizes = new ArrayList<>();

  /** Drawings of the plans that break a rule; null if they are not wanted. */
  private @Nullable List<Illustration.Diagram> diagrams;

  /** Whether planning has broken a limit, and would break it again. */
  private boolean brokeLimit;

  private int planCount;
  private int runCount;
  private int notifyDepth;

  ClusterCheck(CommInfo comm, String subject, CheckSettings settings, Planner planner) {
    this.comm = comm;
    this.subject = subject;
    this.settings = settings;
    this.planner = planner;
  }

  /** From now on, also draws the plans that break a rule. */
  ClusterCheck drawing() {
    diagrams = new ArrayList<>();
    return this;
  }

  /** The findings in all cases that were added, with the drawings. */
  Illustration illustration() {
    return new Illustration(report(), diagrams == null ? List.of() : diagrams);
  }

  /**
   * Checks the parts of all ranks; if the settings want both ways, in place and out of place.
   *
   * @param c the case that the parts belong to, if there is one
   * @param parts one for each rank; null for a rank that takes no part
   */
  void add(@Nullable CollectiveCase c, List<@Nullable Part<?>> parts) {
    try (Work work = Work.begin("checking", settings.bothWays() ? 2 : 1)) {
      checkVariant(c, parts, false);
      work.step();
      if (settings.bothWays() && !brokeLimit) {
        checkOtherVariant(c, parts);
      }
    }
  }

  private void checkOtherVariant(@Nullable CollectiveCase c, List<@Nullable Part<?>> parts) {
    List<@Nullable Part<?>> other = new ArrayList<>();
    for (Part<?> part : parts) {
      other.add(part == null ? null : part.inPlace(!part.param().inPlace()));
    }
    if (!other.equals(parts)) {
      checkVariant(c == null ? null : c.withInPlace(!c.inPlace()), other, true);
    }
  }

  /** The findings in all cases that were added. */
  Report report() {
    for (int size = 1; size < sizes.size(); size++) {
      sizes.getFirst().compareSizes(sizes.get(size), findings);
    }
    return Report.of(subject, findings, settings, planCount, runCount, notifyDepth);
  }

  private void checkVariant(
      @Nullable CollectiveCase c, List<@Nullable Part<?>> parts, boolean mayRefuse) {
    try (Work work = Work.begin("", 3)) {
      checkVariant(c, parts, mayRefuse, work);
    }
  }

  /** Checks one variant in three steps: its planning, its plan, and its runs. */
  private void checkVariant(
      @Nullable CollectiveCase c, List<@Nullable Part<?>> parts, boolean mayRefuse, Work work) {
    List<RankTask> tasks = new ArrayList<>();
    for (int rank = 0; rank < parts.size(); rank++) {
      Part<?> part = parts.get(rank);
      tasks.add(part == null ? RankTask.idle(comm.withRank(rank)) : part.task());
    }
    Planned planned = planner.plan(subject, tasks, () -> declared(parts), mayRefuse, findings);
    work.step();
    GroupPlan plan = planned.plan();
    if (isComparable(planned)) {
      compare(c, plan);
    }
    if (plan == null) {
      brokeLimit |= findings.toList().stream().anyMatch(ClusterCheck::isBreachOfLimit);
      return;
    }
    planCount++;
    Findings judged = new Findings();
    FlatPlan flat = null;
    try {
      flat = FlatPlan.of(plan, planner.sources(planned), settings.workers());
      judge(flat, parts, planned.declared(), judged, work);
    } catch (TuttiException e) {
      judged.add(Rule.of(e.code()), String.valueOf(e.getMessage()));
    }
    List<Finding> added = addNew(plan, judged);
    List<Finding> drawn = SpaceTimeDiagram.drawable(added);
    if (flat != null && diagrams != null && !drawn.isEmpty()) {
      diagrams.add(new Illustration.Diagram(drawn, SpaceTimeDiagram.of(flat, drawn)));
    }
  }

  /**
   * Adds the findings that the plan of an earlier variant did not have; returns those that are
   * errors or warnings.
   */
  private List<Finding> addNew(GroupPlan plan, Findings judged) {
    List<Finding> added = new ArrayList<>();
    String manner = plan.inPlace() ? " [in place]" : "";
    Set<String> earlier = Set.copyOf(reported);
    for (Finding finding : judged.toList()) {
      reported.add(cause(finding));
      if (!earlier.contains(cause(finding))) {
        Finding named =
            new Finding(
                finding.rule(),
                finding.message().contains(manner) ? finding.message() : finding.message() + manner,
                finding.actions(),
                finding.explanation());
        findings.add(named);
        if (finding.rule().severity() != Severity.NOTE) {
          added.add(named);
        }
      }
    }
    return added;
  }

  /**
   * False if the executor is known to be impure, or if planning failed for another reason than a
   * refusal.
   */
  private boolean isComparable(Planned planned) {
    return (planned.plan() != null || !planned.isSupported())
        && findings.toList().stream()
            .noneMatch(
                each ->
                    each.rule() == Rule.NOT_PURE
                        || (planned.plan() == null && each.rule() != Rule.REFUSED));
  }

  /** Compares a plan, or a refusal, with the answers of other processes to the same case. */
  private void compare(@Nullable CollectiveCase c, @Nullable GroupPlan plan) {
    RemotePlans remotePlans = settings.remotePlans();
    if (c != null && remotePlans != null) {
      remotePlans.compare(c, plan).ifPresent(findings::add);
    }
  }

  /**
   * The key of a finding: findings with equal keys have one cause. If the order of actions is
   * wrong, the same lines are wrong in place and out of place, though memories have different
   * names. So the lines are the key. Contents may differ between the two, so the message is the key
   * of any other finding.
   */
  private static String cause(Finding finding) {
    boolean isOrder = ORDER.contains(finding.rule().family());
    boolean hasLines =
        !finding.actions().isEmpty()
            && finding.actions().stream().noneMatch(ClusterCheck::lacksLine);
    return isOrder && hasLines
        ? finding.rule()
            + finding.actions().stream()
                .map(action -> action.rank() + "/" + action.stream() + action.source())
                .toList()
                .toString()
        : finding.rule() + finding.message();
  }

  /**
   * Whether the source of an action is unknown. An event that is not an action of the author has no
   * line, so it does not count.
   */
  private static boolean lacksLine(ActionRef action) {
    return action.action() >= 0 && action.source().equals("?");
  }

  private static boolean isBreachOfLimit(Finding finding) {
    return finding.rule() == Rule.PLANNING_TOO_LONG || finding.rule() == Rule.PLANNING_TOO_LARGE;
  }

  private void judge(
      FlatPlan flat, List<@Nullable Part<?>> parts, Declared said, Findings judged, Work work) {
    List<@Nullable OpParam> params = new ArrayList<>();
    parts.forEach(part -> params.add(part == null ? null : part.param()));
    Determinism declared = said.determinism();
    StaticCheck.Outcome outcome =
        new StaticCheck(flat, params, declared, said.cost(), settings.atomicReductions())
            .run(settings.workers(), judged);
    notifyDepth = Math.max(notifyDepth, outcome.order().notifyDepth());
    SymbolResult symbols = outcome.symbols();
    if (symbols != null && declared == Determinism.SAME_SIZES) {
      sizes.add(symbols);
    }
    keepWanted(judged);
    addTables(flat, judged);
    work.step();
    if (!outcome.order().isComplete()) {
      return;
    }
    DataOptions options =
        DataOptions.of(settings.schedules(), settings.seed(), declared)
            .withStressRuns(settings.stressRuns())
            .withSpecials(settings.hasSpecials())
            .withAtomicReductions(settings.atomicReductions());
    runCount += new DataRuns(flat, params, options, judged).run();
    // A plan that is clean under SYN and MEM should obey the FLT rules. For any other plan, the
    // cause is already reported.
    if (settings.faults() > 0 && !isOrderBroken(judged)) {
      FaultRuns faults = new FaultRuns(flat, params, settings.seed(), judged);
      boolean isRight = settings.hasAllRules() && !hasError(judged);
      runCount +=
          (isRight ? faults.runRight(settings.faults()) : faults.run(settings.faults())).runs();
    }
  }

  /** A rule that is not selected must not silence one that is. */
  private void keepWanted(Findings judged) {
    Findings wanted = new Findings();
    judged.toList().stream()
        .filter(finding -> settings.rules().contains(finding.rule()))
        .forEach(wanted::add);
    judged.replaceBy(wanted);
  }

  private static boolean hasError(Findings judged) {
    return judged.toList().stream()
        .anyMatch(finding -> finding.rule().severity() == Severity.ERROR);
  }

  private static boolean isOrderBroken(Findings judged) {
    return judged.toList().stream()
        .anyMatch(finding -> Set.of("SYN", "MEM").contains(finding.rule().family()));
  }

  /** Asks all executors that take part for their declarations. */
  private static Declared declared(List<@Nullable Part<?>> parts) {
    return new Declared(
        determinism(parts), Objects.requireNonNull(cost(parts), "cost, which must not be null"));
  }

  private static Determinism determinism(List<@Nullable Part<?>> parts) {
    return parts.stream()
        .filter(Objects::nonNull)
        .map(part -> Objects.requireNonNull(part.executor().determinism(), "determinism"))
        .min(Determinism::compareTo)
        .orElse(Determinism.NONE);
  }

  /** The declared cost of the operation; for a transfer, the side that costs more. */
  private static Optional<Cost> cost(List<@Nullable Part<?>> parts) {
    List<Part<?>> active = new ArrayList<>();
    parts.stream().filter(Objects::nonNull).forEach(active::add);
    List<OpParam> params = new ArrayList<>();
    active.forEach(part -> params.add(part.param()));
    if (active.size() == parts.size() && isOneOperation(params)) {
      return active.getFirst().groupCost(params);
    }
    return active.stream()
        .map(Part::cost)
        .reduce((one, other) -> one.flatMap(cost -> other.map(cost::max)))
        .orElse(Optional.empty());
  }

  private static boolean isOneOperation(List<OpParam> params) {
    return params.stream().map(OpParam::operation).distinct().count() == 1;
  }

  /** Adds a table to the first error of each rule: the steps of the ranks, side by side. */
  private static void addTables(FlatPlan flat, Findings judged) {
    Set<Rule> shown = EnumSet.noneOf(Rule.class);
    Findings told = new Findings();
    for (Finding finding : judged.toList()) {
      boolean isShown =
          !finding.actions().isEmpty()
              && finding.rule().severity() == Severity.ERROR
              && shown.add(finding.rule());
      told.add(isShown ? withTable(flat, finding) : finding);
    }
    judged.replaceBy(told);
  }

  private static Finding withTable(FlatPlan flat, Finding finding) {
    String table = StepTable.of(flat, finding.actions());
    String explanation = finding.explanation().stripTrailing();
    return finding.withExplanation(explanation.isEmpty() ? table : explanation + "\n" + table);
  }
}
