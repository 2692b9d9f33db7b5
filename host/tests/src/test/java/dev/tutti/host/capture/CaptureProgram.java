package dev.tutti.host.capture;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of operations on buffers of shared memory, registered memory and an array, used
 * again, sliced and with gaps, to be run twice: on one set of memories and on another one.
 */
public final class CaptureProgram {

  private static final int CELL = 12;
  private static final int CELLS = 64;

  /** Six elements in at most twelve. */
  private static final List<Layout> LAYOUTS =
      List.of(
          Layout.vector(2, 3, 5).withExtent(11),
          Layout.vector(6, 1, 2).withExtent(12),
          Layout.vector(3, 2, 3),
          Layout.indexed(new long[] {1, 3, 2}, new long[] {9, 0, 5}).withExtent(12));

  final int ranks;
  private final List<Step> steps = new ArrayList<>();
  private final List<Piece> used = new ArrayList<>();
  private final Random random;

  /** Some cells of one of the memories. */
  private record Piece(int memory, int cell, int cells) {}

  private record Step(
      CollectiveCall call,
      CallOptions options,
      @Nullable Piece[] inputs,
      @Nullable Piece[] outputs) {}

  /** The memories that a program runs on. */
  public record Memories(List<MemorySegment> all) {

    public static Memories of(Context context, Arena arena) {
      long bytes = (long) CELLS * CELL * Float.BYTES;
      return new Memories(
          List.of(
              arena.allocate(bytes, 64),
              context.allocate(bytes).segment(),
              MemorySegment.ofArray(new float[CELLS * CELL])));
    }

    public void fill(long seed) {
      Random values = new Random(seed);
      for (MemorySegment memory : all) {
        for (long i = 0; i < CELLS * CELL; i++) {
          memory.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, values.nextFloat() - 0.5f);
        }
      }
    }

    public boolean hasBitsOf(Memories other) {
      boolean isEqual = true;
      for (int i = 0; i < all.size(); i++) {
        isEqual &= all.get(i).mismatch(other.all.get(i)) < 0;
      }
      return isEqual;
    }

    private @Nullable MemorySegment[] segments(@Nullable Piece[] pieces) {
      @Nullable MemorySegment[] segments = new MemorySegment[pieces.length];
      for (int rank = 0; rank < pieces.length; rank++) {
        Piece piece = pieces[rank];
        if (piece != null) {
          segments[rank] =
              all.get(piece.memory)
                  .asSlice(
                      (long) piece.cell * CELL * Float.BYTES,
                      (long) piece.cells * CELL * Float.BYTES);
        }
      }
      return segments;
    }
  }

  public CaptureProgram(long seed) {
    this(new Random(seed), 0);
  }

  public CaptureProgram(long seed, int ranks) {
    this(new Random(seed), ranks);
  }

  /** A program for a number of ranks; 0 for any number. */
  private CaptureProgram(Random random, int wanted) {
    this.random = random;
    int any = 2 + random.nextInt(4);
    ranks = wanted == 0 ? any : wanted;
    int count = 2 + random.nextInt(6);
    for (int step = 0; step < count; step++) {
      steps.add(step());
    }
  }

  private Step step() {
    boolean[][] taken = new boolean[3][CELLS];
    int root = random.nextInt(ranks);
    ReduceOp op = ReduceOp.values()[random.nextInt(4)];
    return switch (random.nextInt(9)) {
      case 0, 1 -> allReduce(taken, op);
      case 2 -> broadcast(taken, root);
      case 3 -> step(taken, CollectiveCall.allGather(DataType.FLOAT32, CELL), -1, 1, -1, ranks);
      case 4 ->
          step(taken, CollectiveCall.reduceScatter(DataType.FLOAT32, op, CELL), -1, ranks, -1, 1);
      case 5 ->
          step(
              taken,
              CollectiveCall.allToAll(DataType.FLOAT32, CELL / 2),
              -1,
              (ranks + 1) / 2,
              -1,
              (ranks + 1) / 2);
      case 6 -> step(taken, CollectiveCall.exclusiveScan(DataType.FLOAT32, op, CELL), -1, 1, -1, 1);
      case 7 -> {
        int to = (root + 1) % ranks;
        yield step(
            taken, CollectiveCall.sendReceive(DataType.FLOAT32, CELL, root, to), root, 1, to, 1);
      }
      default ->
          step(taken, CollectiveCall.reduce(DataType.FLOAT32, op, CELL, root), -1, 1, root, 1);
    };
  }

  private Step allReduce(boolean[][] taken, ReduceOp op) {
    int cells = 1 + random.nextInt(3);
    CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, op, (long) cells * CELL);
    Step step = step(taken, call, -1, cells, -1, cells);
    boolean isStaged = random.nextBoolean();
    CallOptions options =
        isStaged
            ? CallOptions.defaults().withAlgorithm("staged").withMode(WorkflowMode.OP_BASE)
            : CallOptions.defaults().withAlgorithm("pull");
    boolean isInPlace = random.nextInt(3) == 0;
    Layout out = step.options.outputLayout();
    Layout in = isInPlace ? out : step.options.inputLayout();
    return new Step(
        call, options.withLayouts(in, out), isInPlace ? step.outputs : step.inputs, step.outputs);
  }

  /** A step of which only one rank has inputs or outputs, or all have for a negative number. */
  private Step step(
      boolean[][] taken,
      CollectiveCall call,
      int inputRank,
      int inputCells,
      int outputRank,
      int outputCells) {
    Layout in = layout();
    Layout out = layout();
    @Nullable Piece[] inputs = new Piece[ranks];
    @Nullable Piece[] outputs = new Piece[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      inputs[rank] = inputRank < 0 || inputRank == rank ? take(taken, cells(in, inputCells)) : null;
      outputs[rank] =
          outputRank < 0 || outputRank == rank ? take(taken, cells(out, outputCells)) : null;
    }
    CallOptions options = CallOptions.defaults().withAlgorithm("pull").withLayouts(in, out);
    return new Step(call, options, inputs, outputs);
  }

  private Layout layout() {
    return random.nextBoolean() ? Layout.contiguous() : LAYOUTS.get(random.nextInt(LAYOUTS.size()));
  }

  private static int cells(Layout layout, int cells) {
    return layout.isContiguous() ? cells : 2 * cells;
  }

  /** Root's input is its output. */
  private Step broadcast(boolean[][] taken, int root) {
    CollectiveCall call = CollectiveCall.broadcast(DataType.FLOAT32, CELL, root);
    Step step = step(taken, call, root, 1, -1, 1);
    if (random.nextInt(3) == 0) {
      Layout both = step.options.outputLayout();
      step.inputs[root] = step.outputs[root];
      return new Step(call, step.options.withLayouts(both, both), step.inputs, step.outputs);
    }
    return step;
  }

  private Piece take(boolean[][] taken, int cells) {
    while (true) {
      Piece known = used.isEmpty() ? null : used.get(random.nextInt(used.size()));
      boolean isAgain = known != null && known.cell + cells <= CELLS && random.nextInt(3) > 0;
      int memory = isAgain ? known.memory : random.nextInt(taken.length);
      int cell = isAgain ? known.cell : random.nextInt(CELLS - cells + 1);
      boolean isFree = true;
      for (int i = cell; i < cell + cells; i++) {
        isFree &= !taken[memory][i];
      }
      if (isFree) {
        Arrays.fill(taken[memory], cell, cell + cells, true);
        Piece piece = new Piece(memory, cell, cells);
        used.add(piece);
        return piece;
      }
    }
  }

  /** Runs all operations, each as a separate request. */
  public void run(Group group, Memories memories) {
    for (Step step : steps) {
      group
          .request(step.call)
          .options(step.options)
          .buffers(memories.segments(step.inputs), memories.segments(step.outputs))
          .run();
    }
  }

  /** All operations without a run, as a capture has them. */
  public List<RecordedCall> record(Group group, Memories memories) {
    List<RecordedCall> calls = new ArrayList<>();
    for (Step step : steps) {
      try (Request request =
          group
              .request(step.call)
              .options(step.options)
              .buffers(memories.segments(step.inputs), memories.segments(step.outputs))
              .build()) {
        calls.add(HostAccess.operation(request).recorded());
      }
    }
    return calls;
  }

  public boolean hasGaps() {
    return steps.stream()
        .anyMatch(
            step ->
                !step.options.inputLayout().isContiguous()
                    || !step.options.outputLayout().isContiguous());
  }

  /** Makes the calls of one rank of the group. */
  public void run(RankHandle rank, Memories memories) {
    for (Step step : steps) {
      MemorySegment input = memories.segments(step.inputs)[rank.rank()];
      MemorySegment output = memories.segments(step.outputs)[rank.rank()];
      if (!step.call.isTransfer() || input != null || output != null) {
        rank.with(step.options).run(step.call, input, output);
      }
    }
  }

  @Override
  public String toString() {
    return ranks + " ranks: " + steps;
  }

  /** Reduces in the staging buffers. */
  public static class StagedAllReduce extends NativeExecutorBase<AllReduceParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      AlgResourceResponse resources = mem.resources();
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      SampleAlgorithms.Pulling.barrier(comm, resources.mainStream(), Link.READY);
      List<DeviceMem> sources = new ArrayList<>();
      for (int rank = 0; rank < comm.localRankSize(); rank++) {
        sources.add(
            rank == comm.localRank()
                ? mem.input()
                : comm.link(rank).remote(inputMemType(param)).slice(0, mem.input().size()));
      }
      resources.mainStream().reduceFrom(mem.output(), sources, param.dataType(), param.reduceOp());
      SampleAlgorithms.Pulling.barrier(comm, resources.mainStream(), Link.FIN);
    }
  }
}
