package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.machine.MachineModel;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate.Origin;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SelectionTest {

  private static final CollectiveCall CALL =
      CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 1000);

  /** Copies its input so many times, and declares any cost. */
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
  private final Context.Builder builder =
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
      assertThat(best.estimate().bytes()).isEqualTo(4 * 2 * 4000);
      assertThat(best.estimate().workers()).isEqualTo(1);
      assertThat(origins(choice)).containsExactly(Origin.PLAN, Origin.PLAN);
      assertThat(choice.toString())
          .matches(
              "(?s)allreduce of 4000 bytes on 4 ranks, graph, direct\n"
                  + "  -> embedded:cheap: \\d+\\.\\d\\d µs by its plan \\(4 actions, 32000 bytes, 1"
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
  void manyRanksAndSeveralNodesAreComparedByDeclaredCost() {
    try (Context context = builder.open()) {
      for (Topology topology :
          List.of(Topology.flat(Selection.MAX_RANKS + 1), Topology.nodes(2, 2))) {
        try (Group group = context.createGroup(topology)) {
          Choice choice = group.request(CALL).explain();
          assertThat(choice.chosen().name()).isEqualTo("dear");
          assertThat(origins(choice)).containsExactly(Origin.FORMULA, Origin.FORMULA);
        }
      }
      assertThat(cheap.recorded).hasValue(0);
    }
  }

  @Test
  void plansOfTooManyActionsComeAfterThoseThatWereCompared() {
    Copying endless = new Copying(Selection.MAX_ACTIONS + 1, 0);
    try (Context context = builder.algorithm("endless", endless).open();
        Group group = context.createGroup(2)) {
      Choice choice = group.request(CALL).explain();
      assertThat(choice.candidates())
          .extracting(each -> each.algorithm().name())
          .containsExactly("cheap", "dear", "endless");
      assertThat(origins(choice)).containsExactly(Origin.PLAN, Origin.PLAN, Origin.FORMULA);
      assertThat(group.request(CALL).algorithm("endless").plan().actionCount())
          .isEqualTo(2 * (Selection.MAX_ACTIONS + 1));
    }
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
        new MachineModel(0, 0, 0, 0, 0, 0, 0, 0, List.of(new MachineModel.Level(1, 0, 0)));
    try (Context context = builder.machine(free).open();
        Group group = context.createGroup(4)) {
      // Everything takes no time at all, so the declared cost decides.
      assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("dear");
    }
  }
}
