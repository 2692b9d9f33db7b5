package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.PlanStructure;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan compiled from a template equals the plan compiled from scratch. */
class CompiledTemplateTest {

  private static final int PLANS = 60;

  /** Bytes of a cell: small, around a tile, and large enough for graphs that cut nodes. */
  private static final int[] CELLS = {4, 8, 64, 2_000, 16_384, 16_388, 40_000, 400_000};

  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "3, 1000000", "2, 100000"})
  void isTheSame(int workers, long parallelBytes) {
    EngineConfig config = new EngineConfig(workers, 0, 0, parallelBytes, 1 << 20);
    try (Engine engine = new Engine(config)) {
      Tally tally = new Tally();
      for (long seed = 0; seed < PLANS; seed++) {
        int ranks = 1 + (int) (seed % 5);
        int[] listOf = new int[ranks];
        Arrays.setAll(listOf, rank -> rank);
        for (int base : new int[] {8, 2_000, 40_000}) {
          PlanClone origin = PlanStructure.of(recorded(seed, ranks, base)).origin();
          CompiledTemplate template = engine.template(origin);
          CompiledTemplate ofRanks =
              engine.templateForRanks(origin, listOf, ranks, ShortPlan.ROOM_BYTES);
          requireSame(
              template.compiled(), engine.compile(origin.plan(), CompileOptions.defaults()));
          for (int cell : CELLS) {
            PlanClone clone =
                Objects.requireNonNull(
                    new PlanRecorder()
                        .clone(origin.structure(), programs(seed, ranks, cell))
                        .made());
            CompiledPlan fresh = engine.compile(clone.plan(), CompileOptions.defaults());
            CompiledPlan forRanks =
                engine.compileForRanks(clone.plan(), listOf, ranks, ShortPlan.ROOM_BYTES);
            tally.add(template.compile(clone), fresh);
            tally.add(ofRanks.compile(clone), forRanks);
          }
        }
      }
      // The rest differs in tiles and in cuts of graphs.
      assertThat(tally.made).isGreaterThan(tally.all / 3);
    }
  }

  /** The number of plans that could be compiled from a template. */
  private static final class Tally {
    private int all;
    private int made;

    void add(Optional<CompiledPlan> fromTemplate, CompiledPlan fresh) {
      all++;
      if (fromTemplate.isPresent()) {
        made++;
        requireSame(fromTemplate.get(), fresh);
      }
    }
  }

  private static GroupPlan recorded(long seed, int ranks, int cellBytes) {
    return new PlanRecorder().record("plan", programs(seed, ranks, cellBytes));
  }

  private static List<RankProgram> programs(long seed, int ranks, int cellBytes) {
    long count = (long) RandomExecutor.CELLS * cellBytes / Integer.BYTES;
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      AllReduceParam param = AllReduceCase.param(ranks, count);
      AllReduceParam view = param.withComm(param.comm().withRank(rank));
      programs.add(RankProgram.of(new RandomExecutor(seed), view));
    }
    return programs;
  }

  private static void requireSame(CompiledPlan made, CompiledPlan fresh) {
    assertThat(made).hasToString(fresh.toString());
    assertThat(made.signals()).isEqualTo(fresh.signals());
    assertThat(made.slots().touchedBytes()).isEqualTo(fresh.slots().touchedBytes());
    for (int list = 0; list < fresh.listCount(); list++) {
      requireSame(made.lists().get(list), fresh.lists().get(list));
    }
    TaskGraph graph = fresh.graph();
    if (graph != null) {
      TaskGraph other = Objects.requireNonNull(made.graph());
      requireSame(other.tasks, graph.tasks);
      assertThat(other.first).isEqualTo(graph.first);
      assertThat(other.count).isEqualTo(graph.count);
      assertThat(other.from).isEqualTo(graph.from);
      assertThat(other.to).isEqualTo(graph.to);
      assertThat(other.indegree).isEqualTo(graph.indegree);
      assertThat(other.successor).isEqualTo(graph.successor);
      assertThat(other.roots).isEqualTo(graph.roots);
    }
  }

  private static void requireSame(TaskArrays made, TaskArrays fresh) {
    assertThat(made.op).isEqualTo(fresh.op);
    assertThat(made.kernel).isEqualTo(fresh.kernel);
    assertThat(made.dst).isEqualTo(fresh.dst);
    assertThat(made.bytes).isEqualTo(fresh.bytes);
    assertThat(made.part).isEqualTo(fresh.part);
    assertThat(made.action).isEqualTo(fresh.action);
    assertThat(made.listedSlot).isEqualTo(fresh.listedSlot);
    for (int task = 0; task < fresh.size; task++) {
      if (Tiling.isData(fresh.op[task])) {
        for (int i = Tiling.RESULT; i < Tiling.sources(fresh, task); i++) {
          assertThat(Tiling.slot(made, task, i)).isEqualTo(Tiling.slot(fresh, task, i));
          assertThat(Tiling.offset(made, task, i)).isEqualTo(Tiling.offset(fresh, task, i));
        }
      }
    }
  }
}
