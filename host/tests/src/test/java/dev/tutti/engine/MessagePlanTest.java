package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.engine.message.Wire;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that send each other messages do the same as one JVM, however ranks are divided among
 * them.
 */
class MessagePlanTest {

  private static final int PLANS = 10;
  private static final EngineConfig CONFIG =
      new EngineConfig(1, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  @ParameterizedTest
  @CsvSource({
    "64, 4194304, 0, true, 1",
    "64, 4194304, 1, false, 2",
    "256, 64, 0, false, 3",
    "8192, 64, 0.5, true, 4",
    "8192, 1024, 0, true, 5",
    "40000, 16384, 0.5, false, 6"
  })
  void everySplitGivesTheBitsOfOneJvm(
      int cellBytes, long piece, double eager, boolean isLazy, long firstSeed) {
    for (long seed = firstSeed * 1000; seed < firstSeed * 1000 + PLANS; seed++) {
      int ranks = 2 + (int) (seed % 4);
      long count = (long) RandomExecutor.CELLS * cellBytes / Integer.BYTES;
      GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), ranks, count);
      try (AllReduceCase work = new AllReduceCase(plan, count)) {
        MemorySegment[] expected = embedded(work, (int) seed);
        List<int[]> splits = RandomNetwork.splits(ranks);
        for (int[] split : splits.size() > 5 ? sample(splits, seed) : splits) {
          MessageJob job = new MessageJob(work, split, piece);
          work.fill((int) seed);
          assertSame(job.run(seed, eager, isLazy), expected, "seed " + seed + ", " + job);
        }
      }
    }
  }

  /** Some splits, those of a rank each and of all together among them. */
  private static List<int[]> sample(List<int[]> splits, long seed) {
    List<int[]> some = new ArrayList<>(List.of(splits.getFirst(), splits.getLast()));
    for (int i = 0; i < 4; i++) {
      some.add(splits.get((int) ((seed * 31 + i * 7) % splits.size())));
    }
    return some;
  }

  @Test
  void oneProcessSendsNothing() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, 64)) {
      MessagePlan plan = compile(work.plan(), 0, 0, 0, 0);

      assertThat(plan.processes()).isEqualTo(1);
      assertThat(plan.messages(0)).isZero();
      assertThat(plan.stagingBytes(0)).isZero();
    }
  }

  /** Each rank's slices of the inputs come from the others, and its result goes to them. */
  @Test
  void signalsCostNoMessage() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, 64)) {
      MessagePlan plan = compile(work.plan(), 0, 1, 2, 3);

      assertThat(plan.messages(0)).isEqualTo(4 * 3);
    }
  }

  /** All processes send what the others need of them before they wait for anything. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void nothingIsAwaitedBeforeAllInputsAreSent(int ranks) {
    int[] processOf = IntStream.range(0, ranks).toArray();
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), ranks, 64)) {
      MessageJob job = new MessageJob(work, processOf, MessageLowering.PIECE);
      for (int process = 0; process < ranks; process++) {
        TaskArrays tasks = job.tasks(process);
        int sent = 0;
        for (int task = 0; tasks.op[task] != TaskArrays.AWAIT; task++) {
          sent += tasks.op[task] == TaskArrays.SEND ? 1 : 0;
        }
        assertThat(sent).as("process %d", process).isEqualTo(ranks - 1);
      }
    }
  }

  /** No process waits for pieces of its own part while it has sent none of the others' parts. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void piecesAreSentWhileOthersAreReceived(int ranks) {
    int piece = 64;
    int pieces = 16;
    int ints = ranks * pieces * piece / Integer.BYTES;
    int[] processOf = IntStream.range(0, ranks).toArray();
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), ranks, ints)) {
      MessageJob job = new MessageJob(work, processOf, piece);
      for (int process = 0; process < ranks; process++) {
        TaskArrays tasks = job.tasks(process);
        int sent = 0;
        int reduced = 0;
        for (int task = 0; task < tasks.size; task++) {
          sent += tasks.op[task] == TaskArrays.SEND ? 1 : 0;
          if (tasks.op[task] == TaskArrays.REDUCE_FROM) {
            assertThat(sent)
                .as("process %d, piece %d", process, reduced)
                .isGreaterThanOrEqualTo((ranks - 1) * Math.min(reduced + 2, pieces));
            reduced++;
          }
        }
        assertThat(reduced).isEqualTo(pieces);
        assertThat(sent).as("inputs and results").isEqualTo(2 * (ranks - 1) * pieces);
      }
    }
  }

  /** The contributions of all ranks of a process go to another process as one message. */
  @Test
  void whatIsInOneProcessIsReducedThere() {
    try (AllReduceCase work = AllReduceCase.of(new Gathering(), 4, 64)) {
      MessagePlan plan = compile(work.plan(), 0, 1, 1, 1);

      assertThat(plan.messages(0)).isEqualTo(1);
      assertThat(plan.stagingBytes(0)).isZero();
      assertThat(plan.stagingBytes(1)).isEqualTo(256);
    }
  }

  /** Rank 0 adds up the inputs of the others. */
  private static final class Gathering extends TestExecutors.MeshExecutor {
    Gathering() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      meet(comm, main, Link.READY);
      if (comm.localRank() == 0) {
        List<DeviceMem> sources = new ArrayList<>();
        for (int rank = 1; rank < comm.localRankSize(); rank++) {
          sources.add(comm.link(rank).remote(TransportMemType.PARAM_INPUT));
        }
        main.reduceFrom(resources.paramOutputMem(), sources, param.dataType(), param.reduceOp());
      }
      meet(comm, main, Link.FIN);
    }
  }

  /**
   * Bytes that are sent through one view are not overwritten through another view of the same
   * memory before they have left.
   */
  @Test
  void viewsOfOneMemoryAreKnownToOverlap() {
    for (long seed = 0; seed < 10; seed++) {
      try (OverlappingViews work = new OverlappingViews()) {
        work.run(seed);

        assertThat(work.sum()).as("seed %d", seed).containsOnly(1);
        assertThat(work.overwritten()).containsOnly(0);
      }
    }
  }

  /**
   * Both ranks add up a cell of each, that of rank 1 half in one view of its memory and half in
   * both; then rank 1 copies a quarter of a cell over some of it, at a place that it finds in the
   * other view.
   */
  private static final class OverlappingViews implements AutoCloseable {

    private static final long CELL = 256;

    private final Arena arena = Arena.ofShared();
    private final Composition composition = new Composition(2);
    private final Composition.Memory seenTwice =
        composition.memory(
            1, List.of(new Composition.View(0, 2 * CELL), new Composition.View(CELL, 2 * CELL)));
    private final Composition.Memory other = composition.memory(0, CELL);
    private final Composition.Memory[] sums = {
      composition.memory(0, CELL), composition.memory(1, CELL)
    };
    private final Composition.Memory[] quarters = {
      composition.memory(0, CELL / 4), composition.memory(1, CELL / 4)
    };
    private final Composition.Memory copied = composition.memory(0, CELL / 4);
    private final MemorySegment seen = arena.allocate(3 * CELL, 64).fill((byte) 1);
    private final MemorySegment[] views = new MemorySegment[composition.views()];

    OverlappingViews() {
      composition.part(
          AllReduceCase.plan(new TestExecutors.Unclosed(), 2, CELL / Integer.BYTES),
          (rank, type) ->
              switch (type) {
                case PARAM_INPUT ->
                    rank == 1
                        ? new Composition.Place(seenTwice, CELL / 2)
                        : new Composition.Place(other, 0);
                case PARAM_OUTPUT -> new Composition.Place(sums[rank], 0);
                default -> null;
              });
      composition.part(
          AllReduceCase.plan(new CompositionCase.Lonely(), 2, CELL / 4 / Integer.BYTES),
          (rank, type) ->
              switch (type) {
                case PARAM_INPUT -> new Composition.Place(quarters[rank], 0);
                case PARAM_OUTPUT ->
                    rank == 1
                        ? new Composition.Place(seenTwice, CELL + CELL / 4)
                        : new Composition.Place(copied, 0);
                default -> null;
              });
      Arrays.setAll(views, view -> arena.allocate(2 * CELL, 64));
      views[seenTwice.firstView()] = seen.asSlice(0, 2 * CELL);
      views[seenTwice.firstView() + 1] = seen.asSlice(CELL, 2 * CELL);
    }

    void run(long seed) {
      try (Engine engine = new Engine(CONFIG)) {
        Composite composite = Composite.of("joined", composition);
        MessagePlan plan = engine.compileForMessages(composite, new int[] {0, 1});
        RandomNetwork network = new RandomNetwork(2, seed, 0);
        MessageJob.run(plan, new MemorySegment[2][0], views, network, process -> {}, true);
      }
    }

    byte[] sum() {
      return views[sums[0].firstView()].asSlice(0, CELL).toArray(ValueLayout.JAVA_BYTE);
    }

    byte[] overwritten() {
      return seen.asSlice(CELL + CELL / 4, CELL / 4).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  /**
   * Without any one of its tasks, a program does not get through, or leaves wrong bytes behind, in
   * the worst order at least.
   */
  @ParameterizedTest
  @CsvSource({"0 1 2", "0 0 1", "0 1 0"})
  void aProgramThatLacksATaskIsFound(String split) {
    int[] processOf = List.of(split.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    int tried = 0;
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 96)) {
      MemorySegment[] expected = embedded(work, 1);
      int processes = new MessageJob(work, processOf, 64).processes();
      for (int process = 0; process < processes; process++) {
        int tasks = new MessageJob(work, processOf, 64).tasks(process).size;
        for (int task = 0; task < tasks; task++) {
          int without = task;
          MessageJob job = new MessageJob(work, processOf, 64);
          job.change(process, all -> without(all, without));
          assertThat(isFound(job, work, expected))
              .as("%s, process %d without task %d", job, process, task)
              .isTrue();
          tried++;
        }
      }
    }
    assertThat(tried).isGreaterThan(50);
  }

  private static boolean isFound(MessageJob job, AllReduceCase work, MemorySegment[] expected) {
    for (long seed = 0; seed < 8; seed++) {
      work.fill(1);
      try {
        MemorySegment[] outputs = job.run(seed, 0, seed % 2 == 0);
        for (int rank = 0; rank < outputs.length; rank++) {
          if (outputs[rank].mismatch(expected[rank]) != -1) {
            return true;
          }
        }
      } catch (IllegalStateException e) {
        return true;
      }
    }
    return false;
  }

  private static TaskArrays without(TaskArrays all, int task) {
    TaskArrays fewer = new TaskArrays(all);
    for (int each = 0; each < all.size; each++) {
      if (each != task) {
        fewer.addFrom(all, each);
      }
    }
    fewer.trim();
    return fewer;
  }

  @ParameterizedTest
  @CsvSource({"0 1", "0 1 2 3", "0 2 2", "1 1 2", "-1 0 1"})
  void ranksWithoutAProcessAndProcessesWithoutARankAreRefused(String split) {
    int[] processOf = List.of(split.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.TwoStage(), 3, 64);

    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> compile(plan, processOf))
        .withMessageContaining("each of 3 ranks must have a process")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void stagingMemoryThatIsTooSmallIsRefused() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 64)) {
      MessagePlan plan = compile(work.plan(), 0, 1);
      MemorySegment staging = Arena.ofAuto().allocate(plan.stagingBytes(0) - 1);
      RandomNetwork network = new RandomNetwork(2, 1, 0);

      assertThatExceptionOfType(TuttiException.class)
          .isThrownBy(() -> plan.bind(0, work.memory(), staging, network.wire(0)))
          .withMessageContaining("needs 128 bytes. Actual: 127 bytes");
    }
  }

  @Test
  void memoryThatMessagesCannotReachIsRefused() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 64)) {
      MessagePlan plan = compile(work.plan(), 0, 1);
      MemorySegment staging = Arena.ofAuto().allocate(plan.stagingBytes(0));
      Wire wire = new RandomNetwork(2, 1, 0).wire(0);
      work.memory()[0][TransportMemType.PARAM_OUTPUT.ordinal()] =
          MemorySegment.ofArray(new int[64]);

      assertThatExceptionOfType(TuttiException.class)
          .isThrownBy(() -> plan.bind(0, work.memory(), staging, wire))
          .withMessageContaining("must be off-heap")
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BUFFER_UNAVAILABLE));
      assertThatExceptionOfType(TuttiException.class)
          .isThrownBy(() -> plan.bind(0, new MemorySegment[2][], staging, wire))
          .withMessageContaining("needs 256 bytes. Actual: 0 bytes")
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BUFFER_TOO_SMALL));
    }
  }

  @Test
  void aRunThatWaitsSaysForWhom() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 64).fill(1)) {
      MessagePlan plan = compile(work.plan(), 0, 1);
      MemorySegment staging = Arena.ofAuto().allocate(plan.stagingBytes(0));
      MessageRun run = plan.bind(0, work.memory(), staging, new RandomNetwork(2, 1, 0).wire(0));

      assertThat(run.isDone()).isTrue();
      run.begin();
      assertThat(run.waitsFor()).isEqualTo(-1);
      assertThat(run.advance()).isTrue();
      assertThat(run.advance()).isFalse();

      assertThat(run.waitsFor()).isEqualTo(1);
      assertThat(run.toString())
          .startsWith("waits for process 1 at ")
          .contains("TestExecutors.java");
    }
  }

  @Test
  void aRunThatThrowsGivesItsMessagesUp() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 64).fill(1)) {
      MessagePlan plan = compile(work.plan(), 0, 1);
      MemorySegment staging = Arena.ofAuto().allocate(plan.stagingBytes(0));
      BrokenWire wire = new BrokenWire();
      MessageRun run = plan.bind(0, work.memory(), staging, wire);

      assertThat(run.stop(0)).isFalse();
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> run.run(0, 1, 0, new NoSignals()));
      assertThat(run.stop(1)).isFalse();
      assertThat(wire.isGivenUp).isFalse();

      assertThat(run.stop(0)).isTrue();
      assertThat(wire.isGivenUp).isTrue();
    }
  }

  /** Begins messages, and then finds that one is wrong. */
  private static final class BrokenWire implements Wire {

    private boolean isGivenUp;

    @Override
    public void send(int message, int process, MemorySegment memory, long offset, long bytes) {}

    @Override
    public void receive(int message, int process, MemorySegment memory, long offset, long bytes) {}

    @Override
    public boolean isDone(int message) {
      throw new IllegalStateException("a message has another length");
    }

    @Override
    public void giveUp() {
      isGivenUp = true;
    }
  }

  private static final class NoSignals implements RankBinding.Signals {

    @Override
    public boolean hasCome(int list, long operation, long items) {
      return false;
    }

    @Override
    public void tell(int list, long operation, long items) {}

    @Override
    public void isAt(int list, int task) {}

    @Override
    public boolean isOver(long operation) {
      return false;
    }
  }

  private static MessagePlan compile(GroupPlan plan, int... processOf) {
    try (Engine engine = new Engine(CONFIG)) {
      return engine.compileForMessages(plan, processOf);
    }
  }

  private static MemorySegment[] embedded(AllReduceCase work, int round) {
    work.fill(round);
    try (Engine engine = new Engine(CONFIG)) {
      engine
          .bind(engine.compile(work.plan(), CompileOptions.defaults()), work.memory())
          .run(10_000_000_000L);
    }
    MemorySegment[] outputs = new MemorySegment[work.plan().rankSize()];
    for (int rank = 0; rank < outputs.length; rank++) {
      MemorySegment output = work.output(rank);
      outputs[rank] = Arena.ofAuto().allocate(output.byteSize()).copyFrom(output);
    }
    return outputs;
  }

  private static void assertSame(MemorySegment[] outputs, MemorySegment[] expected, String what) {
    for (int rank = 0; rank < outputs.length; rank++) {
      assertThat(outputs[rank].mismatch(expected[rank]))
          .as("%s, rank %d", what, rank)
          .isEqualTo(-1);
    }
  }
}
