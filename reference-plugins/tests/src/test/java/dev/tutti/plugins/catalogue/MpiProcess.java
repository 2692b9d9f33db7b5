package dev.tutti.plugins.catalogue;

import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.MessagePlan;
import dev.tutti.engine.MessageRun;
import dev.tutti.engine.mpi.MpiLibrary;
import dev.tutti.engine.mpi.MpiWire;
import dev.tutti.engine.mpi.MpiWorld;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * One of the processes that an MPI launcher starts: runs plans of every algorithm with the others
 * and compares what its ranks get with what they get in one JVM. Its last line counts the plans;
 * its exit code is 0 if all bits are the same.
 */
final class MpiProcess {

  /** More ranks than processes, as many, and fewer. */
  private static final List<String> SHAPES = List.of("6", "2+2", "3", "2");

  private static final long COUNT = 1031;
  private static final long CCL_BYTES = 2 << 10;
  private static final long DEADLINE_NANOS = 60_000_000_000L;

  private static final EngineConfig CONFIG =
      new EngineConfig(1, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  static final String MISTAKES = "mistakes";

  private final Engine engine = new Engine(CONFIG);
  private final MpiWorld world;
  private final MpiWire wire;
  private int plans;

  private MpiProcess(MpiWorld world, MpiWire wire) {
    this.world = world;
    this.wire = wire;
  }

  /** With the argument {@value #MISTAKES} it only sends itself messages of wrong lengths. */
  public static void main(String[] arguments) {
    MpiLibrary library = MpiLibrary.open(null, System.getenv());
    if (List.of(arguments).contains(MISTAKES)) {
      makeMistakes(library);
      return;
    }
    try (MpiWorld world = MpiWorld.join(library)) {
      MpiProcess process = new MpiProcess(world, newWire(world));
      Algorithm.all().stream()
          .filter(each -> each.operation() != Operation.RECEIVE)
          .forEach(process::run);
      // In one piece, as others write to the same terminal.
      System.out.println(
          "%s: process %d of %d: %d plans"
              .formatted(library.version(), world.process(), world.processes(), process.plans));
    }
  }

  private static MpiWire newWire(MpiWorld world) {
    return world.newWire(0, IntStream.range(0, world.processes()).toArray());
  }

  /** In each mode a plan of one shape, from the list one after the other. */
  private void run(Algorithm algorithm) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      int before = plans;
      for (int i = 0; i < SHAPES.size() && plans == before; i++) {
        String shape = SHAPES.get((before + i) % SHAPES.size());
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape)).withMode(mode).withCclBufferSize(CCL_BYTES);
        CollectiveCase c =
            CollectiveCase.of(algorithm.operation(), comm.topology())
                .withComm(comm)
                .withDataType(DataType.FLOAT32)
                .withCount(COUNT);
        List<RankProgram> programs = algorithm.programs(c);
        if (!programs.isEmpty()) {
          run(c, new PlanRecorder().record("plan", programs));
          plans++;
        }
      }
    }
  }

  /** Ranks are dealt to processes in blocks and in turns, one plan after the other. */
  private int[] processes(int ranks) {
    int used = Math.min(ranks, world.processes());
    return plans % 2 == 0
        ? IntStream.range(0, ranks).map(rank -> rank * used / ranks).toArray()
        : IntStream.range(0, ranks).map(rank -> rank % used).toArray();
  }

  private void run(CollectiveCase c, GroupPlan plan) {
    int[] processOf = processes(plan.rankSize());
    MessagePlan messages = engine.compileForMessages(plan, processOf);
    if (world.process() >= messages.processes()) {
      return;
    }
    try (Arena arena = Arena.ofShared()) {
      GroupMemory wanted = new GroupMemory(plan, arena, 1);
      engine
          .bind(engine.compile(plan, CompileOptions.defaults()), wanted.segments())
          .run(DEADLINE_NANOS);
      GroupMemory actual = new GroupMemory(plan, arena, 1);
      MemorySegment staging = arena.allocate(messages.stagingBytes(world.process()), 64);
      await(messages.bind(world.process(), actual.segments(), staging, wire));
      for (int rank = 0; rank < processOf.length; rank++) {
        if (processOf[rank] == world.process()
            && actual.output(rank).mismatch(wanted.output(rank)) >= 0) {
          throw new AssertionError(
              "%s, processes of ranks %s: other bits at rank %d"
                  .formatted(c, Arrays.toString(processOf), rank));
        }
      }
    }
  }

  private static void await(MessageRun run) {
    run.begin();
    await(
        () -> {
          boolean ignored = run.advance();
          return run.isDone();
        },
        run);
  }

  private static void await(BooleanSupplier isDone, Object what) {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (!isDone.getAsBoolean()) {
      Thread.yield();
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not done: " + what);
      }
    }
  }

  private static void makeMistakes(MpiLibrary library) {
    try (Arena arena = Arena.ofShared();
        MpiWorld world = MpiWorld.join(library)) {
      MpiWire wire = newWire(world);
      MemorySegment memory = arena.allocate(128);
      for (long sent : new long[] {8, 32}) {
        try {
          wire.send(0, world.process(), memory, 0, sent);
          wire.receive(1, world.process(), memory, 64, 16);
          await(() -> wire.isDone(1), "a message of " + sent + " bytes");
        } catch (TuttiException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }
}
