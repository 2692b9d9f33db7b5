package dev.tutti.simulator.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class WalkTest {

  private static FlatPlan plan(int ranks, BiConsumer<Integer, AlgResourceResponse> program) {
    CommInfo comm =
        new CommInfo(
            0,
            Topology.flat(ranks),
            WorkflowMode.GRAPH,
            Protocol.DIRECT,
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE);
    Sketch<BarrierParam> executor =
        new Sketch<>(Sketch::mesh, (param, res) -> program.accept(param.comm().rank(), res));
    return FlatPlan.of(new PlanRecorder().record("walk", executor, new BarrierParam(comm)));
  }

  /** Records posts and awaits. */
  private static final class Log implements Walk.Visitor {
    final List<String> lines = new ArrayList<>();

    @Override
    public void data(int stream, int event) {}

    @Override
    public void post(int stream, int event, int cell, int pending) {
      lines.add("post %d.%d behind %d".formatted(stream, event, pending));
    }

    @Override
    public void await(int stream, int event, int cell, int postStream, int postEvent) {
      lines.add("await %d.%d of %d.%d".formatted(stream, event, postStream, postEvent));
    }
  }

  @Test
  void signalsThatPileUpAreTakenInOrder() {
    FlatPlan plan =
        plan(
            2,
            (rank, res) -> {
              for (int i = 0; i < 3; i++) {
                if (rank == 0) {
                  Sketch.link(res, 1).post(res.mainStream(), Link.FIN);
                } else {
                  Sketch.link(res, 0).await(res.mainStream(), Link.FIN);
                }
              }
            });
    Log log = new Log();
    Walk walk = new Walk(plan, log);
    assertThat(walk.run()).isTrue();
    assertThat(log.lines)
        .containsExactly(
            "post 0.1 behind 0",
            "post 0.2 behind 1",
            "post 0.3 behind 2",
            "await 1.1 of 0.1",
            "await 1.2 of 0.2",
            "await 1.3 of 0.3");
    assertThat(walk.position()).containsExactly(5, 5);
  }

  @Test
  void whatIsLeftOverIsCounted() {
    FlatPlan plan =
        plan(
            2,
            (rank, res) -> {
              Sketch.link(res, 1 - rank).post(res.mainStream(), Link.FIN);
              Sketch.link(res, 1 - rank).post(res.mainStream(), Link.FIN);
            });
    Walk walk = new Walk(plan, new Log());
    assertThat(walk.run()).isTrue();
    int left = 0;
    for (int cell = 0; cell < plan.cellCount(); cell++) {
      assertThat(walk.pending(cell)).isIn(0, 2);
      left += walk.pending(cell);
    }
    assertThat(left).isEqualTo(4);
  }

  @Test
  void aStuckPlanIsWalkedAsFarAsItGoes() {
    FlatPlan plan =
        plan(
            2,
            (rank, res) -> {
              Link link = Sketch.link(res, 1 - rank);
              link.post(res.mainStream(), Link.READY);
              link.await(res.mainStream(), Link.READY);
              if (rank == 0) {
                link.await(res.mainStream(), Link.FIN);
              }
            });
    Walk walk = new Walk(plan, new Log());
    assertThat(walk.run()).isFalse();
    assertThat(walk.position()).containsExactly(3, 4);
    WaitGraph waits = new WaitGraph(plan, walk.position());
    assertThat(waits.describe())
        .startsWith("rank 0 stream 0 'await FIN from rank 1'")
        .endsWith(", which nobody posts");
    assertThat(waits.actions()).extracting(ref -> ref.action()).containsExactly(2);
    assertThat(waits.explain())
        .endsWith("waits for a post that is in no stream, or was taken by another await");
  }
}
