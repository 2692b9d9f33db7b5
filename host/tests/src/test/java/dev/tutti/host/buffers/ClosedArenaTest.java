package dev.tutti.host.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.host.Await;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedArenaTest {

  private static final int RANKS = 3;
  private static final int COUNT = 600_000;
  private static final int ROUNDS = 20;

  private final Context context = SampleAlgorithms.addTo(Context.builder()).workers(2).open();
  private final Random random = new Random(16);

  @AfterEach
  void close() {
    context.close();
  }

  /** Runs an action repeatedly until an arena is closed at some moment; returns its exception. */
  private RuntimeException closeDuring(Arena arena, Runnable runs) throws InterruptedException {
    CountDownLatch isRunning = new CountDownLatch(1);
    long delay = random.nextInt(3_000_000);
    Thread closer = Thread.ofPlatform().start(() -> closeAfter(arena, isRunning, delay));
    try {
      long end = System.nanoTime() + 60_000_000_000L;
      while (System.nanoTime() - end < 0) {
        isRunning.countDown();
        runs.run();
      }
    } catch (RuntimeException e) {
      assertThat(Thread.currentThread().isInterrupted()).as("interrupted").isFalse();
      closer.join();
      return e;
    }
    throw new AssertionError("no error");
  }

  /** A native call holds on to its memory for its time, and the close is refused meanwhile. */
  private static void closeAfter(Arena arena, CountDownLatch isRunning, long delay) {
    Await.latch(isRunning);
    long end = System.nanoTime() + delay;
    Await.spin(() -> System.nanoTime() - end >= 0);
    Await.spin(
        () -> {
          try {
            arena.close();
          } catch (IllegalStateException e) {
            // Held for that moment, or closed already.
          }
          return !arena.scope().isAlive();
        });
  }

  /**
   * A rank that arrives when the arena is closed learns that, and the others learn that its call
   * differs.
   */
  private static void requireCoded(RuntimeException thrown) {
    assertThat(
            Stream.concat(Stream.of(thrown), Arrays.stream(thrown.getSuppressed()))
                .map(each -> each instanceof TuttiException coded ? coded.code() : each))
        .isSubsetOf(
            ErrorCode.BUFFER_UNAVAILABLE, ErrorCode.CALL_MISMATCH, ErrorCode.GROUP_POISONED);
  }

  private static List<Thread> helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tutti-engine-"))
        .toList();
  }

  /** A helper with the flag could not park, and would go round and round. */
  private static void requireHelpersAtRest() {
    Await.until(
        () ->
            helpers().stream()
                .allMatch(
                    each -> each.getState() == Thread.State.WAITING && !each.isInterrupted()));
  }

  @Test
  void anArenaClosedDuringARunLeavesNoThreadInterrupted() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Arena arena = Arena.ofShared();
      try (Group group = context.createGroup(RANKS)) {
        MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
        MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
        Request request =
            round % 2 == 0
                ? group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build()
                : group
                    .request(CollectiveCall.allToAll(DataType.FLOAT32, COUNT / RANKS))
                    .buffers(inputs, outputs)
                    .build();
        requireCoded(closeDuring(arena, request::run));
      }
      requireHelpersAtRest();
    }
  }

  @Test
  void anArenaClosedDuringAStartedRunLeavesNoThreadInterrupted() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Arena arena = Arena.ofShared();
      try (Group group = context.createGroup(RANKS)) {
        MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
        MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
        Request request = group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
        requireCoded(
            closeDuring(
                arena,
                () -> {
                  request.start();
                  Await.spin(request::test);
                }));
      }
      requireHelpersAtRest();
    }
  }

  @Test
  void anArenaClosedDuringACaptureLeavesNoThreadInterrupted() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Arena arena = Arena.ofShared();
      try (Group group = context.createGroup(RANKS)) {
        MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
        MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
        Captured captured =
            group.capture(
                () -> group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).run());
        requireCoded(closeDuring(arena, captured::run));
      }
      requireHelpersAtRest();
    }
  }

  @Test
  void anArenaClosedDuringCallsOfRanksEndsThemAllAndLeavesNoThreadInterrupted()
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Arena arena = Arena.ofShared();
      try (Group group = context.createGroup(RANKS)) {
        MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
        MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
        requireCoded(
            closeDuring(
                arena,
                () ->
                    group.run(
                        rank -> {
                          rank.allReduce(
                              inputs[rank.rank()],
                              outputs[rank.rank()],
                              DataType.FLOAT32,
                              ReduceOp.SUM);
                          assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        })));
      }
      requireHelpersAtRest();
    }
  }

  @Test
  void anArenaClosedDuringTransfersEndsThemAndLeavesNoThreadInterrupted()
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Arena arena = Arena.ofShared();
      try (Group group = context.createGroup(2)) {
        MemorySegment[] buffers = Floats.filled(arena, 2, COUNT);
        requireCoded(
            closeDuring(
                arena,
                () ->
                    group.run(
                        rank -> {
                          if (rank.rank() == 0) {
                            rank.send(buffers[0], DataType.FLOAT32, 1);
                          } else {
                            rank.receive(buffers[1], DataType.FLOAT32, 0);
                          }
                        })));
      }
      requireHelpersAtRest();
    }
  }

  /**
   * The JVM sets the flag of a thread that works on the memory at that moment. The other rank may
   * have its result before anyone notices, if the input was shown.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void theCloseOfAnArenaDoesNotInterruptTheWaitOfARank(int numbers) throws Exception {
    Arena closed = Arena.ofShared();
    try (Arena open = Arena.ofShared();
        Group group = context.createGroup(2)) {
      Consumer<RankHandle> call = allReduce(List.of(closed, open), numbers);
      group.run(call);
      FutureTask<Void> waiting = new FutureTask<>(() -> call.accept(group.rank(0)), null);
      Thread waits = Thread.ofPlatform().daemon().start(waiting);
      Await.until(() -> group.status().state() == GroupStatus.State.MEETING);
      closed.close();
      waits.interrupt();
      Await.until(() -> !waits.isInterrupted());

      Throwable ofOther = catchThrowable(() -> call.accept(group.rank(1)));
      if (numbers > 1 || ofOther != null) {
        assertThat(ofOther).isInstanceOf(TuttiException.class);
      }
      assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
          .cause()
          .isInstanceOfSatisfying(
              TuttiException.class,
              thrown -> assertThat(thrown.code()).isNotEqualTo(ErrorCode.INTERRUPTED));
    }
  }

  /** An all-reduce of some numbers of each rank, in an arena of its own. */
  private static Consumer<RankHandle> allReduce(List<Arena> arenas, int numbers) {
    long bytes = 4L * numbers;
    List<MemorySegment> inputs = arenas.stream().map(each -> each.allocate(bytes, 4)).toList();
    List<MemorySegment> outputs = arenas.stream().map(each -> each.allocate(bytes, 4)).toList();
    return rank ->
        rank.allReduce(
            inputs.get(rank.rank()), outputs.get(rank.rank()), DataType.FLOAT32, ReduceOp.SUM);
  }

  @Test
  void anInterruptOfTheCallerIsKept() throws InterruptedException {
    Arena arena = Arena.ofShared();
    try (Group group = context.createGroup(RANKS)) {
      MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
      Request request = group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
      arena.close();
      Thread.currentThread().interrupt();
      Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::run);
      assertThat(Thread.interrupted()).isTrue();
      Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::run);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @Test
  void aConfinedArenaThatIsClosedBetweenStartAndWaitIsSaid() {
    try (Group group = context.createGroup(RANKS)) {
      Arena arena = Arena.ofConfined();
      MemorySegment[] inputs = Floats.filled(arena, RANKS, 8);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, 8);
      Request request = group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
      request.start();
      arena.close();
      assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::await))
          .isEqualTo(
              "the memory of a buffer was freed during the run; keep its arena open until the run"
                  + " has ended");
      Errors.message(ErrorCode.GROUP_POISONED, request::run);
    }
  }
}
