package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCloneTest {

  private static final PlanRecorder RECORDER = new PlanRecorder();

  private static AllReduceParam param(int ranks, long count, boolean inPlace) {
    return new AllReduceParam(
        CommInfo.of(0, Topology.flat(ranks)),
        "",
        AlgOptions.none(),
        DataType.INT32,
        ReduceOp.SUM,
        count,
        inPlace);
  }

  private static List<RankProgram> programs(
      CollExecutorBase<AllReduceParam> executor, AllReduceParam param) {
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      programs.add(RankProgram.of(executor, param.withComm(param.comm().withRank(rank))));
    }
    return programs;
  }

  /** A plan has the structure of the plan of 12 elements, or it does not. */
  private static PlanClone.Attempt like(CollExecutorBase<AllReduceParam> executor, long count) {
    return attempt(executor, param(2, 12, false), param(2, count, false));
  }

  private static PlanClone.Attempt attempt(
      CollExecutorBase<AllReduceParam> executor, AllReduceParam first, AllReduceParam second) {
    PlanStructure structure = PlanStructure.of(RECORDER.record("first", programs(executor, first)));
    return RECORDER.clone(structure, programs(executor, second));
  }

  /** Rank 0 emits something; rank 1 nothing. */
  private static CollExecutorBase<AllReduceParam> alone(
      BiConsumer<AllReduceParam, AlgResourceResponse> body) {
    return new ScriptedExecutor(
        param -> linked(param.comm()),
        (param, resources) -> {
          if (param.comm().rank() == 0) {
            body.accept(param, resources);
          }
        });
  }

  private static AlgResourceRequest linked(CommInfo comm) {
    return AlgResourceRequest.of(OpCommTransport.ring(comm, CommPlane.COMBINED, IN, OUT));
  }

  private static void assertDiffers(
      BiConsumer<AllReduceParam, AlgResourceResponse> body, String how) {
    PlanClone.Attempt attempt = like(alone(body), 20);
    assertThat(attempt.made()).isNull();
    assertThat(attempt.difference()).isEqualTo(how);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isThePlanThatRecordingGives(boolean inPlace) {
    RingAllReduce ring = new RingAllReduce();
    for (long count : new long[] {5, 6, 1000, 1001, 1 << 20}) {
      AllReduceParam param = param(5, count, inPlace);
      PlanClone made = Objects.requireNonNull(attempt(ring, param(5, 99, inPlace), param).made());
      GroupPlan plan = RECORDER.record("second", programs(ring, param));
      assertThat(made.plan().ranks()).isEqualTo(plan.ranks()).hasSameHashCodeAs(plan.ranks());
      assertThat(plan.ranks()).isEqualTo(made.plan().ranks());
      assertThat(made.plan().digest()).isEqualTo(plan.digest());
      assertThat(made.plan().rank(3).source(4)).isEqualTo(plan.rank(3).source(4));
      assertThat(made.plan().traffic()).isEqualTo(plan.traffic()).isPositive();
      assertThat(PlanStructure.of(made.plan()).markCount()).isEqualTo(made.structure().markCount());
    }
  }

  @Test
  void marksAreWhereSpansBeginAndEnd() {
    GroupPlan plan = RECORDER.record("ring", programs(new RingAllReduce(), param(3, 7, false)));
    PlanClone origin = PlanStructure.of(plan).origin();
    assertThat(origin.plan()).isSameAs(plan);
    for (long position : new long[] {0, 12, 20, 28}) {
      int mark = origin.mark(1, OUT, position);
      assertThat(origin.position(mark)).isEqualTo(position);
    }
    assertThat(origin.position(origin.structure().lastUsed(1, OUT))).isEqualTo(28);
    assertThat(origin.structure().lastUsed(1, TransportMemType.SCRATCH)).isEqualTo(-1);
    assertThat(origin.structure().heapBytes()).isPositive();
    assertThat(origin.heapBytes()).isPositive();
  }

  @Test
  void differsWhereAnythingButPositionsDoes() {
    assertDiffers(
        (param, resources) -> {
          copy(resources, 0, 0, 4);
          if (param.count() > 12) {
            copy(resources, 4, 4, 4);
          }
        },
        "rank 0 has more than 1 actions, near its action 1");
    assertDiffers(
        (param, resources) -> {
          copy(resources, 0, 0, 4);
          if (param.count() == 12) {
            copy(resources, 4, 4, 4);
          }
        },
        "rank 0 ends before action 1, near its action 1");
    assertDiffers(
        (param, resources) -> {
          DeviceMem output = resources.paramOutputMem().slice(0, 4);
          DeviceMem input = resources.paramInputMem().slice(0, 4);
          if (param.count() == 12) {
            resources.mainStream().copy(output, input);
          } else {
            resources.mainStream().reduce(output, input, DataType.INT32, ReduceOp.SUM);
          }
        },
        "rank 0 does something else, near its action 0");
    assertDiffers(
        (param, resources) ->
            resources
                .mainStream()
                .reduce(
                    resources.paramOutputMem().slice(0, 4),
                    resources.paramInputMem().slice(0, 4),
                    param.count() == 12 ? DataType.INT32 : DataType.FLOAT32,
                    ReduceOp.SUM),
        "rank 0 does something else, near its action 0");
    assertDiffers(
        (param, resources) ->
            resources
                .subComm(CommPlane.COMBINED)
                .link(1)
                .post(resources.mainStream(), param.count() == 12 ? 0 : 1),
        "rank 0 uses another link or notify, near its action 1");
  }

  @Test
  void differsWhereSpansLieOtherwise() {
    String order = "spans have other positions relative to each other";
    // First adjacent, then apart.
    assertDiffers(
        (param, resources) -> {
          copy(resources, 0, 0, 8);
          copy(resources, param.count() == 12 ? 8 : 12, 8, 8);
        },
        "rank 0 has spans in other positions relative to each other, near its action 2");
    // First apart, then adjacent.
    assertDiffers(
        (param, resources) -> {
          copy(resources, 0, 0, 8);
          copy(resources, param.count() == 12 ? 12 : 8, 8, 8);
        },
        order);
    // Up to the end of the memory, and not.
    assertDiffers((param, resources) -> copy(resources, 0, 0, 48), order);
    // The same span, and another one.
    assertDiffers(
        (param, resources) -> {
          copy(resources, 0, 0, 8);
          copy(resources, 0, param.count() == 12 ? 0 : 4, 8);
        },
        "rank 0 has spans in other positions relative to each other, near its action 2");
  }

  private static void copy(AlgResourceResponse resources, long to, long from, long bytes) {
    resources
        .mainStream()
        .copy(
            resources.paramOutputMem().slice(to, bytes),
            resources.paramInputMem().slice(from, bytes));
  }

  @Test
  void differsWhereOtherResourcesAreAskedFor() {
    CollExecutorBase<AllReduceParam> executor =
        new ScriptedExecutor(
            param -> linked(param.comm()).withStreamNum(param.count() == 12 ? 0 : 1),
            (param, resources) -> {});
    assertThat(like(executor, 20).difference())
        .isEqualTo("rank 0 asks for other streams, notifies or links");
    CollExecutorBase<AllReduceParam> scratch =
        new ScriptedExecutor(
            param -> linked(param.comm()).withScratchMemSize(param.count() == 12 ? 0 : 1),
            (param, resources) -> {});
    assertThat(like(scratch, 20).difference())
        .isEqualTo("the scratch memory of rank 0 has a different end, as the operation sees it");
    assertThat(like(new RingAllReduce(), 0).difference()).contains("memory of rank 0");
    assertThat(attempt(new RingAllReduce(), param(3, 30, false), param(3, 30, true)).difference())
        .isEqualTo(
            "the group has a different number of ranks, or only one of the two plans"
                + " is in place");
  }

  /** An operation that recording refuses does not get a plan of the structure. */
  @Test
  void nothingIsMadeOfWhatRecordingRefuses() {
    assertRefused(resources -> copy(resources, 76, 0, 8), ErrorCode.OUT_OF_BOUNDS);
    assertRefused(
        resources ->
            resources
                .mainStream()
                .copy(
                    resources.paramOutputMem().slice(0, 8), resources.paramInputMem().slice(0, 4)),
        ErrorCode.INVALID_ARGUMENT);
    assertRefused(
        resources ->
            resources
                .mainStream()
                .reduce(
                    resources.paramOutputMem().slice(0, 6),
                    resources.paramInputMem().slice(0, 6),
                    DataType.INT32,
                    ReduceOp.SUM),
        ErrorCode.INVALID_ARGUMENT);
    assertRefused(
        resources -> {
          throw new IllegalStateException("no idea");
        },
        ErrorCode.EXECUTOR_FAILED);
  }

  private static void assertRefused(Consumer<AlgResourceResponse> otherwise, ErrorCode code) {
    CollExecutorBase<AllReduceParam> executor =
        alone(
            (param, resources) -> {
              if (param.count() == 12) {
                copy(resources, 0, 0, 8);
              } else {
                otherwise.accept(resources);
              }
            });
    assertThat(like(executor, 20).made()).isNull();
    assertThat(
            refusalOf(() -> RECORDER.record("x", programs(executor, param(2, 20, false)))).code())
        .isEqualTo(code);
  }

  /** An executor that catches everything cannot hide that it emits something else. */
  @Test
  void whatAnExecutorCatchesCountsAllTheSame() {
    assertDiffers(
        (param, resources) -> {
          try {
            copy(resources, 0, 0, param.count() == 12 ? 8 : 4);
            copy(resources, 0, 0, 8);
          } catch (RuntimeException e) {
            // Nobody should do this.
          }
        },
        "rank 0 has spans in other positions relative to each other, near its action 2");
  }

  @Test
  void nestedPlansHaveNoStructure() {
    GroupPlan plan = RECORDER.record("ring", programs(new RingAllReduce(), param(2, 8, false)));
    GroupPlan sequence = GroupPlan.sequence("twice", List.of(plan, plan));
    assertThat(refusalOf(() -> PlanStructure.of(sequence)).code())
        .isEqualTo(ErrorCode.INVALID_PLAN);
  }
}
