package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.Composite;
import dev.tutti.engine.Composition;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plugins.custom.CustomAllReduce;
import dev.tutti.plugins.ring.RingAllReduce;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.run.Caller;
import dev.tutti.verifier.run.Fault;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import dev.tutti.verifier.run.PlanInterpreter.Outcome;
import dev.tutti.verifier.run.Point;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The custom all-reduce captured between two other operations, with one rank late in each phase of
 * each of them, replayed on memory that holds what the run before has left.
 */
class CustomLateRankTest {

  private static final int RANKS = 4;

  /** Packs of 16 bytes that do not divide by the ranks. */
  private static final int COUNT = 44;

  private static final long BYTES = COUNT * (long) Float.BYTES;

  /** In the memory of a rank. */
  private static final int VECTORS = 2;

  private static final int REPLAYS = 2;

  /** Longer than everything that others can do meanwhile. */
  private static final long STEPS = 1000;

  private static List<GroupPlan> plans(WorkflowMode mode, String algorithm) {
    CommInfo comm = CommInfo.of(0, Topology.flat(RANKS)).withMode(mode);
    AlgOptions stages = AlgOptions.none().with("algorithm", algorithm);
    PlanRecorder recorder = new PlanRecorder();
    return List.of(
        recorder.record("before", new RingAllReduce(), sum(comm, AlgOptions.none())),
        recorder.record("custom", new CustomAllReduce(), sum(comm, stages)),
        recorder.record("custom again", new CustomAllReduce(), sum(comm, stages)),
        recorder.record("after", new RingAllReduce(), sum(comm, AlgOptions.none())));
  }

  private static AllReduceParam sum(CommInfo comm, AlgOptions options) {
    return new AllReduceParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, COUNT, false);
  }

  /** Each operation reads what the one before has written, and overwrites what that has read. */
  private static GroupPlan captured(List<GroupPlan> plans) {
    Composition composition = new Composition(RANKS);
    List<Composition.Memory> memories =
        IntStream.range(0, RANKS)
            .mapToObj(rank -> composition.memory(rank, VECTORS * BYTES))
            .toList();
    for (int part = 0; part < plans.size(); part++) {
      long input = part % VECTORS * BYTES;
      long output = (part + 1) % VECTORS * BYTES;
      composition.part(
          plans.get(part),
          (rank, type) ->
              switch (type) {
                case PARAM_INPUT -> new Composition.Place(memories.get(rank), input);
                case PARAM_OUTPUT -> new Composition.Place(memories.get(rank), output);
                default -> null;
              });
    }
    return Composite.of("capture", composition).plan();
  }

  /** Vectors whose sums round, so that another order shows. */
  private static List<MemorySegment> inputs(long seed) {
    Random random = new Random(seed);
    List<MemorySegment> inputs = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      MemorySegment input = MemorySegment.ofArray(new byte[(int) BYTES]);
      for (int i = 0; i < COUNT; i++) {
        input.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) random.nextGaussian());
      }
      inputs.add(input);
    }
    return inputs;
  }

  /** What each rank has in all vectors after the operations have run one by one. */
  private static List<byte[]> eager(List<GroupPlan> plans, List<MemorySegment> inputs) {
    List<MemorySegment> all =
        inputs.stream()
            .map(input -> MemorySegment.ofArray(new byte[(int) (VECTORS * BYTES)]))
            .toList();
    IntStream.range(0, RANKS)
        .forEach(rank -> all.get(rank).asSlice(0, BYTES).copyFrom(inputs.get(rank)));
    for (int part = 0; part < plans.size(); part++) {
      PlanInterpreter interpreter = new PlanInterpreter(plans.get(part));
      GroupMemory memory = interpreter.allocate();
      long from = part % VECTORS * BYTES;
      long to = (part + 1) % VECTORS * BYTES;
      for (int rank = 0; rank < RANKS; rank++) {
        memory.input(rank).copyFrom(all.get(rank).asSlice(from, BYTES));
      }
      requireDone(interpreter.run(part, memory));
      for (int rank = 0; rank < RANKS; rank++) {
        all.get(rank).asSlice(to, BYTES).copyFrom(memory.output(rank));
      }
    }
    return all.stream().map(segment -> segment.toArray(ValueLayout.JAVA_BYTE)).toList();
  }

  private static void requireDone(Outcome outcome) {
    assertThat(outcome.findings()).isEmpty();
    assertThat(outcome.isComplete()).isTrue();
  }

  private static List<Point> points(PlanInterpreter interpreter) {
    List<Point> points = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      for (int stream = 0; stream < interpreter.streamCount(rank); stream++) {
        for (int event = 0; event < interpreter.eventCount(rank, stream); event++) {
          points.add(new Point(rank, stream, event));
        }
      }
    }
    return points;
  }

  @ParameterizedTest
  @CsvSource({"GRAPH, 1stage", "GRAPH, 2stage", "OP_BASE, 1stage", "OP_BASE, 2stage"})
  void aCapturedRankMayBeLateInEveryPhase(WorkflowMode mode, String algorithm) {
    List<GroupPlan> plans = plans(mode, algorithm);
    PlanInterpreter interpreter = new PlanInterpreter(captured(plans));
    GroupMemory memory = interpreter.allocate();
    List<List<MemorySegment>> inputs =
        IntStream.range(0, REPLAYS).mapToObj(CustomLateRankTest::inputs).toList();
    List<List<byte[]>> expected = inputs.stream().map(each -> eager(plans, each)).toList();
    List<Point> points = points(interpreter);
    assertThat(points).hasSizeGreaterThan(plans.size() * RANKS);
    for (Point point : points) {
      for (int replay = 0; replay < REPLAYS; replay++) {
        for (int rank = 0; rank < RANKS; rank++) {
          memory.input(rank).asSlice(0, BYTES).copyFrom(inputs.get(replay).get(rank));
          memory.input(rank).asSlice(BYTES).fill((byte) 0xA5);
        }
        Fault late = new Fault.Delay(point, STEPS);
        requireDone(interpreter.run(replay, memory, Caller.IDLE, List.of(late), Long.MAX_VALUE));
        for (int rank = 0; rank < RANKS; rank++) {
          assertThat(memory.mem(rank, TransportMemType.PARAM_INPUT).toArray(ValueLayout.JAVA_BYTE))
              .as("rank %d, late at %s, replay %d", rank, point, replay)
              .isEqualTo(expected.get(replay).get(rank));
        }
      }
    }
  }
}
