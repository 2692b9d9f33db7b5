package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.call.CallOptions;
import dev.tutti.plugins.custom.CustomAllReduce;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The custom all-reduce, captured: on the callers' own buffers, registered once. */
class CustomCaptureTest {

  private static final int RANKS = 4;

  /** Fewer packs than ranks, packs that do not divide by the ranks, one stage and two. */
  private static final int[] COUNTS = {4, 188, 20_000, 8};

  private final Context context =
      Context.builder().algorithm(new CustomAllReduce()).workers(3).open();
  private final Group group = context.createGroup(RANKS);
  private final Random random = new Random(1);

  @AfterEach
  void close() {
    group.close();
    context.close();
  }

  /** An all-reduce of one shape on slices of one allocation. */
  private final class Shape {
    final int count;
    final CallOptions options;
    final MemorySegment[] inputs = new MemorySegment[RANKS];
    final MemorySegment[] outputs = new MemorySegment[RANKS];

    Shape(RegisteredMemory memory, long from, int count, WorkflowMode mode) {
      this.count = count;
      this.options = CallOptions.defaults().withAlgorithm("custom").withMode(mode);
      long bytes = (long) count * Float.BYTES;
      for (int rank = 0; rank < RANKS; rank++) {
        inputs[rank] = memory.segment().asSlice(from + rank * bytes, bytes);
        outputs[rank] = memory.segment().asSlice(from + (RANKS + rank) * bytes, bytes);
      }
    }

    void call() {
      group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).options(options).run();
    }

    /** Small whole numbers, whose sums are exact in any order, other ones each time. */
    float[] fill() {
      float[] sums = new float[count];
      for (MemorySegment input : inputs) {
        for (int i = 0; i < count; i++) {
          float value = random.nextInt(1 << 16);
          input.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
          sums[i] += value;
        }
      }
      return sums;
    }

    /** The inputs are the callers' again the moment a run has returned. */
    void overwriteInputs() {
      for (MemorySegment input : inputs) {
        input.fill((byte) 0x5A);
      }
    }

    void check(float[] sums, String when) {
      for (MemorySegment output : outputs) {
        assertThat(output.toArray(ValueLayout.JAVA_FLOAT)).as(when).containsExactly(sums);
        output.fill((byte) 0xA5);
      }
    }
  }

  private Shape[] shapes(RegisteredMemory memory, WorkflowMode mode) {
    Shape[] shapes = new Shape[COUNTS.length];
    long from = 0;
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] = new Shape(memory, from, COUNTS[i], mode);
      from += 2L * RANKS * COUNTS[i] * Float.BYTES;
    }
    return shapes;
  }

  private RegisteredMemory allocate() {
    long count = 0;
    for (int each : COUNTS) {
      count += each;
    }
    return context.allocate(2L * RANKS * count * Float.BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "op-base"})
  void replaysMixWithEagerCallsAndInputsAreFreeAtOnce(String mode) {
    try (RegisteredMemory memory = allocate()) {
      Shape[] shapes = shapes(memory, WorkflowMode.fromLabel(mode));
      Captured captured =
          group.capture(
              () -> {
                for (Shape shape : shapes) {
                  shape.call();
                }
              });
      for (int round = 0; round < 12; round++) {
        float[][] sums = new float[shapes.length][];
        for (int i = 0; i < shapes.length; i++) {
          sums[i] = shapes[i].fill();
        }
        if (round % 4 == 3) {
          for (Shape shape : shapes) {
            shape.call();
          }
        } else {
          captured.run();
        }
        for (int i = 0; i < shapes.length; i++) {
          shapes[i].overwriteInputs();
          shapes[i].check(sums[i], "round " + round + ", " + COUNTS[i] + " elements");
        }
      }
    }
  }

  @Test
  void shapesAlternateFiftyThousandTimesWithoutSynchronisation() {
    int operations = 100;
    int replays = 500;
    try (RegisteredMemory memory = allocate()) {
      Shape[] shapes = shapes(memory, WorkflowMode.GRAPH);
      Captured captured =
          group.capture(
              () -> {
                for (int i = 0; i < operations; i++) {
                  shapes[i % 2].call();
                }
              });
      for (int replay = 0; replay < replays; replay++) {
        float[] first = shapes[0].fill();
        float[] second = shapes[1].fill();
        captured.run();
        shapes[0].check(first, "replay " + replay);
        shapes[1].check(second, "replay " + replay);
      }
    }
  }

  @Test
  void oneCallsResultIsTheNextOnesInput() {
    try (RegisteredMemory memory = allocate()) {
      Shape shape = shapes(memory, WorkflowMode.GRAPH)[1];
      Captured captured =
          group.capture(
              () -> {
                shape.call();
                group
                    .allReduce(shape.outputs, shape.inputs, DataType.FLOAT32, ReduceOp.SUM)
                    .options(shape.options)
                    .run();
                shape.call();
              });
      for (int round = 0; round < 3; round++) {
        float[] sums = shape.fill();
        captured.run();
        for (int i = 0; i < sums.length; i++) {
          sums[i] *= RANKS * RANKS;
        }
        shape.check(sums, "round " + round);
      }
    }
  }

  @Test
  void allBuffersAreOneRegistrationAndClosingTwiceDoesNothing() {
    RegisteredMemory memory = allocate();
    Shape[] shapes = shapes(memory, WorkflowMode.GRAPH);
    Captured captured =
        group.capture(
            () -> {
              group.warmUp(shapes[2]::call);
              shapes[0].call();
              shapes[0].call();
              shapes[1].call();
            });
    assertThat(captured.calls()).hasSize(3);
    assertThat(captured.explain()).contains("buffers: 16 memories in 1 allocations");
    captured.close();
    captured.close();
    memory.close();
    memory.close();
    group.close();
    group.close();
  }
}
