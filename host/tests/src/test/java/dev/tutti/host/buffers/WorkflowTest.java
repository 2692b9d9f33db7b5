package dev.tutti.host.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.Workflow;
import dev.tutti.host.capture.CaptureProgram;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkflowTest {

  private static final int RANKS = 3;
  private static final int LARGE = (int) (WorkflowChoice.LARGE_ARRAY / Float.BYTES) + 5;

  private final Context context =
      SampleAlgorithms.addTo(Context.builder())
          .algorithm("staged", new CaptureProgram.StagedAllReduce())
          .workers(2)
          .open();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private RequestBuilder sum(String algorithm, MemorySegment[] inputs, MemorySegment[] outputs) {
    return group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).algorithm(algorithm);
  }

  /** Runs a request twice and checks the sums of all ranks. */
  private static void run(Request request, MemorySegment[] outputs, int count) {
    for (int round = 0; round < 2; round++) {
      for (MemorySegment output : outputs) {
        output.fill((byte) 7);
      }
      request.run();
      for (MemorySegment output : outputs) {
        assertThat(Floats.values(output)).isEqualTo(Floats.sums(RANKS, count));
      }
    }
  }

  @Test
  void nativeMemoryIsUsedWhereItIs() {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, LARGE);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, LARGE);
    Request request = sum("staged", inputs, outputs).build();

    assertThat(request.workflow())
        .isEqualTo(new Workflow(WorkflowMode.GRAPH, "all ranks can reach all buffers"));
    run(request, outputs, LARGE);
  }

  /** A file of some floats in memory; the file is deleted, its memory stays. */
  private MemorySegment mapped(MemorySegment content) throws IOException {
    Path path = Files.createTempFile("buffer", ".bin");
    try (FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      MemorySegment segment =
          file.map(FileChannel.MapMode.READ_WRITE, 0, content.byteSize(), arena);
      return segment.copyFrom(content);
    }
  }

  @Test
  void aLargeMappedFileGoesThroughTheStagingBuffersLikeAnArray() throws IOException {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, LARGE);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, LARGE);
    inputs[2] = mapped(inputs[2]);
    outputs[1] = mapped(outputs[1]);
    Request request = sum("staged", inputs, outputs).build();

    assertThat(request.workflow())
        .isEqualTo(
            new Workflow(
                WorkflowMode.OP_BASE,
                "the output of rank 1 is a mapped file, which can be truncated"));
    assertThat(request.isStaged()).isFalse();
    run(request, outputs, LARGE);
    assertThat(group.capture(() -> request.run()).isStaged()).isFalse();
  }

  @Test
  void aSmallMappedFileIsCopiedWholeWhereAPlanComputesInIt() throws IOException {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, 10);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, 10);
    inputs[2] = mapped(inputs[2]);
    Request request = sum("staged", inputs, outputs).build();

    assertThat(request.workflow())
        .isEqualTo(
            new Workflow(
                WorkflowMode.GRAPH,
                "the input of rank 2 is a mapped file, none is large, and mapped files are copied,"
                    + " because the host never computes in them"));
    assertThat(request.isStaged()).isTrue();
    run(request, outputs, 10);
    request.rebind(Floats.filled(arena, RANKS, 10), outputs);
    assertThat(request.isStaged()).isFalse();
    run(request, outputs, 10);
  }

  @Test
  void oneLargeArrayTakesTheWholeGroupThroughTheStagingBuffersWithoutFurtherCopies() {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, LARGE);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, LARGE);
    inputs[2] = Floats.heap(RANKS, LARGE)[2];
    outputs[1] = MemorySegment.ofArray(new float[LARGE]);
    RequestBuilder builder = sum("staged", inputs, outputs);
    Request request = builder.build();

    assertThat(request.workflow())
        .isEqualTo(
            new Workflow(
                WorkflowMode.OP_BASE,
                "the output of rank 1 is an array, which peers cannot reach"));
    assertThat(request.isStaged()).isFalse();
    assertThat(builder.explain().toString())
        .contains("mode op-base: the output of rank 1 is an array, which peers cannot reach");
    run(request, outputs, LARGE);
    Captured captured = group.capture(() -> request.run());
    assertThat(captured.isStaged()).isFalse();
    outputs[1].fill((byte) 0);
    captured.run();
    assertThat(Floats.values(outputs[1])).isEqualTo(Floats.sums(RANKS, LARGE));
  }

  @Test
  void smallArraysAreCopiedWhole() {
    MemorySegment[] inputs = Floats.heap(RANKS, 8);
    MemorySegment[] outputs = Floats.heap(RANKS, 8);
    Request request = sum("staged", inputs, outputs).build();

    assertThat(request.workflow())
        .isEqualTo(
            new Workflow(
                WorkflowMode.GRAPH,
                "the input of rank 0 is an array, none is large, and memory that peers cannot"
                    + " reach is copied whole before and after each run"));
    assertThat(request.isStaged()).isTrue();
    run(request, outputs, 8);
  }

  @Test
  void anAlgorithmThatReducesInTheCallersBuffersGetsCopies() {
    MemorySegment[] inputs = Floats.heap(RANKS, LARGE);
    MemorySegment[] outputs = Floats.heap(RANKS, LARGE);
    Request request = sum("pull", inputs, outputs).build();

    assertThat(request.workflow().mode()).isEqualTo(WorkflowMode.GRAPH);
    assertThat(request.workflow().reason())
        .startsWith("the input of rank 0 is an array, which no algorithm takes in op-base mode");
    assertThat(request.isStaged()).isTrue();
    run(request, outputs, LARGE);
  }

  @Test
  void memoryOfAConfinedArenaIsCopiedWholeWhateverTheMode() {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment[] inputs = Floats.filled(confined, RANKS, LARGE);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, LARGE);
      Request request = sum("staged", inputs, outputs).build();

      assertThat(request.workflow().mode()).isEqualTo(WorkflowMode.GRAPH);
      assertThat(request.workflow().reason())
          .startsWith(
              "the input of rank 0 is in a confined arena, and memory that peers cannot reach");
      assertThat(request.isStaged()).isTrue();
      run(request, outputs, LARGE);

      Request asked = sum("staged", inputs, outputs).mode(WorkflowMode.OP_BASE).build();
      assertThat(asked.workflow())
          .isEqualTo(new Workflow(WorkflowMode.OP_BASE, "the caller asked for it"));
      assertThat(asked.isStaged()).isTrue();
      run(asked, outputs, LARGE);
      asked.close();
      request.close();
    }
  }

  @Test
  void aRequestTakesOtherKindsOfBuffersInTheModeItHas() {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, LARGE);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, LARGE);
    MemorySegment[] arrays = Floats.heap(RANKS, LARGE);
    Request request = sum("staged", inputs, outputs).build();
    request.rebind(arrays, outputs);
    run(request, outputs, LARGE);
    assertThat(request.isStaged()).isTrue();

    Request staged = sum("staged", arrays, outputs).build();
    staged.rebind(inputs, outputs);
    run(staged, outputs, LARGE);
    assertThat(staged.workflow().mode()).isEqualTo(WorkflowMode.OP_BASE);
  }
}
