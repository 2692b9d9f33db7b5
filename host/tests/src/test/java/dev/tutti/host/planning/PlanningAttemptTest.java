package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate.Origin;
import dev.tutti.host.pool.rules.Profile;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.pool.rules.Series;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PlanningAttemptTest {

  private static final CollectiveCall CALL =
      CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 1024);

  /** Copies its input a number of times, and declares any cost. */
  private static final class Copying extends CollExecutorBase<AllReduceParam> {
    private final int copies;
    private final double declared;
    private final AtomicInteger recorded = new AtomicInteger();

    Copying(int copies, double declared) {
      this.copies = copies;
      this.declared = declared;
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      recorded.incrementAndGet();
      if (copies == 0) {
        throw new IllegalStateException("no idea how");
      }
      for (int i = 0; i < copies; i++) {
        resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
      }
    }

    @Override
    public Optional<Cost> cost(AllReduceParam param) {
      return Optional.of(new Cost(declared, 0, 0));
    }
  }

  private final Copying cheap = new Copying(1, 9);
  private final Copying dear = new Copying(5, 1);
  private final ContextBuilder builder =
      Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);

  private static List<Origin> origins(Choice choice) {
    return choice.candidates().stream().map(each -> each.estimate().origin()).toList();
  }

  @Test
  void whatThePlanCostsCountsMoreThanWhatTheAlgorithmDeclares() {
    try (Context context = builder.open();
        Group group = context.createGroup(4)) {
      Choice choice = group.request(CALL).explain();
      Candidate best = choice.best();
      assertThat(best.algorithm().name()).isEqualTo("cheap");
      assertThat(best.estimate().actions()).isEqualTo(4);
      assertThat(best.estimate().bytes()).isEqualTo(4 * 2 * 4096);
      assertThat(best.estimate().workers()).isEqualTo(1);
      assertThat(origins(choice)).containsExactly(Origin.PLAN, Origin.PLAN);
      assertThat(choice.toString())
          .matches(
              "(?s)allreduce of 4096 bytes on 4 ranks, graph, direct\n"
                  + "  -> embedded:cheap: \\d+\\.\\d\\d µs by its plan \\(4 actions, 32768 bytes, 1"
                  + " worker\\)\n.*");
    }
  }

  @Test
  void theWinnersPlanIsNotRecordedAgain() {
    try (Context context = builder.open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).plan().actionCount()).isEqualTo(4);
      assertThat(cheap.recorded).hasValue(4);
      assertThat(dear.recorded).hasValue(4);
    }
  }

  @Test
  void aNamedAlgorithmAloneIsRecorded() {
    try (Context context = builder.open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).algorithm("dear").plan().actionCount()).isEqualTo(20);
      assertThat(cheap.recorded).hasValue(0);
      assertThat(group.request(CALL).algorithm("dear").explain().best().estimate().origin())
          .isEqualTo(Origin.PLAN);
    }
  }

  @Test
  void equalPlansGoByDeclaredCost() {
    try (Context context = builder.algorithm("same", new Copying(1, 8)).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("same");
    }
  }

  @Test
  void veryManyRanksAreComparedByDeclaredCost() {
    try (Context context = builder.open();
        Group group = context.createGroup(PlanComparison.MAX_RANKS + 1)) {
      Choice choice = group.request(CALL).explain();
      assertThat(choice.chosen().name()).isEqualTo("dear");
      assertThat(origins(choice)).containsExactly(Origin.FORMULA, Origin.FORMULA);
      assertThat(choice.toString())
          .contains("dear: 0.20 µs by its formula (the group has more than 256 ranks)");
      assertThat(cheap.recorded).hasValue(0);
    }
  }

  @Test
  void plansOfTooManyActionsComeAfterThoseThatWereCompared() {
    Copying endless = new Copying(PlanComparison.maxActions(2) + 1, 0);
    try (Context context = builder.algorithm("endless", endless).open();
        Group group = context.createGroup(2)) {
      Choice choice = group.request(CALL).explain();
      assertThat(choice.candidates())
          .extracting(each -> each.algorithm().name())
          .containsExactly("cheap", "dear", "endless");
      assertThat(origins(choice)).containsExactly(Origin.PLAN, Origin.PLAN, Origin.FORMULA);
      assertThat(choice.candidates().getLast().estimate().remark())
          .isEqualTo("its plan has more than 32768 actions of one rank");
      assertThat(group.request(CALL).algorithm("endless").plan().actionCount())
          .isEqualTo(2 * (PlanComparison.maxActions(2) + 1));
    }
  }

  @Test
  void fewRanksMayHaveMoreActionsEach() {
    assertThat(PlanComparison.maxActions(4)).isEqualTo(16_384);
    assertThat(PlanComparison.maxActions(16)).isEqualTo(4096);
    assertThat(PlanComparison.maxActions(PlanComparison.MAX_RANKS)).isEqualTo(4096);
  }

  @Test
  void anAlgorithmWhosePlanCannotBeMadeIsPassedOver() {
    try (Context context = builder.algorithm("broken", new Copying(0, 0)).open();
        Group group = context.createGroup(2)) {
      Choice choice = group.request(CALL).explain();
      assertThat(choice.chosen().name()).isEqualTo("cheap");
      assertThat(choice.candidates().getLast().reason())
          .startsWith("its plan cannot be made: ")
          .contains("no idea how");
      assertThat(group.request(CALL).plan().actionCount()).isEqualTo(2);
      Errors.message(
          ErrorCode.EXECUTOR_FAILED, () -> group.request(CALL).algorithm("broken").plan());
    }
  }

  @Test
  void theOnlyAlgorithmsFailureIsTold() {
    try (Context context = Context.builder().algorithm("broken", new Copying(0, 0)).open();
        Group group = context.createGroup(2)) {
      assertThat(Errors.message(ErrorCode.EXECUTOR_FAILED, () -> group.request(CALL).plan()))
          .contains("no idea how");
    }
  }

  @Test
  void theMachineModelDecides() {
    MachineModel free =
        new MachineModel(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(new MachineModel.Level(1, 0, 0)));
    try (Context context = builder.machine(free).open();
        Group group = context.createGroup(4)) {
      // Everything takes no time at all, so the declared cost decides.
      assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("dear");
    }
  }

  private Choice explained(String rules) {
    ContextBuilder own = Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);
    try (Context context = own.rules(Rules.parse(rules, "test")).open();
        Group group = context.createGroup(4)) {
      return group.request(CALL).explain();
    }
  }

  private static List<String> names(Choice choice) {
    return choice.candidates().stream().map(each -> each.algorithm().name()).toList();
  }

  @Test
  void aPinnedAlgorithmAloneIsTaken() {
    Choice choice = explained("pin=dear bytes=4096");
    assertThat(choice.chosen().name()).isEqualTo("dear");
    assertThat(choice.best().rule()).isEqualTo("test, rule 1 pins dear");
    assertThat(choice.candidates().getLast().reason()).isEqualTo("test, rule 1 pins dear");
    assertThat(explained("pin=dear bytes=4097..").chosen().name()).isEqualTo("cheap");
  }

  @Test
  void whatIsPreferredComesFirstAndWhatIsAvoidedLast() {
    assertThat(names(explained("prefer=dear"))).containsExactly("dear", "cheap");
    assertThat(names(explained("avoid=cheap"))).containsExactly("dear", "cheap");
    assertThat(names(explained("prefer=cheap,dear; avoid=cheap"))).containsExactly("cheap", "dear");
    assertThat(explained("prefer=dear").toString()).contains("; test, rule 1 prefers dear");
  }

  @Test
  void aPreferredAlgorithmNeedsNoComparison() {
    try (Context context = builder.rules(Rules.parse("prefer=dear", "test")).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).plan().actionCount()).isEqualTo(20);
      assertThat(cheap.recorded).hasValue(0);
    }
  }

  @Test
  void theFirstRuleOfItsKindCountsAndNoOther() {
    assertThat(explained("pin=dear; pin=cheap").chosen().name()).isEqualTo("dear");
    assertThat(explained("deny=dear; deny=cheap").chosen().name()).isEqualTo("cheap");
    assertThat(explained("pin=dear bytes=1; pin=cheap").chosen().name()).isEqualTo("cheap");
  }

  @Test
  void whatIsDeniedIsOutEvenByName() {
    try (Context context = builder.rules(Rules.parse("deny=cheap; pin=cheap", "test")).open();
        Group group = context.createGroup(4)) {
      assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> group.request(CALL).plan()))
          .contains("cheap: test, rule 1 denies cheap")
          .contains("dear: test, rule 2 pins cheap");
      Errors.message(ErrorCode.UNSUPPORTED, () -> group.request(CALL).algorithm("cheap").plan());
      assertThat(group.request(CALL).algorithm("dear").plan().actionCount()).isEqualTo(20);
    }
  }

  @Test
  void rulesSetParametersAndTheCallerMaySetOthers() {
    try (Context context =
            Context.builder()
                .algorithm("tunable", new Tunable())
                .rules(Rules.parse("pin=tunable parameters.copies=3", "test"))
                .open();
        Group group = context.createGroup(2)) {
      assertThat(group.request(CALL).plan().actionCount()).isEqualTo(6);
      assertThat(group.request(CALL).explain().best().label())
          .isEqualTo("embedded:tunable{copies=3}");
      assertThat(group.request(CALL).parameter("copies", 5).plan().actionCount()).isEqualTo(10);
    }
  }

  @Test
  void rulesThatNameNothingAreRefused() {
    assertThat(message(ErrorCode.UNKNOWN_NAME, "deny=cheep"))
        .isEqualTo(
            "test, rule 1: unknown algorithm 'cheep'; did you mean 'cheap'? (known: cheap, dear)");
    assertThat(message(ErrorCode.UNKNOWN_NAME, "pin=cheap operation=reduce"))
        .isEqualTo("test, rule 1: unknown algorithm 'cheap' (none is known)");
    assertThat(message(ErrorCode.UNKNOWN_NAME, "pin=cheap parameters.copies=3"))
        .startsWith("test, rule 1: unknown algorithm parameter 'copies'");
    assertThat(message(ErrorCode.INVALID_ARGUMENT, "pin=tunable parameters.copies=many"))
        .startsWith("test, rule 1: parameter 'copies' must be a whole number");
  }

  private String message(ErrorCode code, String rules) {
    // A builder collects rules, so each line needs its own builder.
    ContextBuilder own = Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);
    if (rules.contains("tunable")) {
      own.algorithm("tunable", new Tunable());
    }
    return Errors.message(code, () -> own.rules(Rules.parse(rules, "test")).open());
  }

  @Test
  void theEnvironmentsRulesComeAfterThoseThatSomebodyAskedFor() {
    for (String bytes : new String[] {"..1G", "..1"}) {
      ContextBuilder asked = Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);
      HostAccess.environment(asked, Map.of("TUTTI_RULES", "pin=dear"));
      asked.rules(Rules.parse("pin=cheap bytes=" + bytes, "file"));
      try (Context context = asked.open();
          Group group = context.createGroup(4)) {
        assertThat(group.request(CALL).explain().best().rule())
            .isEqualTo(
                bytes.equals("..1G") ? "file, rule 1 pins cheap" : "TUTTI_RULES, rule 1 pins dear");
      }
    }
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> open("nonsense")))
        .startsWith("TUTTI_RULES, rule 1: ");
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> open("@/does/not/exist")))
        .startsWith("the rules file /does/not/exist cannot be read");
  }

  private static Series series(String name, AlgOptions parameters, String version, double micros) {
    return series(name, parameters, version, 0, 4096L, micros);
  }

  private static Series series(
      String name, AlgOptions parameters, String version, int hopNanos, long bytes, double micros) {
    return new Series(
        Operation.ALL_REDUCE,
        4,
        false,
        "embedded:" + name,
        version,
        parameters,
        hopNanos,
        new TreeMap<>(Map.of(bytes, micros)));
  }

  private static Rules measured(Provenance where, Series... series) {
    return new Rules(List.of(), new Profile(List.of(series)), where);
  }

  /** The version that algorithms of this process have. */
  private String ownVersion() {
    try (Context context = Context.builder().algorithm("cheap", cheap).open()) {
      return context.planPool().algorithms().getFirst().version();
    }
  }

  private static Provenance here() {
    return Provenance.here(2, Map.of());
  }

  @Test
  void measuredTimesCountMoreThanPlans() {
    Rules rules =
        measured(
            here(),
            series("cheap", AlgOptions.none(), ownVersion(), 70),
            series("dear", AlgOptions.none(), ownVersion(), 50));
    try (Context context = builder.workers(2).rules(rules).open();
        Group group = context.createGroup(4);
        Group other = context.createGroup(3)) {
      Choice choice = group.request(CALL).explain();
      assertThat(context.ruleNotes()).isEmpty();
      assertThat(choice.chosen().name()).isEqualTo("dear");
      assertThat(origins(choice)).containsExactly(Origin.PROFILE, Origin.PROFILE);
      assertThat(choice.toString()).contains("dear: 50.00 µs measured");
      // There are no measurements for three ranks.
      assertThat(origins(other.request(CALL).explain())).containsExactly(Origin.PLAN, Origin.PLAN);
    }
  }

  private Series inState(int hopNanos, String name, double micros) {
    return inState(hopNanos, name, 4096L, micros);
  }

  private Series inState(int hopNanos, String name, long bytes, double micros) {
    return series(name, AlgOptions.none(), ownVersion(), hopNanos, bytes, micros);
  }

  private Choice explained(Series... series) {
    ContextBuilder own = Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);
    try (Context context = own.workers(2).rules(measured(here(), series)).open();
        Group group = context.createGroup(4)) {
      return group.request(CALL).explain();
    }
  }

  @Test
  void ofSeveralStatesOfTheMachineTheWorstOneCounts() {
    Choice choice =
        explained(
            inState(57, "cheap", 10),
            inState(57, "dear", 12),
            inState(263, "cheap", 60),
            inState(263, "dear", 40));
    // If it is not the fastest, cheap takes 50 % longer, and dear 20 %.
    assertThat(choice.chosen().name()).isEqualTo("dear");
    assertThat(choice.best().estimate().seconds())
        .isCloseTo(1.2 * Math.sqrt(10e-6 * 40e-6), within(1e-12));
    assertThat(choice.toString())
        .contains(
            "dear: 24.00 µs measured (4096 bytes at hop 57 ns: 12.00 µs, ratio 1.20; hop 263 ns:"
                + " 40.00 µs, ratio 1.00)");
  }

  /** Another size says nothing about this one, however much longer an algorithm takes there. */
  @Test
  void aStateCountsWhereItWasMeasured() {
    Choice choice =
        explained(
            inState(57, "cheap", 10),
            inState(57, "dear", 12),
            inState(263, "cheap", 8L, 5),
            inState(263, "dear", 8L, 1));
    assertThat(choice.chosen().name()).isEqualTo("cheap");
    assertThat(choice.best().estimate().seconds()).isCloseTo(10e-6, within(1e-12));
  }

  /** A time at one size does not count for another size at which others were measured. */
  @Test
  void anAlgorithmCountsOnlyWhereItWasMeasured() {
    Choice choice =
        explained(
            inState(57, "cheap", 0.01),
            inState(57, "cheap", 8L, 1),
            inState(57, "dear", 8L, 0.000001));
    assertThat(choice.chosen().name()).isEqualTo("cheap");
    assertThat(origins(choice)).containsExactlyInAnyOrder(Origin.PROFILE, Origin.PLAN);
  }

  @Test
  void aChoiceOfParametersIsACandidateOnlyWhereItWasMeasured() {
    AlgOptions two = AlgOptions.none().with("copies", 2);
    Rules rules =
        measured(
            here(),
            series("tunable", AlgOptions.none(), ownVersion(), 9),
            series("tunable", two, ownVersion(), 0, 8L, 0.001));
    try (Context context =
            Context.builder().algorithm("tunable", new Tunable()).workers(2).rules(rules).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).explain().candidates()).hasSize(1);
    }
  }

  @Test
  void whatWasNotMeasuredInAStateCountsThereAsElsewhere() {
    assertThat(
            explained(inState(57, "cheap", 11), inState(57, "dear", 10), inState(263, "dear", 40))
                .chosen()
                .name())
        .isEqualTo("dear");
    assertThat(
            explained(inState(57, "cheap", 10), inState(57, "dear", 11), inState(263, "dear", 40))
                .chosen()
                .name())
        .isEqualTo("cheap");
  }

  @Test
  void measurementsOfOtherMachinesAndVersionsAreIgnoredAndTold() {
    Provenance here = here();
    Provenance there =
        new Provenance(
            here.created(), "a slow one", here.processors(), 2, here.java(), here.spi(), Map.of());
    Series quick = series("dear", AlgOptions.none(), ownVersion(), 0.001);
    try (Context context = builder.workers(2).rules(measured(there, quick)).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("cheap");
      assertThat(context.ruleNotes())
          .singleElement()
          .asString()
          .startsWith("the measurements were made elsewhere and are ignored: processor a slow one,")
          .endsWith("run 'tutti tune' here");
    }
    ContextBuilder again = Context.builder().algorithm("cheap", cheap).algorithm("dear", dear);
    Series old = series("dear", AlgOptions.none(), "0.0.0-old", 0.001);
    try (Context context = again.workers(2).rules(measured(here, old)).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("cheap");
    }
  }

  @Test
  void measuredChoicesOfParametersAreCandidates() {
    ContextBuilder tunable = Context.builder().algorithm("tunable", new Tunable()).workers(2);
    AlgOptions two = AlgOptions.none().with("copies", 2);
    Rules rules =
        measured(
            here(),
            series("tunable", AlgOptions.none(), ownVersion(), 9),
            series("tunable", two, ownVersion(), 5));
    try (Context context = tunable.rules(rules).open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).plan().actionCount()).isEqualTo(8);
      assertThat(group.request(CALL).explain().candidates()).hasSize(2);
      assertThat(group.request(CALL).parameter("copies", 3).plan().actionCount()).isEqualTo(12);
    }
  }

  /** Copies as often as its parameter says. */
  private static final class Tunable extends CollExecutorBase<AllReduceParam> {
    private static final AlgParameter<Long> COPIES =
        AlgParameter.integer("copies", "how often it copies", 1, 1, 9);

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(COPIES);
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      for (int i = 0; i < COPIES.in(param.options()); i++) {
        resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
      }
    }
  }

  private static Context open(String rules) {
    return HostAccess.environment(Context.builder(), Map.of("TUTTI_RULES", rules)).open();
  }
}
