package dev.tutti.verifier.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Findings;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Asks many questions about one plan, so that kept waves are reused. */
class ReachTest {

  private static final int PLANS = 200;
  private static final int QUESTIONS = 400;

  @Test
  void questionsThatShareAnEventGetTheSameAnswersAsThoseThatDoNot() {
    int yes = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      FlatPlan plan = FlatPlan.of(RandomPlans.plan(seed));
      Oracle oracle = new Oracle(plan);
      Reach reach = new Reach(plan, PostAwaitPairs.of(plan));
      Random random = new Random(seed);
      Oracle.Event one = any(oracle, random);
      Oracle.Event other = any(oracle, random);
      for (int i = 0; i < QUESTIONS; i++) {
        if (random.nextInt(3) > 0) {
          one = any(oracle, random);
        } else {
          other = any(oracle, random);
        }
        if (oracle.isPairingSure()) {
          boolean isBefore =
              reach.isBefore(one.stream(), one.event(), other.stream(), other.event());
          assertThat(isBefore)
              .as("seed %d, %s before %s", seed, one, other)
              .isEqualTo(oracle.isBefore(one, other));
          yes += isBefore ? 1 : 0;
        }
      }
    }
    assertThat(yes).isBetween(PLANS * QUESTIONS / 20, PLANS * QUESTIONS * 3 / 4);
  }

  @Test
  void theLastEventHeardOfAndTheFirstThatHearsAreExact() {
    for (int seed = 0; seed < PLANS; seed++) {
      FlatPlan plan = FlatPlan.of(RandomPlans.plan(seed));
      Oracle oracle = new Oracle(plan);
      Reach reach = new Reach(plan, PostAwaitPairs.of(plan));
      Random random = new Random(seed);
      for (int i = 0; i < QUESTIONS / 10 && oracle.isPairingSure(); i++) {
        Oracle.Event at = any(oracle, random);
        int stream = random.nextInt(plan.streams().size());
        int last =
            oracle.events.stream()
                .filter(e -> e.stream() == stream && oracle.isBefore(e, at))
                .mapToInt(Oracle.Event::event)
                .max()
                .orElse(-1);
        int first =
            oracle.events.stream()
                .filter(e -> e.stream() == stream && oracle.isBefore(at, e))
                .mapToInt(Oracle.Event::event)
                .min()
                .orElse(-1);
        assertThat(reach.firstAfter(stream, at.stream(), at.event())).isEqualTo(first);
        // The begin of a call happens before its slave streams, but sends them no signal.
        if (last != 0 || !plan.streams().get(stream).isMain()) {
          assertThat(reach.lastBefore(stream, at.stream(), at.event())).isEqualTo(last);
        }
      }
    }
  }

  @Test
  void questionsAcrossTwoOperationsThatShareAnEventGetTheSameAnswers() {
    int yes = 0;
    int no = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      Random random = new Random(seed);
      int ranks = 2 + random.nextInt(3);
      GroupPlan first = RandomPlans.plan(random, ranks);
      GroupPlan second = RandomPlans.plan(random, ranks);
      FlatPlan one = FlatPlan.of(first);
      FlatPlan other = FlatPlan.of(second);
      Oracle both = new Oracle(FlatPlan.of(GroupPlan.sequence("both", List.of(first, second))));
      if (!both.isPairingSure() || !both.isComplete) {
        continue;
      }
      BoundaryOrder boundary =
          new BoundaryOrder(
              OrderCheck.check(one, false, new Findings()).facts(),
              OrderCheck.check(other, false, new Findings()).facts());
      List<Oracle.Event> befores = actions(both, 0);
      List<Oracle.Event> afters = actions(both, 1);
      if (befores.isEmpty() || afters.isEmpty()) {
        continue;
      }
      Oracle.Event before = befores.getFirst();
      Oracle.Event after = afters.getFirst();
      for (int i = 0; i < QUESTIONS / 4; i++) {
        if (random.nextBoolean()) {
          before = befores.get(random.nextInt(befores.size()));
        } else {
          after = afters.get(random.nextInt(afters.size()));
        }
        int[] from = own(one, both, before);
        int[] to = own(other, both, after);
        boolean isOrdered = boundary.isOrdered(from[0], from[1], to[0], to[1]);
        assertThat(isOrdered)
            .as("seed %d, %s before %s", seed, before, after)
            .isEqualTo(both.isBefore(before, after));
        yes += isOrdered ? 1 : 0;
        no += isOrdered ? 0 : 1;
      }
    }
    assertThat(Math.min(yes, no)).isGreaterThan(PLANS);
  }

  private static Oracle.Event any(Oracle oracle, Random random) {
    return oracle.events.get(random.nextInt(oracle.events.size()));
  }

  /** The events of a sequence that are actions of one of its operations. */
  private static List<Oracle.Event> actions(Oracle both, int part) {
    return both.events.stream()
        .filter(
            e ->
                both.plan.streams().get(e.stream()).isAction(e.event())
                    && both.plan.streams().get(e.stream()).part(e.event()) == part)
        .toList();
  }

  /** The stream and event of a single operation for an action in the sequence. */
  private static int[] own(FlatPlan plan, Oracle both, Oracle.Event at) {
    var code = both.plan.streams().get(at.stream());
    for (int stream = 0; stream < plan.streams().size(); stream++) {
      var own = plan.streams().get(stream);
      for (int event = 0; event < own.size(); event++) {
        if (own.isAction(event)
            && own.plan(event) == code.plan(at.event())
            && own.action(event) == code.action(at.event())) {
          return new int[] {stream, event};
        }
      }
    }
    throw new IllegalStateException("no such action");
  }
}
