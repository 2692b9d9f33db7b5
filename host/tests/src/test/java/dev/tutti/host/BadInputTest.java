package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything that is refused, with its code and its sentence; afterwards the host works on. */
final class BadInputTest {

  private static final int RANKS = 4;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, 6);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, 6);

  @AfterEach
  void theHostIsStillUsable() {
    MemorySegment[] in = Floats.heap(RANKS, 3);
    group.allReduce(in, in, DataType.FLOAT32, ReduceOp.SUM).run();
    assertThat(Floats.values(in[3])).isEqualTo(Floats.sums(RANKS, 3));
    context.close();
    arena.close();
  }

  private RequestBuilder allReduce(MemorySegment[] in, MemorySegment[] out) {
    return group
        .request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 6))
        .buffers(in, out);
  }

  private String refused(ErrorCode code, RequestBuilder builder) {
    return Errors.message(code, builder::build);
  }

  @Test
  void wrongRankCounts() {
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> context.createGroup(0)))
        .isEqualTo("a group must have at least one rank. Actual: 0");
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> context.createGroup(-3)))
        .isEqualTo("a group must have at least one rank. Actual: -3");
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> context.createGroup(1 << 25)))
        .isEqualTo("a topology holds at most 16777216 ranks");
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> group.rank(4)))
        .isEqualTo("rank must be 0 to 3. Actual: 4");
    assertThat(refused(ErrorCode.INVALID_ARGUMENT, allReduce(new MemorySegment[3], outputs)))
        .isEqualTo("inputs must have one entry per rank. Actual: 3 entries, 4 ranks");
    assertThat(
            refused(
                ErrorCode.INVALID_RANK,
                group.request(CollectiveCall.broadcast(DataType.INT8, 1, 4))))
        .isEqualTo("root must be 0 to 3. Actual: 4");
    assertThat(
            refused(
                ErrorCode.INVALID_RANK,
                group.request(CollectiveCall.sendReceive(DataType.INT8, 1, 0, 9))))
        .isEqualTo("destination must be 0 to 3. Actual: 9");
    assertThat(
            refused(
                ErrorCode.INVALID_RANK,
                group.request(CollectiveCall.sendReceive(DataType.INT8, 1, 2, 2))))
        .isEqualTo("dstRank must be a rank other than this one. Actual: 2");
  }

  @Test
  void negativeAndOverflowingCounts() {
    assertThat(
            refused(
                ErrorCode.INVALID_COUNT,
                group.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, -1))))
        .isEqualTo(
            "count must be 0 or more, and count elements of float32 must fit in 63 bits. Actual:"
                + " -1");
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(
            CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, Long.MAX_VALUE / 2)));
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(CollectiveCall.allGather(DataType.FLOAT64, Long.MAX_VALUE / 9)));
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(CollectiveCall.allGatherV(DataType.INT8, List.of(1L, 2L))));
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(CollectiveCall.allToAllV(DataType.INT8, List.of(List.of(1L)))));
    Long half = Long.MAX_VALUE / 2;
    List<Long> row = List.of(half, 0L, 0L, 0L);
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(CollectiveCall.allToAllV(DataType.INT8, List.of(row, row, row, row))));
    refused(
        ErrorCode.INVALID_COUNT,
        group.request(CollectiveCall.batchSendRecv(DataType.INT8, List.of())));
  }

  @Test
  void countsThatNoProcessCanAddressAreRefusedBeforeAnyAlgorithmIsAsked() {
    long many = (1L << 62) / 4;
    for (CollectiveCall call :
        List.of(
            CollectiveCall.allReduce(DataType.INT8, ReduceOp.SUM, many),
            CollectiveCall.broadcast(DataType.INT8, many, 0),
            CollectiveCall.allGather(DataType.INT8, many),
            CollectiveCall.reduceScatter(DataType.INT8, ReduceOp.SUM, many),
            CollectiveCall.allGatherV(DataType.INT8, List.of(many, 0L, 1L, 2L)),
            CollectiveCall.sendReceive(DataType.INT8, many, 0, 1))) {
      RequestBuilder request = group.request(call);
      assertThat(Errors.message(ErrorCode.INVALID_COUNT, request::plan))
          .startsWith(call + " needs a buffer of ")
          .endsWith(
              " bytes on rank 0, and a process can address 281474976710656; give fewer elements");
      Errors.message(ErrorCode.INVALID_COUNT, request.mode(WorkflowMode.OP_BASE)::plan);
    }
  }

  @Test
  void countsThatCannotBeDerived() {
    MemorySegment[] uneven = inputs.clone();
    uneven[2] = uneven[2].asSlice(0, 20);
    assertThat(
            Errors.message(
                ErrorCode.INVALID_COUNT,
                () -> group.allReduce(uneven, outputs, DataType.FLOAT32, ReduceOp.SUM)))
        .isEqualTo(
            "the inputs of all ranks must have the same size to derive the count; give an explicit"
                + " count with CollectiveCall. Actual: 6 elements on rank 0, 5 on rank 2");
    uneven[0] = uneven[0].asSlice(0, 7);
    assertThat(
            Errors.message(
                ErrorCode.INVALID_COUNT,
                () -> group.allReduce(uneven, outputs, DataType.FLOAT32, ReduceOp.SUM)))
        .isEqualTo(
            "the input of rank 0 must be whole elements of float32, 4 bytes each. Actual: 7 bytes");
    assertThat(
            Errors.message(
                ErrorCode.INVALID_COUNT, () -> group.allToAll(inputs, outputs, DataType.FLOAT32)))
        .isEqualTo("the input of rank 0 must be 4 blocks of one size. Actual: 6 elements");
  }

  @Test
  void buffersThatAreTooSmallOrReadOnly() {
    MemorySegment[] small = outputs.clone();
    small[1] = small[1].asSlice(0, 23);
    assertThat(refused(ErrorCode.BUFFER_TOO_SMALL, allReduce(inputs, small)))
        .isEqualTo("the output of rank 1 must have 24 bytes. Actual: 23 bytes");
    small[1] = null;
    assertThat(refused(ErrorCode.BUFFER_TOO_SMALL, allReduce(inputs, small)))
        .isEqualTo("the output of rank 1 must have 24 bytes. Actual: no buffer");
    small[1] = outputs[1].asReadOnly();
    assertThat(refused(ErrorCode.BUFFER_TOO_SMALL, allReduce(inputs, small)))
        .isEqualTo("the output of rank 1 is read-only; give a writable buffer");
    assertThat(
            refused(
                ErrorCode.BUFFER_TOO_SMALL,
                group.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 6))))
        .isEqualTo("the input of rank 0 must have 24 bytes. Actual: no buffer");
  }

  @Test
  void buffersThatOverlap() {
    MemorySegment all = arena.allocate(1000);
    MemorySegment[] out = outputs.clone();
    MemorySegment[] in = inputs.clone();
    in[0] = all.asSlice(0, 24);
    out[0] = all.asSlice(4, 24);
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(in, out)))
        .isEqualTo(
            "the input of rank 0 and the output of rank 0 overlap; give each rank an output of its"
                + " own, and make input and output of a rank either the same memory or separate");
    in[0] = inputs[0];
    out[0] = all.asSlice(0, 24);
    out[3] = all.asSlice(20, 24);
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(in, out)))
        .startsWith("the output of rank 0 and the output of rank 3 overlap");
    out[3] = inputs[1];
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(in, out)))
        .startsWith("the input of rank 1 and the output of rank 3 overlap");
    out[0] = inputs[0];
    out[3] = outputs[3];
    assertThat(refused(ErrorCode.INVALID_ARGUMENT, allReduce(in, out)))
        .isEqualTo("all ranks must be in place, or none. Actual: rank 0 is, rank 3 is not");
    MemorySegment[] same = {all, all, all, all};
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(same, same)))
        .startsWith("the output of rank 0 and the output of rank 1 overlap");
  }

  @Test
  void arraysThatOverlap() {
    MemorySegment array = MemorySegment.ofArray(new float[12]);
    MemorySegment[] out = outputs.clone();
    MemorySegment[] in = inputs.clone();
    out[0] = array.asSlice(0, 24);
    out[2] = array.asSlice(20, 24);
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(in, out)))
        .startsWith("the output of rank 0 and the output of rank 2 overlap");
    out[2] = outputs[2];
    in[3] = array.asSlice(8, 24).asReadOnly();
    assertThat(refused(ErrorCode.BUFFER_OVERLAP, allReduce(in, out)))
        .startsWith("the output of rank 0 and the input of rank 3 overlap");
    in[3] = array.asSlice(24, 24).asReadOnly();
    allReduce(in, out).run();
  }

  @Test
  void sharedInputsAreFine() {
    MemorySegment[] in = {inputs[0], inputs[0], inputs[0], inputs[0]};
    allReduce(in, outputs).run();
    assertThat(Floats.values(outputs[1])[0]).isEqualTo(4);
  }

  @Test
  void operationsThatCannotRunInPlace() {
    CollectiveCall call = CollectiveCall.allToAll(DataType.FLOAT32, 1);
    assertThat(
            refused(
                ErrorCode.BUFFER_OVERLAP,
                group
                    .request(call)
                    .buffers(
                        inputs,
                        new MemorySegment[] {inputs[0], outputs[1], outputs[2], outputs[3]})))
        .isEqualTo(
            "alltoall cannot run in place, but input and output of rank 0 are the same memory; give"
                + " another output");
  }

  @Test
  void memoryThatIsNotThere() throws InterruptedException {
    Arena freed = Arena.ofShared();
    MemorySegment[] in = inputs.clone();
    in[2] = freed.allocate(24);
    freed.close();
    assertThat(refused(ErrorCode.BUFFER_UNAVAILABLE, allReduce(in, outputs)))
        .isEqualTo(
            "the memory of the input of rank 2 was freed; keep its arena open while requests use"
                + " it");
    try (Arena confined = Arena.ofConfined()) {
      in[2] = confined.allocate(24);
      Request request = allReduce(in, outputs).build();
      String[] messages = new String[2];
      Thread other =
          new Thread(
              () -> {
                messages[0] = refused(ErrorCode.BUFFER_UNAVAILABLE, allReduce(in, outputs));
                messages[1] = Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::run);
              });
      other.start();
      other.join();
      assertThat(messages[0])
          .isEqualTo(
              "the input of rank 2 is in a confined arena of another thread; use a shared arena, or"
                  + " Context.allocate");
      assertThat(messages[1])
          .isEqualTo(
              "a buffer is in a confined arena of another thread; run the request there, or use a"
                  + " shared arena");
      request.run();
    }
    assertThat(Errors.message(ErrorCode.OUT_OF_MEMORY, () -> context.allocate(1L << 50)))
        .startsWith("not enough native memory for 1125899906842624 bytes; ");
    Errors.message(ErrorCode.OUT_OF_MEMORY, () -> context.allocate(Long.MAX_VALUE));
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> context.allocate(-1)))
        .isEqualTo("the size of memory must be 0 or more bytes. Actual: -1");
    RegisteredMemory memory = context.allocate(64);
    memory.close();
    memory.close();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, memory::segment))
        .isEqualTo("the memory was freed; allocate it again");
  }

  @Test
  void unknownNames() {
    assertThat(refused(ErrorCode.UNKNOWN_NAME, allReduce(inputs, outputs).algorithm("pul")))
        .isEqualTo("unknown allreduce algorithm 'pul'; did you mean 'pull'? (known: pull)");
    assertThat(refused(ErrorCode.UNKNOWN_NAME, allReduce(inputs, outputs).algorithm("ring:pull")))
        .startsWith("unknown allreduce algorithm 'ring:pull'");
    assertThat(refused(ErrorCode.UNKNOWN_NAME, allReduce(inputs, outputs).algorithm("")))
        .startsWith("unknown allreduce algorithm ''");
    assertThat(
            refused(
                ErrorCode.UNKNOWN_NAME,
                allReduce(inputs, outputs).algorithm("pull").parameter("radix", 4)))
        .isEqualTo("unknown algorithm parameter 'radix' (none is known)");
    assertThat(refused(ErrorCode.UNSUPPORTED, allReduce(inputs, outputs).parameter("radix", 4)))
        .contains("embedded:pull: unknown algorithm parameter 'radix'");
  }

  @Test
  void typesThatTheReductionDoesNotTake() {
    assertThat(
            refused(
                ErrorCode.UNSUPPORTED_TYPE,
                group.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.BXOR, 6))))
        .startsWith("reduction bxor takes integer types only. Actual: type=float32");
  }

  @Test
  void requestsThatNobodySupports() {
    assertThat(
            refused(
                ErrorCode.UNSUPPORTED,
                group.request(CollectiveCall.allGatherV(DataType.INT8, List.of(0L, 0L, 0L, 0L)))))
        .isEqualTo(
            "no algorithm for allgatherv of 0 bytes on 4 ranks, graph, direct is loaded; put a"
                + " plugin that has one into the plugins directory, and name the operation if the"
                + " context loads only some");
    assertThat(
            refused(
                ErrorCode.UNSUPPORTED,
                allReduce(inputs, outputs).determinism(Determinism.SAME_SIZES)))
        .isEqualTo(
            "no algorithm supports allreduce of 24 bytes on 4 ranks, graph, direct: embedded:pull:"
                + " promises determinism same-runs, less than same-sizes");
  }

  @Test
  void deadlinesAndLimitsOutOfRange() {
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT,
                () -> allReduce(inputs, outputs).deadline(Duration.ZERO)))
        .isEqualTo("a deadline must be longer than zero. Actual: PT0S");
    Errors.message(
        ErrorCode.INVALID_ARGUMENT, () -> Context.builder().deadline(Duration.ofSeconds(-1)));
    Errors.message(
        ErrorCode.INVALID_ARGUMENT, () -> Context.builder().planningLimit(Duration.ZERO));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Context.builder().cclBufferSize(255));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Context.builder().workers(0));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Context.builder().sourceLinesUpTo(-1));
    allReduce(inputs, outputs).deadline(Duration.ofSeconds(Long.MAX_VALUE)).run();
  }

  @Test
  void aPluginsDirectoryThatIsMissing() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_UNREADABLE,
                () -> Context.builder().pluginsDirectory(Path.of("no/such/place")).open()))
        .isEqualTo(
            "the plugins directory no/such/place does not exist; create it, or name another one");
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_UNREADABLE,
                () -> Context.builder().pluginsDirectory(Path.of("no/such.jar")).open()))
        .isEqualTo("the plugin jar no/such.jar does not exist; name another one");
  }

  @Test
  void executorsThatThrow() {
    ContextBuilder builder =
        SampleAlgorithms.addTo(Context.builder())
            .algorithm("supports", new ThrowsInSupports())
            .algorithm("cost", new ThrowsInCost())
            .algorithm("resources", new ThrowsInResources())
            .algorithm("orchestrate", new ThrowsInOrchestrate())
            .algorithm("recursive", new Recursive())
            .algorithm("null", new ReturnsNull());
    try (Context bad = builder.open();
        Group of = bad.createGroup(RANKS)) {
      RequestBuilder request =
          of.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 6))
              .buffers(inputs, outputs);
      assertThat(refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("supports")))
          .isEqualTo(
              "supports() or cost() of allreduce embedded:supports failed:"
                  + " java.lang.IllegalStateException: no");
      refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("cost"));
      assertThat(refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("resources")))
          .contains("calcResRequest of ", " failed for rank 0 at ", "IllegalStateException: no");
      assertThat(refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("orchestrate")))
          .contains("orchestrate of ", " failed for rank 0 at ", "IllegalStateException: no");
      refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("recursive"));
      assertThat(refused(ErrorCode.EXECUTOR_FAILED, request.algorithm("null")))
          .contains("returned null");
      // Without a name they are passed over, visibly, and the others serve.
      assertThat(request.algorithm(null).explain().toString())
          .contains("supports: supports() or cost() of", "IllegalStateException: no");
      request.algorithm("pull").run();
      assertThat(of.isPoisoned()).isFalse();
    }
  }

  @Test
  void anExecutorThatNeverReturns() {
    try (Context bad =
            Context.builder()
                .planningLimit(Duration.ofMillis(200))
                .algorithm("endless", new Endless())
                .open();
        Group of = bad.createGroup(2)) {
      assertThat(
              Errors.message(
                  ErrorCode.EXECUTOR_FAILED,
                  () ->
                      of.request(CollectiveCall.allReduce(DataType.INT8, ReduceOp.MAX, 0)).plan()))
          .startsWith(
              "planning allreduce of 0 int8, max with allreduce embedded:endless did not finish in"
                  + " 200 ms of processor time; it is at ")
          .contains("BadInputTest$Endless.orchestrate")
          .endsWith("is there an endless loop? If not, give a longer planning limit");
    }
  }

  @Test
  void aPlanThatDeadlocks() {
    try (Context bad =
            Context.builder().algorithm("stuck", new SampleAlgorithms.Deadlocking()).open();
        Group of = bad.createGroup(RANKS)) {
      assertThat(
              refused(
                  ErrorCode.DEADLOCK,
                  of.request(CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 6))
                      .buffers(inputs, outputs)))
          .contains("Deadlocking.pull(SampleAlgorithms.java:");
      assertThat(of.isPoisoned()).isFalse();
    }
  }

  private static final class ThrowsInSupports extends SampleAlgorithms.Broken {
    @Override
    public Support supports(AllReduceParam param) {
      throw new IllegalStateException("no");
    }
  }

  private static final class ThrowsInCost extends SampleAlgorithms.Broken {
    @Override
    public Optional<Cost> cost(AllReduceParam param) {
      throw new IllegalStateException("no");
    }
  }

  private static final class ThrowsInResources extends SampleAlgorithms.Broken {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      throw new IllegalStateException("no");
    }
  }

  private static final class ThrowsInOrchestrate extends SampleAlgorithms.Broken {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      throw new IllegalStateException("no");
    }
  }

  private static final class Recursive extends SampleAlgorithms.Broken {
    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      descend(param.count());
    }

    /** Goes on for as long as the count is not negative, which is for ever. */
    private static long descend(long count) {
      return count < 0 ? 0 : 1 + descend(count);
    }
  }

  private static final class ReturnsNull extends SampleAlgorithms.Broken {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return null;
    }
  }

  private static final class Endless extends SampleAlgorithms.Broken {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
    }
  }
}
