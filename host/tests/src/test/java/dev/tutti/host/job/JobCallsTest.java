package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks in separate contexts get the same bits as those of one context. */
@Timeout(600)
final class JobCallsTest {

  private static final int[] COUNTS = {0, 1, 5, 1000, 40_000};

  /** The kind of a rank's buffers. */
  private enum Memory {
    SHARED,
    NATIVE,
    HEAP
  }

  private record Case(
      CollectiveCall call, CallOptions options, boolean inPlace, Memory memory, long room) {}

  private static List<Case> cases(int ranks) {
    List<Case> cases = new ArrayList<>();
    Random random = new Random(ranks);
    EnumSet<Operation> uniform = EnumSet.allOf(Operation.class);
    uniform.removeIf(each -> each.label().endsWith("v") && each != Operation.RECEIVE);
    uniform.remove(Operation.BATCH_SEND_RECV);
    uniform.remove(Operation.RECEIVE);
    for (Operation operation : uniform) {
      for (int count : COUNTS) {
        DataType type =
            List.of(DataType.FLOAT32, DataType.INT32, DataType.BFLOAT16).get(random.nextInt(3));
        int root = random.nextInt(ranks);
        CollectiveCall call = CollectiveCall.of(operation, ranks, type, ReduceOp.SUM, count, root);
        Memory memory = Memory.values()[random.nextInt(3)];
        CallOptions options = options(operation, count, random);
        boolean inPlace =
            operation == Operation.ALL_REDUCE
                && options.inputLayout().isContiguous()
                && random.nextBoolean();
        cases.add(new Case(call, options, inPlace, memory, count + 1));
      }
    }
    cases.add(
        new Case(
            CollectiveCall.allToAllV(DataType.INT32, counts(ranks)),
            CallOptions.defaults(),
            false,
            Memory.SHARED,
            100));
    return cases;
  }

  private static List<List<Long>> counts(int ranks) {
    List<List<Long>> counts = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      List<Long> row = new ArrayList<>();
      for (int to = 0; to < ranks; to++) {
        row.add((long) (3 * rank + to) % 7);
      }
      counts.add(row);
    }
    return counts;
  }

  private static CallOptions options(Operation operation, int count, Random random) {
    CallOptions options = CallOptions.defaults();
    return switch (random.nextInt(4)) {
      case 0 -> options.withMode(WorkflowMode.OP_BASE);
      case 1 ->
          count <= 1000 && (operation == Operation.ALL_REDUCE || operation == Operation.ALL_GATHER)
              ? options.withLayouts(apart(2), apart(3))
              : options;
      case 2 -> operation == Operation.ALL_REDUCE ? options.withAverage(true) : options;
      default -> options;
    };
  }

  /** Elements with gaps between them. */
  private static Layout apart(int extent) {
    return Layout.vector(1, 1, 1).withExtent(extent);
  }

  /** All cases of a rank; gives the bytes of all outputs. */
  private static List<byte[]> play(Context context, RankHandle rank, List<Case> cases) {
    List<byte[]> outputs = new ArrayList<>();
    for (Case each : cases) {
      boolean takesPart =
          !each.call().isTransfer()
              || rank.rank() == each.call().root()
              || rank.rank() == each.call().destination();
      MemorySegment out = takesPart ? run(context, rank, each) : MemorySegment.NULL;
      outputs.add(out.toArray(ValueLayout.JAVA_BYTE));
    }
    return outputs;
  }

  private static MemorySegment run(Context context, RankHandle rank, Case each) {
    long bytes = each.room() * rank.rankSize() * 16;
    MemorySegment in = memory(context, each.memory(), bytes);
    MemorySegment out = each.inPlace() ? in : memory(context, each.memory(), bytes);
    Random data = new Random(rank.rank());
    for (long at = 0; at + 4 <= bytes; at += 4) {
      // Small whole numbers, also as halves of four bytes.
      in.set(ValueLayout.JAVA_INT_UNALIGNED, at, Float.floatToIntBits(data.nextInt(8)));
    }
    RankHandle caller = rank.with(each.options());
    boolean sends = each.call().isTransfer() && rank.rank() == each.call().root();
    boolean receives = each.call().isTransfer() && !sends;
    @Nullable MemorySegment input = receives ? null : in;
    @Nullable MemorySegment output = sends ? null : out;
    caller.run(each.call(), input, output);
    return out;
  }

  private static MemorySegment memory(Context context, Memory memory, long bytes) {
    return switch (memory) {
      case SHARED -> context.allocate(bytes).segment();
      case NATIVE -> Arena.ofAuto().allocate(bytes, 8);
      case HEAP -> MemorySegment.ofArray(new long[Math.toIntExact(bytes / 8)]);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "MEMORY,1",
    "MEMORY,2",
    "MEMORY,3",
    "MEMORY,5",
    "MESSAGES,2",
    "MESSAGES,3",
    "MESSAGES,5",
    "MIXED,3",
    "MIXED,5"
  })
  void everyOperationGivesTheSameBitsAsInOneContext(Link link, int ranks) throws Exception {
    List<Case> cases = cases(ranks).stream().filter(each -> isPossible(each, ranks)).toList();
    requireSame(
        cases,
        expected(ranks, cases),
        OneJvmJob.inGroup(link, ranks, (context, rank) -> play(context, rank, cases)));
  }

  /** All ways to deal ranks to processes, in a row. */
  private static List<int[]> splits() {
    List<int[]> splits = new ArrayList<>();
    for (int ranks = 2; ranks <= 4; ranks++) {
      for (int[] processOf : RandomNetwork.splits(ranks)) {
        int processes = processOf[ranks - 1] + 1;
        if (IntStream.range(1, ranks).allMatch(rank -> processOf[rank] >= processOf[rank - 1])) {
          int[] sizes = new int[processes];
          IntStream.of(processOf).forEach(process -> sizes[process]++);
          splits.add(sizes);
        }
      }
    }
    assertThat(splits).hasSize(2 + 4 + 8);
    return splits;
  }

  @ParameterizedTest
  @MethodSource("splits")
  void ranksOfAnyProcessesGetTheSameBitsAsInOneContext(int[] sizes) throws Exception {
    int ranks = IntStream.of(sizes).sum();
    List<Case> all = cases(ranks);
    // Every split has others, as all of them take long.
    int first = IntStream.of(sizes).reduce(0, (sum, size) -> 3 * sum + size) % 3;
    List<Case> cases =
        IntStream.range(0, all.size()).filter(i -> i % 3 == first).mapToObj(all::get).toList();
    requireSame(
        cases,
        expected(ranks, cases),
        OneJvmJob.inGroup(sizes, (context, rank) -> play(context, rank, cases)));
  }

  private static List<List<byte[]>> expected(int ranks, List<Case> cases) {
    List<List<byte[]>> expected = new ArrayList<>();
    try (Context context = SampleAlgorithms.context();
        Group group = context.createGroup(ranks)) {
      ConcurrentHashMap<Integer, List<byte[]>> all = new ConcurrentHashMap<>();
      group.run(rank -> all.put(rank.rank(), play(context, rank, cases)));
      for (int rank = 0; rank < ranks; rank++) {
        expected.add(all.get(rank));
      }
    }
    return expected;
  }

  private static void requireSame(
      List<Case> cases, List<List<byte[]>> expected, List<List<byte[]>> actual) {
    for (int rank = 0; rank < expected.size(); rank++) {
      for (int i = 0; i < cases.size(); i++) {
        assertThat(actual.get(rank).get(i))
            .as("%s of rank %d", cases.get(i), rank)
            .isEqualTo(expected.get(rank).get(i));
      }
    }
  }

  private static boolean isPossible(Case each, int ranks) {
    return ranks > 1 || !each.call().isTransfer();
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,2", "MEMORY,4", "MESSAGES,2", "MESSAGES,4", "MIXED,4"})
  void manyOperationsAreInFlight(Link link, int ranks) throws Exception {
    List<Long> sums =
        OneJvmJob.inGroup(
            link,
            ranks,
            (context, rank) -> {
              List<RankRequest> requests = new ArrayList<>();
              List<MemorySegment> outputs = new ArrayList<>();
              for (int i = 0; i < 100; i++) {
                MemorySegment in = context.allocate(4).segment();
                in.set(ValueLayout.JAVA_INT, 0, i + rank.rank());
                outputs.add(context.allocate(4).segment());
                requests.add(
                    rank.requests().allReduce(in, outputs.getLast(), DataType.INT32, ReduceOp.SUM));
              }
              for (int round = 0; round < 3; round++) {
                requests.forEach(RankRequest::start);
                requests.forEach(RankRequest::await);
              }
              return outputs.stream().mapToLong(each -> each.get(ValueLayout.JAVA_INT, 0)).sum();
            });
    long expected = 99L * 100 / 2 * ranks + 100L * ranks * (ranks - 1) / 2;
    assertThat(sums).allMatch(sum -> sum == expected);
  }

  @ParameterizedTest
  @EnumSource
  void aThreadThatIsInterruptedStaysConnected(Link link) throws Exception {
    OneJvmJob.inGroup(
        link,
        2,
        (context, rank) -> {
          for (int i = 0; i < 50; i++) {
            MemorySegment data = context.allocate(4).segment();
            data.set(ValueLayout.JAVA_INT, 0, 1);
            RankRequest request =
                rank.requests().allReduce(data, data, DataType.INT32, ReduceOp.SUM);
            Thread.currentThread().interrupt();
            // The buffer is new, so this thread announces it to the others.
            request.start();
            assertThat(Thread.interrupted()).isTrue();
            request.await();
            assertThat(data.get(ValueLayout.JAVA_INT, 0)).isEqualTo(2);
          }
          return null;
        });
  }

  @Test
  void callsWithBuffersThatComeAgainAreAgreedOnOnce() throws Exception {
    int buffers = 100;
    Path file = Files.createTempFile("tutti-test", ".jfr");
    HostEvents.install();
    try (Recording recording = new Recording()) {
      recording.start();
      OneJvmJob.inGroup(
          2,
          (context, rank) -> {
            MemorySegment data = context.allocate(8L * buffers).segment();
            for (int round = 0; round < 3; round++) {
              for (int i = 0; i < buffers; i++) {
                MemorySegment own = data.asSlice(8L * i, 8);
                rank.allReduce(own, own, DataType.INT64, ReduceOp.MAX);
              }
            }
            return null;
          });
      recording.stop();
      recording.dump(file);
      assertThat(RecordingFile.readAllEvents(file))
          .filteredOn(event -> event.getEventType().getName().equals("dev.tutti.Bind"))
          .hasSize(2 * buffers);
    } finally {
      Files.delete(file);
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,1", "MEMORY,2", "MESSAGES,1", "MESSAGES,2"})
  void whatARankHasStartedGoesOnWhileItsThreadWaitsInAnotherCall(Link link, int workers)
      throws Exception {
    OneJvmJob.run(
        link,
        2,
        (own, builder) -> builder.workers(workers),
        context -> {
          MemorySegment a = context.allocate(4).segment();
          MemorySegment b = context.allocate(4).segment();
          for (int i = 0; i < 50; i++) {
            try (Group group = context.createGroup(2)) {
              RankHandle rank = group.rank(group.localRanks()[0]);
              int other = 1 - rank.rank();
              a.set(ValueLayout.JAVA_INT, 0, 10 * i + rank.rank());
              RankRequest receive = rank.requests().receive(b, DataType.INT32, other);
              receive.start();
              // Neither rank reaches its wait for the receive before the other has got this.
              rank.send(a, DataType.INT32, other);
              receive.await();
              assertThat(b.get(ValueLayout.JAVA_INT, 0)).isEqualTo(10 * i + other);
            }
          }
          return null;
        });
  }
}
