package dev.tutti.host.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PlanPoolTest {

  private static final AllReduceParam PARAM =
      new AllReduceParam(CommInfo.of(0, Topology.flat(6)), DataType.FLOAT32, ReduceOp.SUM, 1000);

  /** Declares a number of steps as its cost, or no cost, and may refuse. */
  private static final class Declaring extends CollExecutorBase<AllReduceParam> {
    private final double steps;
    private final Support support;

    Declaring(double steps, Support support) {
      this.steps = steps;
      this.support = support;
    }

    @Override
    public Support supports(AllReduceParam param) {
      return support;
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}

    @Override
    public Optional<Cost> cost(AllReduceParam param) {
      return steps < 0 ? Optional.empty() : Optional.of(new Cost(steps, 0, 0));
    }
  }

  private static Algorithm algorithm(
      String plugin, String name, double steps, Support support, Determinism determinism) {
    return new Algorithm(
        Operation.ALL_REDUCE,
        name,
        plugin,
        "1",
        Algorithm.Description.NONE,
        determinism,
        List.of(AlgParameter.integer("radix", "children", 2, 2, 8)),
        new Declaring(steps, support));
  }

  private static Algorithm algorithm(String plugin, String name, double steps) {
    return algorithm(plugin, name, steps, Support.yes(), Determinism.SAME_RANKS);
  }

  private static PlanPool pool(Algorithm... algorithms) {
    return new PlanPool(List.of(algorithms), Duration.ofSeconds(10));
  }

  private static List<String> names(Choice choice) {
    return choice.candidates().stream().map(each -> each.algorithm().qualifiedName()).toList();
  }

  @Test
  void ofEquallyCheapOnesTheStrongerDeterminismComesFirst() {
    Choice choice =
        pool(
                algorithm("a", "loose", 1, Support.yes(), Determinism.NONE),
                algorithm("c", "strict", 1, Support.yes(), Determinism.SAME_SIZES),
                algorithm("b", "ranks", 1, Support.yes(), Determinism.SAME_RANKS),
                algorithm("d", "cheap", 0, Support.yes(), Determinism.NONE))
            .choose(PARAM, null);
    assertThat(names(choice)).containsExactly("d:cheap", "c:strict", "b:ranks", "a:loose");
  }

  @Test
  void theCheapestComesFirstThenThoseWithoutACostByName() {
    List<Algorithm> all =
        new ArrayList<>(
            List.of(
                algorithm("b", "slow", 9),
                algorithm("z", "fast", 1),
                algorithm("b", "none", -1),
                algorithm("a", "none", -1),
                algorithm("a", "slow", 9),
                algorithm(
                    "a",
                    "odd",
                    0,
                    Support.no("needs a power of two ranks. Actual: 6"),
                    Determinism.NONE)));
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(all, new Random(seed));
      Choice choice = new PlanPool(all, Duration.ofSeconds(10)).choose(PARAM, null);
      assertThat(names(choice))
          .containsExactly("z:fast", "a:slow", "b:slow", "a:none", "b:none", "a:odd");
      assertThat(choice.chosen().name()).isEqualTo("fast");
    }
  }

  @Test
  void theDecisionIsPrinted() {
    Choice choice =
        pool(
                algorithm("a", "none", -1),
                algorithm("a", "odd", 0, Support.no("needs 8 ranks"), Determinism.SAME_RANKS),
                algorithm("z", "fast", 5))
            .choose(PARAM, null);
    assertThat(choice)
        .hasToString(
            """
            allreduce of 4000 bytes on 6 ranks, graph, direct
              -> z:fast: 1.00 µs by its formula
                 a:none: declares no cost
                 a:odd: needs 8 ranks\
            """);
  }

  @Test
  void aNameIsStrict() {
    PlanPool pool =
        pool(algorithm("a", "ring", 1), algorithm("b", "ring", 1), algorithm("b", "tree", 1));
    assertThat(pool.find(Operation.ALL_REDUCE, "tree").plugin()).isEqualTo("b");
    assertThat(pool.find(Operation.ALL_REDUCE, "b:ring").plugin()).isEqualTo("b");
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_DUPLICATE, () -> pool.find(Operation.ALL_REDUCE, "ring")))
        .isEqualTo("2 plugins have an algorithm 'ring' for allreduce; ask for a:ring or b:ring");
    assertThat(
            Errors.message(ErrorCode.UNKNOWN_NAME, () -> pool.find(Operation.ALL_REDUCE, "trie")))
        .isEqualTo("unknown allreduce algorithm 'trie'; did you mean 'tree'? (known: ring, tree)");
    assertThat(
            Errors.message(ErrorCode.UNKNOWN_NAME, () -> pool.find(Operation.ALL_REDUCE, "b:rin")))
        .isEqualTo(
            "unknown allreduce algorithm 'b:rin'; did you mean 'b:ring'? (known: a:ring, b:ring,"
                + " b:tree)");
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> pool.find(Operation.SCAN, "ring")))
        .isEqualTo("unknown scan algorithm 'ring' (none is known)");
    Errors.message(ErrorCode.UNKNOWN_NAME, () -> pool.find(Operation.ALL_REDUCE, "Tree"));
  }

  @Test
  void aNamedAlgorithmThatRefusesIsNotReplaced() {
    PlanPool pool =
        pool(
            algorithm("a", "odd", 1, Support.no("needs 8 ranks"), Determinism.SAME_RANKS),
            algorithm("a", "tree", 1));
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> pool.choose(PARAM, "odd").chosen()))
        .isEqualTo(
            "no algorithm supports allreduce of 4000 bytes on 6 ranks, graph, direct: a:odd: needs"
                + " 8 ranks");
  }

  @Test
  void aPromiseThatIsTooSmallIsARejection() {
    PlanPool pool =
        pool(
            algorithm("a", "fast", 1),
            algorithm("b", "exact", 9, Support.yes(), Determinism.SAME_SIZES));
    AllReduceParam strict = PARAM.withComm(PARAM.comm().withDeterminism(Determinism.SAME_SIZES));
    assertThat(pool.choose(strict, null).chosen().name()).isEqualTo("exact");
    assertThat(pool.choose(strict, null).candidates().getLast().reason())
        .isEqualTo("promises determinism same-ranks, less than same-sizes");
  }

  @Test
  void parametersAreChecked() {
    PlanPool pool = pool(algorithm("a", "tree", 1));
    AllReduceParam wrong = PARAM.withOptions(AlgOptions.none().with("radix", 99));
    AllReduceParam unknown = PARAM.withOptions(AlgOptions.none().with("radius", 4));
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> pool.choose(wrong, "tree")))
        .isEqualTo("parameter 'radix' must be 2 to 8. Actual: 99");
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> pool.choose(unknown, "tree")))
        .startsWith("unknown algorithm parameter 'radius'; did you mean 'radix'?");
    assertThat(pool.choose(wrong, null).isPossible()).isFalse();
  }

  @Test
  void anEmptyPoolSaysSo() {
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> pool().choose(PARAM, null).chosen()))
        .isEqualTo(
            "no algorithm for allreduce of 4000 bytes on 6 ranks, graph, direct is loaded; put a"
                + " plugin that has one into the plugins directory, and name the operation if the"
                + " context loads only some");
  }
}
