package dev.tutti.verifier.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares the verdict on two consecutive operations with a full table of the order of both. */
class SequenceOracleTest {

  private static final int PAIRS = 2000;

  private final Map<String, Integer> seen = new HashMap<>();

  @Test
  void pairsOfOperationsAreJudgedExactly() {
    for (int seed = 0; seed < PAIRS; seed++) {
      Random random = new Random(seed);
      int ranks = 2 + random.nextInt(3);
      GroupPlan first = RandomPlans.plan(random, ranks);
      GroupPlan second = random.nextInt(3) == 0 ? first : RandomPlans.plan(random, ranks);
      check("seed " + seed, first, second, seed % 2 == 0);
    }
    assertThat(seen.keySet())
        .contains("race true", "race false", "lost true", "lost false", "chain true");
  }

  private void check(String name, GroupPlan first, GroupPlan second, boolean atomicReductions) {
    FlatPlan one = FlatPlan.of(first);
    FlatPlan other = FlatPlan.of(second);
    Findings own = new Findings();
    OrderSummary a = OrderCheck.check(one, atomicReductions, own);
    OrderSummary b = OrderCheck.check(other, atomicReductions, own);
    if (!isRight(own)) {
      return;
    }
    Findings findings = new Findings();
    SequenceCheck.check(one, a, other, b, findings);
    Oracle oracle = new Oracle(FlatPlan.of(GroupPlan.sequence("both", List.of(first, second))));
    String what =
        name + ": " + findings.toList() + " in " + first.ranks() + " then " + second.ranks();

    Set<List<ActionRef>> races = races(oracle, atomicReductions);
    assertThat(findings.has(Rule.SEQUENCE_RACE)).as(what).isEqualTo(!races.isEmpty());
    assertThat(findings.has(Rule.SEQUENCE_NOTIFY)).as(what).isEqualTo(isLost(oracle));
    for (Finding finding : findings.toList()) {
      if (finding.rule() == Rule.SEQUENCE_RACE && !finding.actions().isEmpty()) {
        assertThat(races).as(what).contains(finding.actions());
      }
    }
    seen.merge("race " + !races.isEmpty(), 1, Integer::sum);
    seen.merge("lost " + isLost(oracle), 1, Integer::sum);
  }

  private static boolean isRight(Findings findings) {
    return !findings.has(Rule.DEADLOCK)
        && !findings.has(Rule.LOST_NOTIFY)
        && !findings.has(Rule.STOLEN_NOTIFY)
        && !findings.has(Rule.LEFT_OVER_NOTIFY);
  }

  private static int part(Oracle oracle, Oracle.Event at) {
    return oracle.plan.streams().get(at.stream()).part(at.event());
  }

  private static ActionRef ref(Oracle oracle, Oracle.Event at) {
    return oracle.plan.streams().get(at.stream()).ref(at.event());
  }

  private Set<List<ActionRef>> races(Oracle oracle, boolean atomicReductions) {
    Set<List<ActionRef>> races = new HashSet<>();
    List<Oracle.Access> accesses = oracle.accesses();
    for (Oracle.Access one : accesses) {
      TransportMemType type = FlatPlan.memoryType(one.memory());
      if (type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT) {
        continue;
      }
      for (Oracle.Access other : accesses) {
        if (part(oracle, one.at()) == 0
            && part(oracle, other.at()) == 1
            && Oracle.conflict(one, other, atomicReductions)) {
          boolean isOrdered = oracle.isBefore(one.at(), other.at());
          if (!isOrdered) {
            races.add(List.of(ref(oracle, one.at()), ref(oracle, other.at())));
          }
          seen.merge("chain " + isOrdered, 1, Integer::sum);
        }
      }
    }
    return races;
  }

  /** The same notify of a link in all operations: awaiting rank, posting rank, index. */
  private static List<Integer> notify(FlatStream code, int event, boolean isPost) {
    RankPlan plan = code.plan(event);
    int action = code.action(event);
    int link = plan.link(action);
    if (link == RankPlan.NO_LINK) {
      return List.of(code.rank(), plan.notify(action));
    }
    int peer = plan.linkPeer(link);
    return isPost
        ? List.of(peer, code.rank(), plan.notify(action))
        : List.of(code.rank(), peer, plan.notify(action));
  }

  /** Whether some post of the second operation can come before an await of that notify. */
  private static boolean isLost(Oracle oracle) {
    Map<List<Integer>, List<Oracle.Event>> awaits = new HashMap<>();
    List<Oracle.Event> posts = new ArrayList<>();
    for (Oracle.Event at : oracle.events) {
      FlatStream code = oracle.plan.streams().get(at.stream());
      int sync = code.sync(at.event());
      if (!code.isAction(at.event()) || sync < 0) {
        continue;
      }
      if (code.part(at.event()) == 0 && FlatStream.isAwait(sync)) {
        awaits.computeIfAbsent(notify(code, at.event(), false), n -> new ArrayList<>()).add(at);
      } else if (code.part(at.event()) == 1 && FlatStream.isPost(sync)) {
        posts.add(at);
      }
    }
    return posts.stream()
        .anyMatch(
            post ->
                awaits
                    .getOrDefault(
                        notify(oracle.plan.streams().get(post.stream()), post.event(), true),
                        List.of())
                    .stream()
                    .anyMatch(await -> !oracle.isBefore(await, post)));
  }
}
