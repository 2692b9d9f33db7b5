package dev.tutti.verifier.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares the judgement of many random plans with a full table of their order. */
class OrderOracleTest {

  private static final int PLANS = 2000;

  private final Map<String, Integer> seen = new HashMap<>();

  private void seen(String what, boolean is) {
    seen.merge(what + " " + is, 1, Integer::sum);
  }

  @Test
  void singleOperationsAreJudgedExactly() {
    for (int seed = 0; seed < PLANS; seed++) {
      check("seed " + seed, RandomPlans.plan(seed), seed % 2 == 0);
    }
    assertThat(seen.keySet())
        .contains("stuck true", "lost true", "lost false", "unsure true", "race true", "race false")
        .contains("outside true", "outside false", "joined true", "joined false", "deep true")
        .contains("race through others true");
  }

  @Test
  void operationsOfNestedPlansAreJudgedExactly() {
    for (int seed = 0; seed < PLANS / 4; seed++) {
      Random random = new Random(seed);
      int ranks = 2 + random.nextInt(2);
      List<GroupPlan> parts = new ArrayList<>();
      for (int part = 0; part < 1 + random.nextInt(3); part++) {
        parts.add(RandomPlans.plan(random, ranks));
      }
      GroupPlan plan = GroupPlan.sequence("outer", parts);
      if (random.nextBoolean()) {
        plan = GroupPlan.sequence("outermost", List.of(plan, RandomPlans.plan(random, ranks)));
      }
      check("nested, seed " + seed, plan, seed % 2 == 0);
    }
    assertThat(seen.keySet()).contains("race true", "race false", "lost true", "lost false");
  }

  /** Gives every action a separate line, so that no two findings are merged. */
  private static FlatPlan flat(GroupPlan plan) {
    IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    return FlatPlan.of(
        plan,
        (own, action) ->
            "P%d.p(P.java:%d)"
                .formatted(numbers.computeIfAbsent(own, p -> numbers.size()), action));
  }

  private void check(String name, GroupPlan plan, boolean atomicReductions) {
    FlatPlan flat = flat(plan);
    Oracle oracle = new Oracle(flat);
    Findings findings = new Findings();
    OrderSummary summary = OrderCheck.check(flat, atomicReductions, findings);
    String what = name + ": " + findings.toList() + " in " + plan.ranks();

    if (!oracle.isPairingSure()) {
      assertThat(findings.toList()).as(what).extracting(f -> f.rule().family()).contains("SYN");
      seen("unsure", true);
      return;
    }
    assertThat(summary.isComplete()).as(what).isEqualTo(oracle.isComplete);
    assertThat(findings.has(Rule.DEADLOCK)).as(what).isEqualTo(!oracle.isComplete);
    seen("stuck", !oracle.isComplete);
    if (oracle.isComplete) {
      checkSignals(what, oracle, findings, summary);
    }
    checkRaces(what, oracle, findings, atomicReductions);
    checkCalls(what, oracle, findings);
  }

  private void checkSignals(String what, Oracle oracle, Findings findings, OrderSummary summary) {
    assertThat(findings.has(Rule.LOST_NOTIFY)).as(what).isEqualTo(oracle.isLost(1));
    assertThat(findings.has(Rule.STOLEN_NOTIFY)).as(what).isEqualTo(oracle.isStolen());
    assertThat(findings.has(Rule.LEFT_OVER_NOTIFY)).as(what).isEqualTo(oracle.hasLeftOver());
    seen("lost", oracle.isLost(1));
    seen("stolen", oracle.isStolen());
    if (!oracle.isStolen() && !oracle.hasLeftOver()) {
      int depth = 1;
      while (oracle.isLost(depth)) {
        depth++;
      }
      assertThat(summary.notifyDepth()).as(what).isEqualTo(depth);
      seen("deep", depth > 2);
    }
  }

  /** The events in the order in which the checker sees them. */
  private static Map<List<Integer>, Integer> walked(FlatPlan plan) {
    Map<List<Integer>, Integer> times = new HashMap<>();
    new Walk(plan, (stream, event) -> times.put(List.of(stream, event), times.size())).run();
    return times;
  }

  private void checkRaces(String what, Oracle oracle, Findings findings, boolean atomicReductions) {
    Map<List<Integer>, Integer> times = walked(oracle.plan);
    Set<List<Object>> racing = new HashSet<>();
    Set<List<Object>> later = new HashSet<>();
    List<Oracle.Access> accesses = oracle.accesses();
    for (Oracle.Access one : accesses) {
      for (Oracle.Access other : accesses) {
        if (time(times, one) < time(times, other)
            && Oracle.conflict(one, other, atomicReductions)
            && !oracle.isBefore(one.at(), other.at())
            && !oracle.isBefore(other.at(), one.at())) {
          ActionRef first = ref(oracle.plan, one.at());
          ActionRef second = ref(oracle.plan, other.at());
          racing.add(List.of(first, second));
          later.add(List.of(second));
        }
      }
    }
    Set<List<Object>> reported = new HashSet<>();
    Set<List<Object>> reportedLater = new HashSet<>();
    boolean isAll = true;
    for (Finding finding : findings.toList()) {
      if (finding.rule() == Rule.RACE && finding.actions().isEmpty()) {
        isAll = false;
      } else if (finding.rule() == Rule.RACE) {
        reported.add(List.copyOf(finding.actions()));
        reportedLater.add(List.of(finding.actions().getLast()));
      }
    }
    assertThat(findings.has(Rule.RACE)).as(what).isEqualTo(!racing.isEmpty());
    assertThat(racing).as(what).containsAll(reported);
    if (isAll) {
      assertThat(reportedLater).as(what).isEqualTo(later);
    }
    seen("race", !racing.isEmpty());
    seen("race through others", !isAll || reported.size() < racing.size());
  }

  private static int time(Map<List<Integer>, Integer> times, Oracle.Access access) {
    return times.get(List.of(access.at().stream(), access.at().event()));
  }

  private static ActionRef ref(FlatPlan plan, Oracle.Event at) {
    return plan.streams().get(at.stream()).ref(at.event());
  }

  private void checkCalls(String what, Oracle oracle, Findings findings) {
    FlatPlan plan = oracle.plan;
    Set<List<Object>> outside = new HashSet<>();
    boolean isJoined = true;
    for (int stream = 0; stream < plan.streams().size(); stream++) {
      FlatStream code = plan.streams().get(stream);
      isJoined &= code.isMain() || FlatStream.isAwait(code.sync(0));
      int main = plan.mainStream(code.rank());
      int last = plan.streams().get(main).size() - 1;
      if (oracle.events.stream().anyMatch(e -> e.stream() == main && e.event() == last)) {
        isJoined &=
            oracle.events.stream()
                .anyMatch(
                    e ->
                        e.stream() == code(plan, code)
                            && e.event() == code.size() - 1
                            && oracle.isBefore(e, oracle.event(main, last)));
      }
    }
    for (Oracle.Access access : oracle.accesses()) {
      int owner = FlatPlan.memoryRank(access.memory());
      TransportMemType type = FlatPlan.memoryType(access.memory());
      boolean isParam =
          type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT;
      if (!isParam || owner == plan.streams().get(access.at().stream()).rank()) {
        continue;
      }
      int main = plan.mainStream(owner);
      FlatStream border = plan.streams().get(main);
      if (!oracle.isBefore(oracle.event(main, 0), access.at())) {
        outside.add(List.of(border.ref(0), ref(plan, access.at())));
      }
      int last = border.size() - 1;
      if (oracle.events.stream().anyMatch(e -> e.stream() == main && e.event() == last)
          && !oracle.isBeforeEnd(access.at(), owner)) {
        outside.add(List.of(ref(plan, access.at()), border.ref(last)));
      }
    }
    checkOutside(what, outside, findings);
    assertThat(findings.has(Rule.NOT_JOINED)).as(what).isEqualTo(!isJoined);
    seen("joined", isJoined);
  }

  private void checkOutside(String what, Set<List<Object>> outside, Findings findings) {
    Set<List<Object>> reported = new HashSet<>();
    boolean isAll = true;
    for (Finding finding : findings.toList()) {
      if (finding.rule() == Rule.OUTSIDE_CALL && finding.actions().isEmpty()) {
        isAll = false;
      } else if (finding.rule() == Rule.OUTSIDE_CALL) {
        reported.add(List.copyOf(finding.actions()));
      }
    }
    assertThat(outside).as(what).containsAll(reported);
    if (isAll) {
      assertThat(reported).as(what).isEqualTo(outside);
    }
    seen("outside", !outside.isEmpty());
  }

  private static int code(FlatPlan plan, FlatStream code) {
    return plan.streams().indexOf(code);
  }
}
