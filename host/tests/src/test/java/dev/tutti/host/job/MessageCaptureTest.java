package dev.tutti.host.job;

import static dev.tutti.host.job.JobMistakesTest.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureProgram;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captures of ranks that share no memory, if a process has several of them. */
@Timeout(600)
final class MessageCaptureTest {

  private static final int COUNT = 6;
  private static final int PROGRAMS = 5;

  /** The work of a process with a group of all ranks. */
  @FunctionalInterface
  private interface Body<T> {
    T run(Context context, Group group) throws Exception;
  }

  /** How many ranks each process has. */
  static Stream<int[]> splits() {
    return Stream.of(
        new int[] {2, 1}, new int[] {1, 2}, new int[] {2, 2}, new int[] {1, 3, 1}, new int[] {4});
  }

  private static <T> List<T> inProcesses(
      int[] split, UnaryOperator<ContextBuilder> settings, Body<T> body) throws Exception {
    return OneJvmJob.inProcesses(
        split,
        (process, builder) -> settings.apply(builder),
        context -> {
          try (Group group = context.createGroup(context.rte().ranks())) {
            return body.run(context, group);
          }
        });
  }

  private static <T> List<T> inProcesses(int[] split, Body<T> body) throws Exception {
    return inProcesses(split, builder -> builder, body);
  }

  /** Memory of the ranks of a process. */
  private static Map<Integer, MemorySegment> ints(Context context, Group group) {
    Map<Integer, MemorySegment> all = new TreeMap<>();
    for (int rank : group.localRanks()) {
      all.put(rank, context.allocate(4L * COUNT).segment());
    }
    return all;
  }

  private static void fill(MemorySegment memory, int value) {
    for (int i = 0; i < memory.byteSize() / 4; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, value);
    }
  }

  private static void fillWithRanks(Map<Integer, MemorySegment> memories) {
    memories.forEach((rank, memory) -> fill(memory, 1 + rank));
  }

  private static void sum(RankHandle rank, MemorySegment in, MemorySegment out) {
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
  }

  private static Consumer<RankHandle> sum(
      Map<Integer, MemorySegment> in, Map<Integer, MemorySegment> out) {
    return rank -> sum(rank, in.get(rank.rank()), out.get(rank.rank()));
  }

  private static void requireAll(Map<Integer, MemorySegment> memories, int value) {
    int[] expected = new int[COUNT];
    Arrays.fill(expected, value);
    memories.forEach(
        (rank, memory) ->
            assertThat(memory.toArray(ValueLayout.JAVA_INT))
                .as("rank %d", rank)
                .isEqualTo(expected));
  }

  /** Operations, transfers between neighbours and a capture still work. */
  private static void checkUsable(Context context, Group group) {
    int ranks = group.rankSize();
    Map<Integer, MemorySegment> in = ints(context, group);
    Map<Integer, MemorySegment> out = ints(context, group);
    fillWithRanks(in);
    group.run(sum(in, out));
    requireAll(out, ranks * (ranks + 1) / 2);
    group.run(rank -> passOn(rank, out.get(rank.rank())));
    try (Captured captured = group.capture(sum(in, out))) {
      captured.run();
      requireAll(out, ranks * (ranks + 1) / 2);
    }
  }

  /** Rank 0 sends its data to rank 1, which passes it on, and so on. */
  private static void passOn(RankHandle rank, MemorySegment data) {
    if (rank.rank() > 0) {
      rank.receive(data, DataType.INT32, rank.rank() - 1);
    }
    if (rank.rank() + 1 < rank.rankSize()) {
      rank.send(data, DataType.INT32, rank.rank() + 1);
    }
  }

  @ParameterizedTest
  @MethodSource("splits")
  void replayingGivesTheBitsOfCallingOneByOne(int[] split) throws Exception {
    int ranks = IntStream.of(split).sum();
    List<CaptureProgram> programs =
        IntStream.range(0, PROGRAMS).mapToObj(seed -> new CaptureProgram(seed, ranks)).toList();
    inProcesses(
        split,
        builder ->
            builder
                .algorithm("staged", new CaptureProgram.StagedAllReduce())
                .cclBufferSize(4096)
                .workers(2),
        (context, group) -> {
          for (CaptureProgram program : programs) {
            replay(context, group, program);
          }
          return null;
        });
  }

  private static void replay(Context context, Group group, CaptureProgram program) {
    try (Arena arena = Arena.ofShared()) {
      Map<Integer, CaptureProgram.Memories> eager = new TreeMap<>();
      Map<Integer, CaptureProgram.Memories> mine = new TreeMap<>();
      for (int rank : group.localRanks()) {
        eager.put(rank, CaptureProgram.Memories.of(context, arena));
        mine.put(rank, CaptureProgram.Memories.of(context, arena));
        eager.get(rank).fill(-1 - rank);
        mine.get(rank).fill(-1 - rank);
      }
      Captured captured = group.capture(rank -> program.run(rank, mine.get(rank.rank())));
      requireSameBits(mine, eager, "nothing moves while recording");
      for (int round = 0; round < 4; round++) {
        for (int rank : group.localRanks()) {
          eager.get(rank).fill(100L * round + rank);
          mine.get(rank).fill(100L * round + rank);
        }
        group.run(rank -> program.run(rank, eager.get(rank.rank())));
        captured.run();
        requireSameBits(mine, eager, program + ", " + captured.explain());
      }
      captured.close();
    }
  }

  private static void requireSameBits(
      Map<Integer, CaptureProgram.Memories> mine,
      Map<Integer, CaptureProgram.Memories> eager,
      String what) {
    mine.forEach(
        (rank, memories) ->
            assertThat(memories.hasBitsOf(eager.get(rank))).as("rank %d, %s", rank, what).isTrue());
  }

  @ParameterizedTest
  @MethodSource("splits")
  void severalOperationsInPlaceRunManyTimes(int[] split) throws Exception {
    inProcesses(
        split,
        (context, group) -> {
          int ranks = group.rankSize();
          Map<Integer, MemorySegment> data = ints(context, group);
          Captured captured =
              group.capture(
                  rank -> {
                    MemorySegment own = data.get(rank.rank());
                    sum(rank, own, own);
                    rank.broadcast(own, DataType.INT32, ranks - 1);
                    sum(rank, own, own);
                  });
          assertThat(captured.calls()).hasSize(3);
          assertThat(captured).hasToString("capture of 3 operations");
          for (int round = 0; round < 50; round++) {
            fillWithRanks(data);
            captured.start();
            captured.await();
            requireAll(data, ranks * ranks * (ranks + 1) / 2);
          }
          assertThat(captured.isRunning()).isFalse();
          return null;
        });
  }

  /** What one rank writes, another one of its process reads. */
  @Test
  void ranksOfAProcessShareMemory() throws Exception {
    inProcesses(
        new int[] {2, 2},
        (context, group) -> {
          MemorySegment shared = context.allocate(4L * COUNT).segment();
          MemorySegment other = context.allocate(4L * COUNT).segment();
          MemorySegment array = MemorySegment.ofArray(new int[2 * COUNT]);
          int first = group.localRanks()[0];
          Captured captured =
              group.capture(
                  rank -> {
                    int own = rank.rank() - first;
                    MemorySegment half = array.asSlice(4L * COUNT * own, 4L * COUNT);
                    MemorySegment ofPeer = array.asSlice(4L * COUNT * (1 - own), 4L * COUNT);
                    sum(rank, shared, half);
                    sum(rank, ofPeer, own == 0 ? shared : other);
                    sum(rank, own == 0 ? other : shared, half);
                  });
          for (int round = 0; round < 3; round++) {
            fill(shared, 1);
            captured.run();
            assertThat(shared.getAtIndex(ValueLayout.JAVA_INT, 1)).isEqualTo(16);
            assertThat(other.getAtIndex(ValueLayout.JAVA_INT, 1)).isEqualTo(16);
            for (int i = 0; i < 2 * COUNT; i++) {
              assertThat(array.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(64);
            }
          }
          assertThat(captured.isStaged()).isTrue();
          return null;
        });
  }

  @ParameterizedTest
  @MethodSource("splits")
  void transfersWithinAndBetweenProcessesAreCaptured(int[] split) throws Exception {
    inProcesses(
        split,
        (context, group) -> {
          Map<Integer, MemorySegment> data = ints(context, group);
          Map<Integer, MemorySegment> sums = ints(context, group);
          for (int round = 0; round < 2; round++) {
            Captured captured =
                group.capture(
                    rank -> {
                      passOn(rank, data.get(rank.rank()));
                      sum(rank, data.get(rank.rank()), sums.get(rank.rank()));
                    });
            assertThat(captured.calls()).hasSize(group.rankSize());
            data.forEach((rank, memory) -> fill(memory, rank == 0 ? 5 : 0));
            captured.run();
            requireAll(data, 5);
            requireAll(sums, 5 * group.rankSize());
          }
          checkUsable(context, group);
          return null;
        });
  }

  @Test
  void aProcessReplacesBuffersOnItsOwn() throws Exception {
    inProcesses(
        new int[] {2, 1},
        (context, group) -> {
          Map<Integer, MemorySegment> in = ints(context, group);
          Map<Integer, MemorySegment> out = ints(context, group);
          fillWithRanks(in);
          Captured captured =
              group.capture(
                  rank -> {
                    MemorySegment own = out.get(rank.rank());
                    sum(rank, in.get(rank.rank()), own);
                    sum(rank, own, own);
                  });
          captured.run();
          requireAll(out, 18);
          if (group.localRanks().length == 2) {
            MemorySegment array = MemorySegment.ofArray(new int[COUNT]);
            MemorySegment other = context.allocate(4L * COUNT).segment();
            fill(other, 10);
            assertThatThrownBy(() -> captured.rebind(other, array))
                .hasMessageContaining("no captured operation uses that buffer");
            assertThatThrownBy(() -> captured.rebind(in.get(0), out.get(1)))
                .hasMessageContaining("overlaps other buffers differently");
            captured.rebind(out.get(1), array);
            captured.rebind(in.get(0), other);
            fill(out.get(1), 7);
            for (int round = 0; round < 3; round++) {
              captured.run();
              requireAll(Map.of(0, out.get(0), 1, array), 45);
            }
            requireAll(Map.of(1, out.get(1)), 7);
          } else {
            for (int round = 0; round < 3; round++) {
              captured.run();
              requireAll(out, 45);
            }
          }
          checkUsable(context, group);
          captured.close();
          assertThatThrownBy(captured::run).hasMessageContaining("it is closed; capture again");
          return null;
        });
  }

  @Test
  void replaysAndCallsAreInFlightTogether() throws Exception {
    inProcesses(
        new int[] {2, 2},
        (context, group) -> {
          List<Captured> all = new ArrayList<>();
          List<Map<Integer, MemorySegment>> outputs = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            Map<Integer, MemorySegment> in = ints(context, group);
            Map<Integer, MemorySegment> out = ints(context, group);
            int value = i;
            in.values().forEach(memory -> fill(memory, value));
            outputs.add(out);
            all.add(group.capture(sum(in, out)));
          }
          for (int round = 0; round < 3; round++) {
            all.forEach(Captured::start);
            for (int i = 0; i < all.size(); i++) {
              Captured each = all.get(i);
              Await.until(each::test);
              requireAll(outputs.get(i), 4 * i);
              outputs.get(i).values().forEach(memory -> fill(memory, -1));
            }
            checkUsable(context, group);
          }
          return null;
        });
  }

  @Test
  void processesThatReplayDifferentCapturesAreToldSo() throws Exception {
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              Map<Integer, MemorySegment> in = ints(context, group);
              Map<Integer, MemorySegment> out = ints(context, group);
              Captured first = group.capture(sum(in, out));
              Captured second = group.capture(sum(out, in));
              return errorOf((group.localRanks().length == 2 ? first : second)::run);
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code()).isIn(ErrorCode.CALL_MISMATCH, ErrorCode.GROUP_POISONED));
    assertThat(errors)
        .anySatisfy(
            error ->
                assertThat(error)
                    .hasMessageMatching(
                        "(?s).*rank [02] differs from rank [02] in its operation: expected replay"
                            + " of capture [12], actual replay of capture [12].*"));
  }

  @Test
  void aReplayAndACallDoNotMatch() throws Exception {
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              Map<Integer, MemorySegment> in = ints(context, group);
              Map<Integer, MemorySegment> out = ints(context, group);
              Captured captured = group.capture(sum(in, out));
              return errorOf(
                  () -> {
                    if (group.localRanks().length == 2) {
                      captured.run();
                    } else {
                      group.run(sum(in, out));
                    }
                  });
            });
    assertThat(errors)
        .anySatisfy(
            error ->
                assertThat(error)
                    .hasMessageMatching(
                        "(?s).*(expected replay of capture 1, actual allreduce|expected allreduce,"
                            + " actual replay of capture 1).*"));
  }

  @ParameterizedTest
  @MethodSource("splits")
  void theErrorOfOneBodyAbandonsTheCaptureEverywhere(int[] split) throws Exception {
    List<List<TuttiException>> errors =
        inProcesses(
            split,
            (context, group) -> {
              List<TuttiException> all = new ArrayList<>();
              for (int failing = 0; failing < group.rankSize(); failing++) {
                int wanted = failing;
                Map<Integer, MemorySegment> data = ints(context, group);
                all.add(
                    errorOf(
                        () ->
                            group.capture(
                                rank -> {
                                  MemorySegment own = data.get(rank.rank());
                                  sum(rank, own, own);
                                  if (rank.rank() == wanted) {
                                    throw new IllegalStateException("body of " + wanted);
                                  }
                                  passOn(rank, own);
                                  sum(rank, own, own);
                                })));
                checkUsable(context, group);
              }
              return all;
            });
    assertThat(errors)
        .allSatisfy(
            ofProcess -> {
              for (int failing = 0; failing < ofProcess.size(); failing++) {
                assertThat(ofProcess.get(failing).code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
                assertThat(ofProcess.get(failing)).hasMessageContaining("body of " + failing);
              }
            });
  }

  @Test
  void aBodyWithFewerCallsAbandonsTheCapture() throws Exception {
    List<List<TuttiException>> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              List<TuttiException> all = new ArrayList<>();
              for (int lazy = 0; lazy < 3; lazy++) {
                int wanted = lazy;
                Map<Integer, MemorySegment> data = ints(context, group);
                all.add(
                    errorOf(
                        () ->
                            group.capture(
                                rank -> {
                                  MemorySegment own = data.get(rank.rank());
                                  sum(rank, own, own);
                                  if (rank.rank() != wanted) {
                                    sum(rank, own, own);
                                  }
                                })));
                checkUsable(context, group);
              }
              return all;
            });
    assertThat(errors)
        .allSatisfy(
            ofProcess -> {
              for (int lazy = 0; lazy < ofProcess.size(); lazy++) {
                assertThat(ofProcess.get(lazy).code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
                assertThat(ofProcess.get(lazy))
                    .hasMessageContaining(
                        "rank " + lazy + " has ended the body of its capture without this call");
              }
            });
  }

  @Test
  void aReplayWhileBodiesRunIsRefused() throws Exception {
    inProcesses(
        new int[] {2, 1},
        (context, group) -> {
          Map<Integer, MemorySegment> in = ints(context, group);
          Map<Integer, MemorySegment> out = ints(context, group);
          fillWithRanks(in);
          Captured captured = group.capture(sum(in, out));
          group.run(
              rank -> {
                requireRefused(captured::run);
                requireRefused(captured::start);
                requireRefused(() -> group.capture(sum(in, out)));
              });
          Captured outer =
              group.capture(
                  rank -> {
                    requireRefused(captured::run);
                    sum(rank, in.get(rank.rank()), out.get(rank.rank()));
                  });
          outer.run();
          requireAll(out, 6);
          captured.run();
          checkUsable(context, group);
          return null;
        });
  }

  private static void requireRefused(Runnable what) {
    TuttiException error = errorOf(what);
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_STATE);
    assertThat(error).hasMessageContaining("one thread captures and replays for all of them");
  }

  @Test
  void aBufferThatIsGoneIsNamedOnAllProcesses() throws Exception {
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              try (Arena arena = Arena.ofShared()) {
                Map<Integer, MemorySegment> in = ints(context, group);
                Map<Integer, MemorySegment> out = ints(context, group);
                Arena gone = group.localRanks().length == 2 ? Arena.ofShared() : arena;
                in.replaceAll((rank, memory) -> gone.allocate(4L * COUNT, 8));
                Captured captured = group.capture(sum(in, out));
                captured.run();
                if (gone != arena) {
                  gone.close();
                }
                return errorOf(captured::run);
              }
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.BUFFER_UNAVAILABLE);
    assertThat(errors.get(1).code()).isIn(ErrorCode.CALL_MISMATCH, ErrorCode.GROUP_POISONED);
    assertThat(errors.get(1))
        .hasMessageContaining("the part of rank 0 (replay of capture 1) was refused");
  }

  @Test
  void aCancelOfAReplayEndsItEverywhere() throws Exception {
    CountDownLatch isCancelled = new CountDownLatch(1);
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              Map<Integer, MemorySegment> in = ints(context, group);
              Map<Integer, MemorySegment> out = ints(context, group);
              Captured captured = group.capture(sum(in, out));
              captured.run();
              if (group.localRanks().length == 2) {
                captured.start();
                assertThatThrownBy(captured::start).hasMessageContaining("it is under way");
                assertThatThrownBy(captured::close).hasMessageContaining("it is running");
                assertThat(captured.cancel()).isTrue();
                isCancelled.countDown();
                return errorOf(captured::await);
              }
              Await.latch(isCancelled);
              return errorOf(
                  () -> {
                    // It may have all data of the others before it learns of the cancel.
                    captured.run();
                    captured.run();
                  });
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(errors.get(0)).hasMessageContaining("replay of capture 1");
    assertThat(errors.get(1).code()).isIn(ErrorCode.CANCELLED, ErrorCode.GROUP_POISONED);
  }

  @Test
  void aProcessThatClosesTheGroupIsNamedInReplays() throws Exception {
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 2},
            (context, group) -> {
              Map<Integer, MemorySegment> in = ints(context, group);
              Map<Integer, MemorySegment> out = ints(context, group);
              Captured captured = group.capture(sum(in, out));
              captured.run();
              if (group.localRanks()[0] == 2) {
                group.close();
                return errorOf(captured::run);
              }
              return errorOf(captured::run);
            });
    assertThat(errors.get(0)).hasMessageMatching("(?s).*rank [23] has closed the group.*");
    assertThat(errors.get(1)).hasMessageContaining("closed");
  }

  @Test
  void aProcessThatDoesNotReplayIsNamed() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    List<TuttiException> errors =
        inProcesses(
            new int[] {2, 1},
            (context, group) -> {
              Map<Integer, MemorySegment> in = ints(context, group);
              Map<Integer, MemorySegment> out = ints(context, group);
              Captured captured = group.capture(sum(in, out));
              captured.run();
              if (group.localRanks().length == 1) {
                Await.latch(isOver);
                return errorOf(captured::run);
              }
              try {
                captured.start();
                return errorOf(() -> captured.await(Duration.ofMillis(100)));
              } finally {
                isOver.countDown();
              }
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(errors.get(0)).hasMessageContaining("replay of capture 1, for a message of rank 2");
    assertThat(errors.get(1).code()).isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.GROUP_POISONED);
  }

  @Test
  void aReplayAfterAChangeOfPluginsUsesTheNewOnes(@TempDir Path directory) throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    SwapJars.drop(plugins, "1.0.0", SwapSamples.Sum.class, SwapSamples.Send.class);
    CallOptions options = CallOptions.defaults().withAlgorithm(SwapJars.SUM);
    inProcesses(
        new int[] {2, 1},
        builder -> builder.watchPlugins(plugins, directory.resolve("state")),
        (context, group) -> {
          Map<Integer, MemorySegment> in = ints(context, group);
          Map<Integer, MemorySegment> out = ints(context, group);
          fillWithRanks(in);
          Captured captured =
              group.capture(
                  rank -> sum(rank.with(options), in.get(rank.rank()), out.get(rank.rank())));
          captured.run();
          requireAll(out, 6);
          boolean isFirst = context.rte().isLocal(0);
          for (int version = 2; version < 5; version++) {
            if (isFirst) {
              SwapJars.drop(
                  plugins, version + ".0.0", SwapSamples.Sum.class, SwapSamples.Send.class);
              context.pluginManager().rescan();
            }
            // The other process may have the old version in its first runs.
            for (int run = 0; run < 10; run++) {
              out.values().forEach(memory -> fill(memory, -1));
              captured.run();
              requireAll(out, 6);
            }
            String served = version + ".0.0";
            Await.until(() -> SwapJars.served(context).equals(served));
            captured.run();
            requireAll(out, 6);
            if (isFirst) {
              assertThat(
                      context.pluginManager().list().stream()
                          .filter(plugin -> plugin.version().equals(served))
                          .mapToLong(plugin -> plugin.plans())
                          .sum())
                  .isPositive();
            }
          }
          return null;
        });
  }

  /** A process that has made the change joins the others by the number of their agreement. */
  @Test
  void aReplayThatAProcessBeganBeforeAChangeEndsWithItsPlan(@TempDir Path directory)
      throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    SwapJars.drop(plugins, "1.0.0", SwapSamples.Sum.class, SwapSamples.Send.class);
    CallOptions options = CallOptions.defaults().withAlgorithm(SwapJars.SUM);
    CountDownLatch hasBegun = new CountDownLatch(1);
    inProcesses(
        new int[] {1, 2},
        builder -> builder.watchPlugins(plugins, directory.resolve("state")),
        (context, group) -> {
          Map<Integer, MemorySegment> in = ints(context, group);
          Map<Integer, MemorySegment> out = ints(context, group);
          fillWithRanks(in);
          Captured captured =
              group.capture(
                  rank -> sum(rank.with(options), in.get(rank.rank()), out.get(rank.rank())));
          captured.run();
          if (context.rte().isLocal(0)) {
            Await.latch(hasBegun);
            SwapJars.drop(plugins, "2.0.0", SwapSamples.Sum.class, SwapSamples.Send.class);
            context.pluginManager().rescan();
            assertThat(SwapJars.served(context)).isEqualTo("2.0.0");
            captured.start();
          } else {
            captured.start();
            hasBegun.countDown();
          }
          captured.await();
          requireAll(out, 6);
          Await.until(() -> SwapJars.served(context).equals("2.0.0"));
          fillWithRanks(out);
          captured.run();
          requireAll(out, 6);
          return null;
        });
  }

  @Test
  void aCaptureWhileAnotherThreadRunsBodiesIsRefused() throws Exception {
    inProcesses(
        new int[] {2, 1},
        (context, group) -> {
          Map<Integer, MemorySegment> in = ints(context, group);
          CountDownLatch isRefused = new CountDownLatch(1);
          CountDownLatch haveBegun = new CountDownLatch(group.localRanks().length);
          Thread bodies =
              Thread.ofVirtual()
                  .start(
                      () ->
                          group.run(
                              rank -> {
                                haveBegun.countDown();
                                Await.latch(isRefused);
                              }));
          Await.latch(haveBegun);
          requireRefused(() -> group.capture(sum(in, in)));
          isRefused.countDown();
          bodies.join();
          checkUsable(context, group);
          return null;
        });
  }
}
