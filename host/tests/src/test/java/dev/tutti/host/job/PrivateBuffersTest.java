package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.buffers.WorkflowChoice;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CaptureProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks with large buffers that their peers cannot reach copy them in the plan, if one does. */
@Timeout(600)
final class PrivateBuffersTest {

  private static final int RANKS = 3;
  private static final int LARGE = (int) (WorkflowChoice.LARGE_ARRAY / Float.BYTES) + 5;

  /** The place of the ranks. */
  private enum Where {
    ONE_CONTEXT,
    JOB
  }

  /** Whose buffers are which. */
  private enum Memory {
    ARRAYS,
    ARRAY_OF_RANK_1,
    NATIVE,
    CONFINED
  }

  private final Set<WorkflowMode> modes = ConcurrentHashMap.newKeySet();

  /** Notes the modes of its plans. */
  private final class Staged extends CaptureProgram.StagedAllReduce {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      modes.add(param.comm().mode());
      return super.calcResRequest(param);
    }
  }

  /** Notes the modes of its plans, in all of which peers read the callers' inputs. */
  private final class Pulling extends CollExecutorBase<AllReduceParam> {

    private final SampleAlgorithms.PullAllReduce sample = new SampleAlgorithms.PullAllReduce();

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      modes.add(param.comm().mode());
      return sample.calcResRequest(param);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      sample.orchestrate(param, resources);
    }
  }

  private void run(Where where, OneJvmJob.Body<Void> body) throws Exception {
    if (where == Where.JOB) {
      Void ignored =
          OneJvmJob.run(
                  RANKS,
                  this::algorithms,
                  context -> {
                    try (Group group = context.createGroup(RANKS)) {
                      return body.run(context, group.rank(group.localRanks()[0]));
                    }
                  })
              .getFirst();
      return;
    }
    try (Context context = algorithms(SampleAlgorithms.addTo(Context.builder())).open();
        Group group = context.createGroup(RANKS)) {
      group.run(
          rank -> {
            try {
              Void ignored = body.run(context, rank);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  private ContextBuilder algorithms(ContextBuilder builder) {
    return builder.algorithm("staged", new Staged()).algorithm("pulling", new Pulling());
  }

  private static MemorySegment buffer(
      Memory memory, Context context, RankHandle rank, Arena confined, int count) {
    long bytes = (long) count * Float.BYTES;
    boolean isArray =
        memory == Memory.ARRAYS || (memory == Memory.ARRAY_OF_RANK_1 && rank.rank() == 1);
    return isArray
        ? MemorySegment.ofArray(new float[count])
        : switch (memory) {
          case NATIVE -> Arena.ofAuto().allocate(bytes, 64);
          case CONFINED -> confined.allocate(bytes, 64);
          default -> context.allocate(bytes).segment();
        };
  }

  /** Calls several times with the same buffers, and with others. */
  private static Void play(
      Context context,
      RankHandle rank,
      Memory memory,
      CallOptions options,
      int count,
      boolean inPlace) {
    RankHandle caller = rank.with(options);
    CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, count);
    try (Arena confined = Arena.ofConfined()) {
      for (int pair = 0; pair < 3; pair++) {
        MemorySegment in = buffer(memory, context, rank, confined, count);
        MemorySegment out = inPlace ? in : buffer(memory, context, rank, confined, count);
        for (int round = 0; round < 3; round++) {
          for (int i = 0; i < count; i++) {
            in.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (i + rank.rank()) % 91 + round);
          }
          caller.run(call, in, out);
          float[] actual = Floats.values(out);
          for (int i = 0; i < count; i++) {
            float expected = 0;
            for (int each = 0; each < RANKS; each++) {
              expected += (i + each) % 91 + round;
            }
            if (actual[i] != expected) {
              throw new AssertionError(
                  memory
                      + " pair "
                      + pair
                      + " round "
                      + round
                      + " element "
                      + i
                      + ": "
                      + actual[i]);
            }
          }
        }
      }
    }
    return null;
  }

  private void play(Where where, Memory memory, CallOptions options, int count) throws Exception {
    run(where, (context, rank) -> play(context, rank, memory, options, count, false));
  }

  private static CallOptions with(String algorithm) {
    return CallOptions.defaults().withAlgorithm(algorithm);
  }

  @ParameterizedTest
  @CsvSource({
    "ONE_CONTEXT, ARRAYS, OP_BASE",
    "ONE_CONTEXT, ARRAY_OF_RANK_1, OP_BASE",
    "ONE_CONTEXT, NATIVE, GRAPH",
    "ONE_CONTEXT, CONFINED, GRAPH",
    "JOB, ARRAYS, OP_BASE",
    "JOB, ARRAY_OF_RANK_1, OP_BASE",
    "JOB, NATIVE, OP_BASE",
    "JOB, CONFINED, GRAPH"
  })
  void largeBuffersAreCopiedByThePlan(Where where, Memory memory, WorkflowMode mode)
      throws Exception {
    play(where, memory, with("staged"), LARGE);
    assertThat(modes).containsExactly(mode);
  }

  @ParameterizedTest
  @EnumSource
  void theyAreInPlace(Where where) throws Exception {
    run(where, (context, rank) -> play(context, rank, Memory.ARRAYS, with("staged"), LARGE, true));
    assertThat(modes).containsExactly(WorkflowMode.OP_BASE);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanInWhichPeersReadTheBuffersGetsCopies(Where where) throws Exception {
    play(where, Memory.ARRAYS, with("pulling"), LARGE);
    assertThat(modes).contains(WorkflowMode.GRAPH);
  }

  /** Other processes could not even be asked for bytes of an array. */
  @ParameterizedTest
  @EnumSource
  void aPlanInWhichPeersOnlyCopyTheBuffersGetsCopies(Where where) throws Exception {
    run(
        where,
        (context, rank) -> {
          MemorySegment in = MemorySegment.ofArray(new float[LARGE]);
          MemorySegment out = MemorySegment.ofArray(new float[RANKS * LARGE]);
          in.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, LARGE - 1, 1 + rank.rank());
          rank.with(with("pull")).allGather(in, out, DataType.FLOAT32);
          for (int each = 0; each < RANKS; each++) {
            long last = (each + 1L) * LARGE - 1;
            assertThat(out.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, last)).isEqualTo(1 + each);
          }
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource
  void smallBuffersAreCopiedAroundThePlan(Where where) throws Exception {
    play(where, Memory.ARRAYS, with("staged"), 1000);
    assertThat(modes).containsExactly(WorkflowMode.GRAPH);
  }

  @ParameterizedTest
  @EnumSource
  void theCallersModeIsKept(Where where) throws Exception {
    play(where, Memory.ARRAYS, with("staged").withMode(WorkflowMode.GRAPH), LARGE);
    assertThat(modes).containsExactly(WorkflowMode.GRAPH);
    modes.clear();
    play(where, Memory.ARRAYS, with("staged").withMode(WorkflowMode.OP_BASE), 1000);
    assertThat(modes).containsExactly(WorkflowMode.OP_BASE);
  }

  /** The division would compute in the callers' outputs. */
  @Test
  void averagesGetCopies() throws Exception {
    run(
        Where.JOB,
        (context, rank) -> {
          float[] in = new float[LARGE];
          float[] out = new float[LARGE];
          in[LARGE - 1] = 2 * rank.rank();
          rank.with(with("staged").withAverage(true)).allReduce(in, out, ReduceOp.SUM);
          assertThat(out[LARGE - 1]).isEqualTo(2);
          return null;
        });
  }
}
