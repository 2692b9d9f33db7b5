package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.verifier.PlanVerifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Joined plans do the same as separate ones in a row, with no more order than necessary. */
class CompositionTest {

  private static final int CASES = 150;
  private static final EngineConfig EAGER_WORKERS =
      new EngineConfig(3, 1_000, 20_000, 0, Long.MAX_VALUE);

  private static Composite join(CompositionCase work) {
    return Composite.of("joined", work.composition);
  }

  @Test
  void joinedPlansGiveTheBitsOfSinglePlans() {
    try (Engine engine = new Engine(EAGER_WORKERS)) {
      for (long seed = 0; seed < CASES; seed++) {
        try (CompositionCase work = new CompositionCase(seed)) {
          Composite composite = join(work);
          for (CompileOptions.Mode mode : CompileOptions.Mode.values()) {
            CompileOptions options = CompileOptions.defaults().withMode(mode);
            Binding binding = work.bind(engine, composite, options);
            for (int round = 0; round < 3; round++) {
              work.fill(round);
              work.runEach(engine);
              work.run(binding);
              assertThat(work.mismatch())
                  .as("seed %d, %s, round %d, %s", seed, mode, round, composite.orders())
                  .isEqualTo(-1);
            }
          }
        }
      }
    }
  }

  @Test
  void processesThatSendEachOtherMessagesGiveTheBitsOfSinglePlans() {
    try (Engine engine = new Engine(EAGER_WORKERS)) {
      for (long seed = 0; seed < CASES; seed++) {
        try (CompositionCase work = new CompositionCase(seed)) {
          Composite composite = join(work);
          List<int[]> splits = RandomNetwork.splits(work.ranks);
          for (int round = 0; round < 4; round++) {
            int[] split = splits.get((int) (seed * 7 + round * 13) % splits.size());
            work.fill(round);
            work.runEach(engine);
            work.runByMessages(engine, composite, split, seed + round);
            assertThat(work.mismatch())
                .as("seed %d, round %d, processes of ranks %s", seed, round, Arrays.toString(split))
                .isEqualTo(-1);
          }
        }
      }
    }
  }

  @Test
  void theOrderThatIsAddedIsEnoughAndAllOfItIsNeeded() {
    int added = 0;
    int colored = 0;
    for (long seed = 0; seed < CASES; seed++) {
      try (CompositionCase work = new CompositionCase(seed)) {
        Composite composite = join(work);
        added += composite.orders().isEmpty() ? 0 : 1;
        colored += composite.colors() > 1 ? 1 : 0;
        assertThat(PlanVerifier.verifyOrder(composite.plan())).as("seed %d", seed).isEmpty();
        for (PartOrder order : composite.orders()) {
          assertThat(PlanVerifier.verifyOrder(without(composite, order)))
              .as("seed %d without %s", seed, order)
              .isNotEmpty();
        }
      }
    }
    assertThat(added).as("cases with an order").isBetween(CASES / 4, CASES - 1);
    assertThat(colored).as("cases with several colors").isPositive();
  }

  private static GroupPlan without(Composite composite, PartOrder dropped) {
    List<PartOrder> left = new ArrayList<>(composite.orders());
    left.remove(dropped);
    return GroupPlan.sequence("less", composite.parts(), left);
  }
}
