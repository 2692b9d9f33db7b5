package dev.tutti.simulator.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SegmentsTest {

  private static final int BYTES = 1 << 20;

  /** A rank that copies spans of its AIV memory to scratch, at the given offsets and sizes. */
  private static FlatPlan copies(long[][] spans) {
    CommInfo comm =
        new CommInfo(
            0,
            Topology.flat(1),
            WorkflowMode.GRAPH,
            Protocol.DIRECT,
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE);
    Sketch<BarrierParam> executor =
        new Sketch<>(
            param -> AlgResourceRequest.none().withScratchMemSize(BYTES).withAivBufferSize(BYTES),
            (param, res) -> {
              for (long[] span : spans) {
                res.mainStream()
                    .copy(
                        res.scratchMem().slice(0, span[1]),
                        res.aivInputMem().slice(span[0], span[1]));
              }
            });
    return FlatPlan.of(new PlanRecorder().record("copies", executor, new BarrierParam(comm)));
  }

  private static int aiv(FlatPlan plan) {
    return plan.memory(0, TransportMemType.AIV_INPUT);
  }

  @Test
  void everyBeginAndEndOfAnAccessIsABoundary() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      int count = 1 + random.nextInt(40);
      boolean isEven = random.nextBoolean();
      // Sets of small and of large offsets are kept in different ways.
      int reach = round % 2 == 0 ? BYTES / 2 : 3000;
      long[][] spans = new long[count][];
      TreeSet<Long> bounds = new TreeSet<>();
      for (int i = 0; i < count; i++) {
        long offset = isEven ? 64L * i : random.nextInt(reach);
        long bytes = isEven ? 64 : 1 + random.nextInt(1 + random.nextInt(1000));
        spans[i] = new long[] {offset, bytes};
        bounds.add(offset);
        bounds.add(offset + bytes);
      }
      FlatPlan plan = copies(spans);
      int memory = aiv(plan);
      Segments segments = Segments.of(plan, m -> m == memory);

      assertThat(segments.count()).isEqualTo(bounds.size() - 1);
      assertThat(segments.has(memory)).isTrue();
      assertThat(segments.has(plan.memory(0, TransportMemType.SCRATCH))).isFalse();
      int expected = segments.first(memory);
      for (long bound : bounds) {
        assertThat(segments.at(memory, bound)).isEqualTo(expected);
        if (bound != bounds.last()) {
          assertThat(segments.start(expected)).isEqualTo(bound);
          assertThat(segments.end(expected)).isEqualTo(bounds.higher(bound));
          assertThat(segments.memory(expected)).isEqualTo(memory);
        }
        expected++;
      }
    }
  }

  @Test
  void anOffsetWithinASegmentIsRefused() {
    FlatPlan plan = copies(new long[][] {{0, 64}, {64, 64}});
    Segments segments = Segments.of(plan, memory -> true);
    int memory = aiv(plan);
    assertThatThrownBy(() -> segments.at(memory, 65))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no access of memory %d begins or ends at 65", memory);
    assertThatThrownBy(() -> segments.at(plan.memory(0, TransportMemType.CCL_INPUT), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("is not cut");
  }

  @Test
  void memoriesOfSeveralPlansAreCutTogether() {
    FlatPlan one = copies(new long[][] {{0, 64}});
    FlatPlan other = copies(new long[][] {{32, 64}});
    int memory = aiv(one);
    Segments segments = Segments.of(List.of(one, other), m -> m == memory);
    assertThat(segments.count()).isEqualTo(3);
    assertThat(segments.start(segments.at(memory, 32))).isEqualTo(32);
  }
}
