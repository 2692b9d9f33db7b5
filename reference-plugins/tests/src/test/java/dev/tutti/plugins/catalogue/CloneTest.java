package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.PlanStructure;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.JudgedStructure;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A plan that is made from that of another count is the one that recording gives, and right for the
 * same reasons.
 */
class CloneTest {

  private static final List<String> SHAPES = List.of("1", "2", "3", "4", "7", "2+1", "4+2+3");

  /** Across all borders: none, fewer than ranks, ragged ends, and several rounds and segments. */
  private static final List<Long> COUNTS =
      List.of(0L, 1L, 2L, 3L, 5L, 8L, 64L, 100L, 101L, 1023L, 1024L, 1025L, 4096L, 9001L, 9002L);

  /** Small enough for several rounds of the longest vectors. */
  private static final long CCL_BYTES = 8 << 10;

  /** How many plans need not be judged themselves. */
  private int judged;

  static Stream<Algorithm> algorithms() {
    return Algorithm.all().stream().filter(each -> each.operation() != Operation.RECEIVE);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isThePlanThatRecordingGives(Algorithm algorithm) {
    int clones = 0;
    for (String shape : algorithm.shapes(SHAPES)) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape)).withMode(mode).withCclBufferSize(CCL_BYTES);
        CollectiveCase c = CollectiveCase.of(algorithm.operation(), comm.topology()).withComm(comm);
        boolean isFour = shape.equals("4");
        for (AlgOptions options : isFour ? algorithm.options() : List.of(AlgOptions.none())) {
          clones += check(algorithm, c.withDataType(DataType.FLOAT32).withOptions(options));
        }
        if (mode == WorkflowMode.GRAPH && algorithm.operation() == Operation.ALL_REDUCE) {
          clones += check(algorithm, c.withInPlace(true));
        }
      }
    }
    assertThat(clones).isPositive();
    // Not where rounds go through one staging buffer after each other, nor where slices are empty.
    assertThat(judged).isGreaterThan(clones / 4);
  }

  /** Plans all counts, and makes each plan from those before, too; how many could be made so. */
  private int check(Algorithm algorithm, CollectiveCase c) {
    PlanRecorder recorder = new PlanRecorder().withSources(false);
    Map<PlanStructure, Optional<JudgedStructure>> known = new LinkedHashMap<>();
    int clones = 0;
    for (long count : COUNTS) {
      CollectiveCase sized = c.withCount(count);
      boolean isAlone = algorithm.operation() == Operation.SEND && c.comm().rankSize() == 1;
      List<RankProgram> programs = isAlone ? List.of() : algorithm.programs(sized);
      if (!programs.isEmpty()) {
        GroupPlan plan = recorder.record("plan", programs);
        String digest = plan.digest();
        int before = clones;
        for (Map.Entry<PlanStructure, Optional<JudgedStructure>> each : known.entrySet()) {
          PlanClone made = recorder.clone(each.getKey(), programs).made();
          if (made != null) {
            requireSame(made.plan(), plan, digest, sized);
            judged +=
                each.getValue().filter(v -> v.holdsFor(made, sized.params())).isPresent() ? 1 : 0;
            clones++;
          }
        }
        if (clones == before) {
          PlanStructure structure = PlanStructure.of(plan);
          requireSame(structure.origin().plan(), plan, digest, sized);
          Optional<JudgedStructure> verdict =
              JudgedStructure.of(structure.origin(), sized.params());
          verdict.ifPresent(
              it -> assertThat(it.holdsFor(structure.origin(), sized.params())).isTrue());
          known.put(structure, verdict);
        }
      }
    }
    return clones;
  }

  private static void requireSame(GroupPlan made, GroupPlan plan, String digest, CollectiveCase c) {
    assertThat(made.ranks()).as(c.token()).isEqualTo(plan.ranks()).hasSameHashCodeAs(plan.ranks());
    assertThat(made.digest()).as(c.token()).isEqualTo(digest);
  }
}
