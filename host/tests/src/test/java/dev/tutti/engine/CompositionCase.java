package dev.tutti.engine;

import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of plans over a pool of memory, which is run one by one and as one plan. Places
 * in the pool are whole cells, some of them in memory with overlapping views.
 */
final class CompositionCase implements AutoCloseable {

  static final long CELL = 4L * RandomExecutor.CELLS * Integer.BYTES;
  private static final int CELLS_PER_MEMORY = 3;
  private static final long TIMEOUT = 60_000_000_000L;

  final int ranks;
  final Composition composition;
  private final Arena arena = Arena.ofShared();
  private final List<GroupPlan> plans = new ArrayList<>();

  /** Cells of input and output of each rank in each part. */
  private final List<int[][]> cells = new ArrayList<>();

  private final List<Composition.Memory> memories = new ArrayList<>();
  private final int cellCount;
  private final MemorySegment eager;
  private final MemorySegment captured;
  private final Random random;

  CompositionCase(long seed) {
    this.random = new Random(seed);
    this.ranks = 2 + random.nextInt(4);
    this.composition = new Composition(ranks);
    int memoryCount = 1 + ranks;
    this.cellCount = memoryCount * CELLS_PER_MEMORY;
    this.eager = arena.allocate(cellCount * CELL, 64);
    this.captured = arena.allocate(cellCount * CELL, 64);
    for (int memory = 0; memory < memoryCount; memory++) {
      boolean isShared = random.nextInt(3) == 0;
      memories.add(
          isShared
              ? composition.memory(
                  memory % ranks,
                  List.of(new Composition.View(0, 2 * CELL), new Composition.View(CELL, 2 * CELL)))
              : composition.memory(memory % ranks, CELLS_PER_MEMORY * CELL));
    }
    int parts = 2 + random.nextInt(5);
    for (int part = 0; part < parts; part++) {
      addPart();
    }
  }

  private void addPart() {
    GroupPlan plan = AllReduceCase.plan(executor(), ranks, CELL / Integer.BYTES);
    List<Integer> drawn = new ArrayList<>(IntStream.range(0, cellCount).boxed().toList());
    Collections.shuffle(drawn, random);
    int[][] ofPart = new int[2][ranks];
    for (int rank = 0; rank < ranks; rank++) {
      ofPart[1][rank] = drawn.get(rank);
      // Inputs may share memory, outputs may not.
      ofPart[0][rank] = drawn.get(ranks + random.nextInt(ranks));
    }
    plans.add(plan);
    cells.add(ofPart);
    composition.part(plan, (rank, type) -> place(ofPart, rank, type));
  }

  private Composition.@Nullable Place place(int[][] ofPart, int rank, TransportMemType type) {
    if (Composition.isPrivate(type)) {
      return null;
    }
    int cell = ofPart[type == TransportMemType.PARAM_INPUT ? 0 : 1][rank];
    return new Composition.Place(
        memories.get(cell / CELLS_PER_MEMORY), cell % CELLS_PER_MEMORY * CELL);
  }

  private CollExecutorBase<AllReduceParam> executor() {
    return switch (random.nextInt(6)) {
      case 0 -> new TestExecutors.TwoStage();
      case 1 -> new TestExecutors.Star();
      case 2 -> new Lonely();
      case 3, 4 -> new FromTheLeft();
      default -> new RandomExecutor(random.nextLong());
    };
  }

  /** Fills both pools with the same values. */
  void fill(int round) {
    for (long i = 0; i < eager.byteSize() / Integer.BYTES; i++) {
      eager.setAtIndex(ValueLayout.JAVA_INT, i, (int) (i * 31 + round * 7919L));
    }
    captured.copyFrom(eager);
  }

  /** Runs the plans one after another. */
  void runEach(Engine engine) {
    for (int part = 0; part < plans.size(); part++) {
      GroupPlan plan = plans.get(part);
      @Nullable MemorySegment[][] memory = own(plan);
      for (int rank = 0; rank < ranks; rank++) {
        memory[rank][TransportMemType.PARAM_INPUT.ordinal()] = cell(cells.get(part)[0][rank]);
        memory[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = cell(cells.get(part)[1][rank]);
      }
      engine.bind(engine.compile(plan, CompileOptions.defaults()), memory).run(TIMEOUT);
    }
  }

  private MemorySegment cell(int number) {
    return eager.asSlice(number * CELL, CELL);
  }

  private @Nullable MemorySegment[][] own(GroupPlan plan) {
    @Nullable MemorySegment[][] memory = new MemorySegment[ranks][TransportMemType.values().length];
    for (int rank = 0; rank < ranks; rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        long size = plan.rank(rank).memSize(type);
        if (type == TransportMemType.SCRATCH && size > 0) {
          memory[rank][type.ordinal()] = arena.allocate(size, 64);
        }
      }
    }
    return memory;
  }

  /** Binds the joined plan to the other pool. */
  Binding bind(Engine engine, Composite composite, CompileOptions options) {
    return engine.bind(engine.compile(composite, options), own(composite.plan()), views());
  }

  /**
   * Runs the joined plan on the other pool, by processes that send each other messages.
   *
   * @param processOf the process of each rank
   */
  void runByMessages(Engine engine, Composite composite, int[] processOf, long seed) {
    MessagePlan messages = engine.compileForMessages(composite, processOf);
    RandomNetwork network = new RandomNetwork(messages.processes(), seed, seed % 3 / 2.0);
    MessageJob.run(messages, own(composite.plan()), views(), network, process -> {}, seed % 2 == 0);
  }

  private MemorySegment[] views() {
    MemorySegment[] views = new MemorySegment[composition.views()];
    long at = 0;
    for (Composition.Memory memory : memories) {
      int view = memory.firstView();
      for (Composition.View each : memory.views()) {
        views[view++] = captured.asSlice(at + each.offset(), each.bytes());
      }
      at += memory.bytes();
    }
    return views;
  }

  void run(Binding binding) {
    binding.run(TIMEOUT);
  }

  /** The place where the pools differ, or -1. */
  long mismatch() {
    return eager.mismatch(captured);
  }

  @Override
  public void close() {
    arena.close();
  }

  /** Each rank copies its own input; no rank waits for another. */
  static final class Lonely extends TestExecutors.MeshExecutor {
    Lonely() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
    }
  }

  /**
   * Each rank copies its left neighbour's input from scratch memory, and does not signal when it
   * has.
   */
  private static final class FromTheLeft extends CollExecutorBase<AllReduceParam> {

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.of(
              OpCommTransport.mesh(
                  param.comm(),
                  CommPlane.COMBINED,
                  TransportMemType.SCRATCH,
                  TransportMemType.SCRATCH))
          .withScratchMemSize(param.inputBytes());
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      int right = (comm.localRank() + 1) % comm.localRankSize();
      int left = (comm.localRank() + comm.localRankSize() - 1) % comm.localRankSize();
      Link from = comm.link(left);
      resources.mainStream().copy(resources.scratchMem(), resources.paramInputMem());
      comm.link(right).post(resources.mainStream(), Link.READY);
      from.await(resources.mainStream(), Link.READY);
      from.read(
          resources.mainStream(),
          resources.paramOutputMem(),
          from.remote(TransportMemType.SCRATCH));
    }
  }
}
