package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.MessagePlan;
import dev.tutti.engine.MessageRun;
import dev.tutti.engine.ShortMessages;
import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every algorithm gives the same bits in one JVM and in processes that send each other messages,
 * however its ranks are dealt to processes and whenever messages arrive. All ways to deal ranks are
 * tried with {@code -Dtutti.messages.splits=all}.
 */
class MessagesTest {

  private static final boolean ALL_SPLITS =
      System.getProperty("tutti.messages.splits", "").equals("all");

  private static final List<String> SHAPES =
      List.of("2", "3", "4", "5", "6", "8", "2+2", "3+2", "4+2+2");

  private static final List<Long> COUNTS = List.of(1L, 7L, 250L, 1024L, 1031L);

  /** Small enough for several rounds of the longest vectors. */
  private static final long CCL_BYTES = 2 << 10;

  /** So short that a round has several. */
  private static final long PIECE = 256;

  private static final EngineConfig CONFIG =
      new EngineConfig(1, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  private final Engine engine = new Engine(CONFIG);

  static Stream<Algorithm> algorithms() {
    return Algorithm.all().stream().filter(each -> each.operation() != Operation.RECEIVE);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void processesGiveTheBitsOfOneJvm(Algorithm algorithm) {
    SplittableRandom random = new SplittableRandom(algorithm.name().hashCode());
    int tried = 0;
    for (String shape : algorithm.shapes(SHAPES)) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape)).withMode(mode).withCclBufferSize(CCL_BYTES);
        CollectiveCase c =
            CollectiveCase.of(algorithm.operation(), comm.topology())
                .withComm(comm)
                .withDataType(DataType.FLOAT32);
        int first = random.nextInt(COUNTS.size());
        int found = 0;
        for (int i = 0; i < COUNTS.size() && found == 0; i++) {
          long count = COUNTS.get((first + i) % COUNTS.size());
          found = check(algorithm, c.withCount(count), random);
          if (found > 0 && algorithm.operation() == Operation.ALL_REDUCE) {
            found += check(algorithm, c.withCount(count).withInPlace(true), random);
          }
        }
        tried += found;
      }
    }
    assertThat(tried).isPositive();
  }

  private int check(Algorithm algorithm, CollectiveCase c, SplittableRandom random) {
    List<RankProgram> programs = algorithm.programs(c);
    if (programs.isEmpty()) {
      return 0;
    }
    GroupPlan plan = new PlanRecorder().withSources(false).record("plan", programs);
    try (Arena arena = Arena.ofShared()) {
      GroupMemory start = new GroupMemory(plan, arena, 1);
      GroupMemory wanted = start.copy(arena);
      engine
          .bind(engine.compile(plan, CompileOptions.defaults()), wanted.segments())
          .run(60_000_000_000L);
      for (int[] split : splits(plan.rankSize(), random)) {
        try (Arena own = Arena.ofShared()) {
          GroupMemory actual = start.copy(own);
          run(plan, split, actual, random);
          for (int rank = 0; rank < split.length; rank++) {
            assertThat(actual.output(rank).mismatch(wanted.output(rank)))
                .as("%s, processes of ranks %s, output of rank %d", c, Arrays.toString(split), rank)
                .isEqualTo(-1);
          }
        }
      }
    }
    return 1;
  }

  private void run(GroupPlan plan, int[] split, GroupMemory memory, SplittableRandom random) {
    MessagePlan messages =
        random.nextBoolean()
            ? engine.compileForMessages(plan, split)
            : ShortMessages.compile(plan, split, CONFIG, PIECE);
    RandomNetwork network =
        new RandomNetwork(messages.processes(), random.nextLong(), random.nextInt(3) / 2.0);
    List<MessageRun> runs = new ArrayList<>();
    for (int process = 0; process < messages.processes(); process++) {
      MemorySegment staging = Arena.ofAuto().allocate(messages.stagingBytes(process), 64);
      runs.add(messages.bind(process, memory.segments(), staging, network.wire(process)));
      runs.getLast().begin();
    }
    network.run(
        process -> runs.get(process).advance(),
        process -> runs.get(process).isDone(),
        process -> {},
        random.nextBoolean());
  }

  /** All in one process, one each, blocks, in turns, and some at random. */
  private static List<int[]> splits(int ranks, SplittableRandom random) {
    List<int[]> all = RandomNetwork.splits(ranks);
    if (ALL_SPLITS || all.size() <= 5) {
      return all;
    }
    Set<List<Integer>> some = new LinkedHashSet<>();
    for (int processes = 1; processes <= ranks; processes++) {
      int n = processes;
      int block = (ranks + n - 1) / n;
      some.add(IntStream.range(0, ranks).mapToObj(rank -> rank / block).toList());
      some.add(IntStream.range(0, ranks).mapToObj(rank -> rank % n).toList());
    }
    for (int i = 0; i < 3; i++) {
      some.add(IntStream.of(all.get(random.nextInt(all.size()))).boxed().toList());
    }
    return some.stream().map(each -> each.stream().mapToInt(i -> i).toArray()).toList();
  }
}
