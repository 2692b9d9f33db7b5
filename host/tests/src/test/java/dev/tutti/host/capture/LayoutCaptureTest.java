package dev.tutti.host.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.Composite;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.verifier.PlanVerifier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Captured operations on data with gaps. That they give the bits of single runs is a part of {@link
 * CaptureTest}'s random programs.
 */
final class LayoutCaptureTest {

  private static final int PROGRAMS = 60;
  private static final int WIDTH = 8;
  private static final Layout EVEN = Layout.vector(WIDTH / 2, 1, 2);

  private final Context context =
      SampleAlgorithms.addTo(Context.builder())
          .algorithm("staged", new CaptureProgram.StagedAllReduce())
          .cclBufferSize(4096)
          .open();
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private static Composite join(List<RecordedCall> calls, int ranks) {
    try (CapturedMemory memory = new CapturedMemory(calls, segment -> segment)) {
      return Composite.of("joined", memory.compose(ranks, calls));
    }
  }

  private static GroupPlan without(Composite composite, PartOrder dropped) {
    List<PartOrder> left = new ArrayList<>(composite.orders());
    left.remove(dropped);
    return GroupPlan.sequence("less", composite.parts(), left);
  }

  @Test
  void theOrderThatIsAddedIsEnoughAndAllOfItIsNeeded() {
    int ordered = 0;
    for (long seed = 0; seed < PROGRAMS; seed++) {
      CaptureProgram program = new CaptureProgram(seed);
      try (Group group = context.createGroup(program.ranks)) {
        List<RecordedCall> calls =
            program.record(group, CaptureProgram.Memories.of(context, arena));
        Composite composite = join(calls, program.ranks);
        ordered += program.hasGaps() && !composite.orders().isEmpty() ? 1 : 0;
        assertThat(PlanVerifier.verifyOrder(composite.plan())).as("seed %d", seed).isEmpty();
        for (PartOrder order : composite.orders()) {
          assertThat(PlanVerifier.verifyOrder(without(composite, order)))
              .as("seed %d without %s", seed, order)
              .isNotEmpty();
        }
      }
    }
    assertThat(ordered).as("programs with gaps and added order").isGreaterThan(PROGRAMS / 6);
  }

  private MemorySegment[] rows(int ranks) {
    MemorySegment[] rows = new MemorySegment[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      rows[rank] = arena.allocate(4L * WIDTH, 64);
      for (int i = 0; i < WIDTH; i++) {
        rows[rank].setAtIndex(ValueLayout.JAVA_INT, i, 100 * rank + i);
      }
    }
    return rows;
  }

  /** Broadcasts four elements, each rank's every second one from a place on. */
  private static RequestBuilder broadcast(
      Group group, int root, MemorySegment from, MemorySegment[] to, int first) {
    MemorySegment[] inputs = new MemorySegment[group.rankSize()];
    MemorySegment[] outputs = new MemorySegment[group.rankSize()];
    for (int rank = 0; rank < outputs.length; rank++) {
      outputs[rank] = to[rank].asSlice(4L * first);
    }
    inputs[root] = from;
    return group
        .request(CollectiveCall.broadcast(DataType.INT32, EVEN.elements(), root))
        .layouts(Layout.contiguous(), EVEN)
        .buffers(inputs, outputs)
        .algorithm("pull");
  }

  /**
   * The hulls of the two overlap, but rank 1 sends data that the first operation does not touch.
   */
  @Test
  void whatLiesInTheGapsOfAnotherOperationWaitsForNothing() {
    try (Group group = context.createGroup(3)) {
      MemorySegment[] rows = rows(3);
      MemorySegment data = MemorySegment.ofArray(new int[] {7, 8, 9, 10});
      for (int gap = 0; gap < 2; gap++) {
        Layout sent = Layout.indexed(new long[] {1, 1}, new long[] {1 - gap, 3 - gap});
        MemorySegment[] inputs = {null, rows[2], null};
        MemorySegment[] outputs = {arena.allocate(8), null, null};
        Captured captured =
            group.capture(
                () -> {
                  broadcast(group, 0, data, rows, 0).run();
                  group
                      .request(CollectiveCall.sendReceive(DataType.INT32, 2, 1, 0))
                      .layouts(sent, Layout.contiguous())
                      .buffers(inputs, outputs)
                      .run();
                });
        assertThat(captured.explain())
            .contains(
                gap == 0
                    ? "order added between operations: 0"
                    : "rank 1 begins part 2 after rank 2 has ended part 1");
        captured.run();
        assertThat(outputs[0].toArray(ValueLayout.JAVA_INT))
            .containsExactly(gap == 0 ? new int[] {201, 203} : new int[] {7, 8});
      }
    }
  }

  @Test
  void tellsWhichPartsPackAndWhatThatTakes() {
    try (Group group = context.createGroup(2)) {
      MemorySegment[] rows = rows(2);
      Captured captured =
          group.capture(
              () -> {
                broadcast(group, 0, MemorySegment.ofArray(new int[4]), rows, 1).run();
                group.barrier().run();
              });
      assertThat(captured.explain())
          .contains("  0  broadcast of 4 int32, root 0, ")
          .contains("; with its packing, to part 1")
          .contains("  2  barrier, ")
          .contains("packed data: 32 bytes in 2 buffers");
    }
  }

  @Test
  void leavesTheGapsOfArraysAndOfReplacedBuffersAlone() {
    try (Group group = context.createGroup(2)) {
      MemorySegment[] rows = rows(2);
      int[] array = {1, 1, 1, 1, 1, 1, 1, 1};
      MemorySegment data = MemorySegment.ofArray(new int[] {7, 8, 9, 10});
      Captured captured = group.capture(() -> broadcast(group, 0, data, rows, 0).run());
      captured.rebind(rows[1], MemorySegment.ofArray(array));
      captured.run();
      assertThat(array).containsExactly(7, 1, 8, 1, 9, 1, 10, 1);
      assertThat(rows[1].toArray(ValueLayout.JAVA_INT)).startsWith(100, 101);
      assertThat(
              Errors.message(ErrorCode.INVALID_ARGUMENT, () -> captured.rebind(rows[1], rows[0])))
          .startsWith("no captured operation uses that buffer");
    }
  }
}
