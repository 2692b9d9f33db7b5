package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class RankCallsTest {

  private static final int RANKS = 4;
  private static final CallOptions SHORT =
      CallOptions.defaults().withDeadline(Duration.ofMillis(100));

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  /** A context in which a rank that parks has already used up its time. */
  private final Context impatient =
      SampleAlgorithms.addTo(Context.builder())
          .waiting(new Waiting(new TickingClock(Duration.ofNanos(100)), 2))
          .open();

  @AfterEach
  void close() {
    context.close();
    impatient.close();
  }

  /** Runs a body per rank on separate platform threads, as a caller of {@code rank(r)} would. */
  private List<Throwable> onThreads(Consumer<RankHandle> body) throws InterruptedException {
    Throwable[] thrown = new Throwable[RANKS];
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      int own = rank;
      threads.add(
          Thread.ofPlatform()
              .start(() -> thrown[own] = catchThrowable(() -> body.accept(group.rank(own)))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return Arrays.asList(thrown);
  }

  @Test
  void allReducesArraysOfEveryPrimitiveType() {
    group.run(
        rank -> {
          byte r = (byte) (rank.rank() + 1);
          byte[] bytes = {r};
          short[] shorts = {r};
          int[] ints = {r};
          long[] longs = {r};
          float[] floats = {r};
          double[] doubles = {r};
          rank.allReduce(bytes, bytes, ReduceOp.SUM);
          rank.allReduce(shorts, shorts, ReduceOp.PROD);
          rank.allReduce(ints, ints, ReduceOp.MAX);
          rank.allReduce(longs, longs, ReduceOp.MIN);
          rank.allReduce(floats, floats, ReduceOp.SUM);
          rank.allReduce(doubles, doubles, ReduceOp.PROD);
          assertThat(bytes).containsExactly(10);
          assertThat(shorts).containsExactly((short) 24);
          assertThat(ints).containsExactly(4);
          assertThat(longs).containsExactly(1);
          assertThat(floats).containsExactly(10);
          assertThat(doubles).containsExactly(24);
        });
  }

  @Test
  void theNextCallWithTheSameBufferMayHaveAnotherRoot() {
    group.run(
        rank -> {
          int[] data = new int[1];
          for (int call = 0; call < 2 * RANKS; call++) {
            data[0] = 10 * call + rank.rank();
            rank.broadcast(data, call % RANKS);
            assertThat(data).containsExactly(10 * call + call % RANKS);
          }
        });
  }

  @Test
  void runsEveryOperation() {
    group.run(
        rank -> {
          int r = rank.rank();
          int[] own = {r, 10 * r};
          int[] blocks = new int[2 * RANKS];
          Arrays.setAll(blocks, i -> 100 * r + i);
          int[] pair = new int[2];
          int[] all = new int[2 * RANKS];

          rank.barrier();
          rank.allReduce(own, pair, ReduceOp.SUM);
          assertThat(pair).containsExactly(6, 60);
          rank.reduce(own, r == 2 ? pair : null, ReduceOp.MAX, 2);
          assertThat(pair).containsExactly(r == 2 ? new int[] {3, 30} : new int[] {6, 60});
          rank.reduceScatter(blocks, pair, ReduceOp.SUM);
          assertThat(pair).containsExactly(600 + 8 * r, 604 + 8 * r);
          rank.scan(own, pair, ReduceOp.SUM);
          assertThat(pair[0]).isEqualTo(r * (r + 1) / 2);
          pair[0] = -1;
          rank.exclusiveScan(own, pair, ReduceOp.SUM);
          assertThat(pair[0]).isEqualTo(r == 0 ? -1 : r * (r - 1) / 2);
          rank.allGather(own, all);
          assertThat(all).containsExactly(0, 0, 1, 10, 2, 20, 3, 30);
          Arrays.fill(all, 0);
          rank.gather(own, r == 1 ? all : null, 1);
          assertThat(all[7]).isEqualTo(r == 1 ? 30 : 0);
          rank.scatter(r == 3 ? blocks : null, pair, 3);
          assertThat(pair).containsExactly(300 + 2 * r, 301 + 2 * r);
          rank.allToAll(blocks, all);
          assertThat(all[4]).isEqualTo(200 + 2 * r);
          int[] data = r == 0 ? new int[] {7, 8, 9} : new int[3];
          rank.broadcast(data, 0);
          assertThat(data).containsExactly(7, 8, 9);
        });
  }

  @Test
  void transfersBetweenPairsWhileTheOthersDoSomethingElse() {
    group.run(
        rank -> {
          float[] data = {rank.rank()};
          switch (rank.rank()) {
            case 0 -> rank.send(data, 1);
            case 1 -> rank.receive(data, 0);
            case 2 -> rank.receive(data, 3);
            default -> rank.send(data, 2);
          }
          assertThat(data).containsExactly(rank.rank() < 2 ? 0 : 3);
          rank.allReduce(data, data, ReduceOp.SUM);
          assertThat(data).containsExactly(6);
        });
  }

  @Test
  void takesMemoryOfAnyKind() throws InterruptedException {
    try (Arena shared = Arena.ofShared()) {
      MemorySegment[] buffers = Floats.filled(shared, RANKS, 3);
      assertThat(
              onThreads(
                  rank -> {
                    try (Arena own = Arena.ofConfined()) {
                      MemorySegment out = own.allocate(ValueLayout.JAVA_FLOAT, 4);
                      MemorySegment in = buffers[rank.rank()].asReadOnly();
                      rank.with(CallOptions.defaults().withLongerBuffers(true))
                          .allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM);
                      assertThat(Floats.values(out.asSlice(0, 12)))
                          .isEqualTo(Floats.sums(RANKS, 3));
                    }
                  }))
          .containsOnlyNulls();
    }
  }

  @Test
  void leavesWhatAnOperationDoesNotWriteAsItIs() {
    int[] untouched = {1, 2, 3, 4};
    int[] inFirstBlock = {8, 8, 3, 4};
    group.run(
        rank -> {
          int[] in = {2, 2, 2, 2};
          int[] used = in.clone();
          run(rank, CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 4), in, used);
          int[] out = untouched.clone();
          run(rank, CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 2), in, out);
          assertThat(out).isEqualTo(inFirstBlock);
          out = untouched.clone();
          run(rank, CollectiveCall.reduce(DataType.INT32, ReduceOp.SUM, 2, 1), in, out);
          assertThat(out).isEqualTo(rank.rank() == 1 ? inFirstBlock : untouched);
          out = untouched.clone();
          run(rank, CollectiveCall.barrier(), in, out);
          assertThat(out).isEqualTo(untouched);
        });
  }

  @Test
  void takesForOneMemoryOnlyWhatTheOperationUses() {
    CollectiveCall reduce = CollectiveCall.reduce(DataType.INT32, ReduceOp.SUM, 2, 1);
    group.run(
        rank -> {
          int[] in = {2, 2};
          int[] out = rank.rank() == 1 ? new int[2] : in;
          run(rank, reduce, in, out);
          run(rank, reduce, in, in);
          assertThat(in).containsExactly(rank.rank() == 1 ? new int[] {8, 8} : new int[] {2, 2});
        });
  }

  private static void run(RankHandle rank, CollectiveCall call, int[] in, int[] out) {
    rank.run(call, MemorySegment.ofArray(in), MemorySegment.ofArray(out));
  }

  /** A kept call with an explicit count is not used for the whole buffers. */
  @Test
  void aCountThatIsGivenCountsForThatCallOnly() {
    CollectiveCall two = CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 2);
    int[][] out = new int[RANKS][3];
    group.run(
        rank -> {
          MemorySegment in = MemorySegment.ofArray(new int[] {1, 1, 1});
          MemorySegment sum = MemorySegment.ofArray(out[rank.rank()]);
          rank.run(two, in, sum);
          assertThat(out[rank.rank()]).containsExactly(RANKS, RANKS, 0);
          rank.allReduce(in, sum, DataType.INT32, ReduceOp.SUM);
          rank.run(two, in, sum);
        });
    assertThat(List.of(out)).allSatisfy(own -> assertThat(own).containsOnly(RANKS));
  }

  @Test
  void callsOfOneShapeShareAPlanWhateverTheBuffers() {
    group.run(
        rank -> {
          for (int i = 0; i < 50; i++) {
            float[] data = {rank.rank(), i};
            float[] sum = new float[2];
            rank.allReduce(data, sum, ReduceOp.SUM);
            assertThat(sum).containsExactly(6, RANKS * i);
          }
        });
    assertThat(group.planCache().plans()).isEqualTo(1);
    assertThat(group.planCache().misses()).isEqualTo(1);
  }

  @Test
  void tellsEveryRankWhichOneDiffersAndInWhat() throws InterruptedException {
    List<Throwable> thrown =
        onThreads(
            rank -> {
              float[] data = new float[rank.rank() == 2 ? 5 : 8];
              rank.allReduce(data, data, ReduceOp.SUM);
            });
    assertThat(thrown)
        .hasSize(RANKS)
        .allSatisfy(
            each ->
                assertThat(each)
                    .hasMessage(
                        "all ranks must make the same call as operation 1, but rank 2 differs from"
                            + " rank 0 in its count: expected 8, actual 5 (rank 0: allreduce of 8 float32, sum;"
                            + " rank 2: allreduce of 5 float32, sum)")
                    .isInstanceOfSatisfying(
                        TuttiException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CALL_MISMATCH)));
    assertThat(group.isPoisoned()).isFalse();
    group.run(RankHandle::barrier);
  }

  @Test
  void comparesEveryFieldOfACall() throws InterruptedException {
    int[] data = new int[4];
    float[] floats = new float[4];
    expectMismatch(
        "operation",
        r -> r.allReduce(data.clone(), data.clone(), ReduceOp.SUM),
        r -> r.scan(data.clone(), data.clone(), ReduceOp.SUM));
    expectMismatch(
        "data type",
        r -> r.allReduce(data.clone(), data.clone(), ReduceOp.SUM),
        r -> r.allReduce(floats.clone(), floats.clone(), ReduceOp.SUM));
    expectMismatch(
        "reduction",
        r -> r.allReduce(data.clone(), data.clone(), ReduceOp.SUM),
        r -> r.allReduce(data.clone(), data.clone(), ReduceOp.MAX));
    expectMismatch("root", r -> r.broadcast(data.clone(), 0), r -> r.broadcast(data.clone(), 1));
    CallOptions options = CallOptions.defaults();
    expectMismatch(
        "algorithm", RankHandle::barrier, r -> r.with(options.withAlgorithm("pull")).barrier());
    expectMismatch("tag", RankHandle::barrier, r -> r.with(options.withTag("x")).barrier());
    expectMismatch(
        "protocol",
        RankHandle::barrier,
        r -> r.with(options.withProtocol(Protocol.RDMA)).barrier());
    CallOptions gaps = options.withLayouts(Layout.contiguous(), Layout.vector(2, 1, 2));
    expectMismatch("output layout", RankHandle::barrier, r -> r.with(gaps).barrier());
    expectMismatch(
        "parameters",
        RankHandle::barrier,
        r -> r.with(options.withParameters(AlgOptions.none().with("chunks", 2))).barrier());
    expectMismatch(
        "determinism",
        RankHandle::barrier,
        r -> r.with(options.withDeterminism(Determinism.SAME_RUNS)).barrier());
    expectMismatch(
        "mode", RankHandle::barrier, r -> r.with(options.withMode(WorkflowMode.OP_BASE)).barrier());
  }

  @Test
  void tellsWhoCallsInAnotherOrderFromWhichOperationOn() throws InterruptedException {
    List<Throwable> thrown =
        onThreads(
            rank -> {
              int[] data = new int[RANKS];
              rank.barrier();
              if (rank.rank() == 2) {
                rank.allGather(new int[1], data);
                rank.allReduce(data, data, ReduceOp.SUM);
              } else {
                rank.allReduce(data, data, ReduceOp.SUM);
                rank.allGather(new int[1], data);
              }
            });
    assertThat(thrown)
        .allSatisfy(
            each ->
                assertThat(each)
                    .hasMessage(
                        "all ranks must make the same call as operation 2, but rank 2 differs from"
                            + " rank 0 in its operation: expected allreduce, actual allgather"
                            + " (rank 0: allreduce of 4 int32, sum; rank 2: allgather of 1 int32)"));
  }

  @Test
  void takesForRightWhatMostRanksCall() throws InterruptedException {
    List<Throwable> thrown =
        onThreads(rank -> rank.broadcast(new int[rank.rank() == 0 ? 3 : 2], 1));
    assertThat(thrown)
        .allSatisfy(
            each ->
                assertThat(each)
                    .hasMessageContaining(
                        "but rank 0 differs from rank 1 in its count: expected 2, actual 3"));
  }

  @Test
  void deadlinesMayDiffer() throws InterruptedException {
    CallOptions longer = CallOptions.defaults().withDeadline(Duration.ofMinutes(2));
    assertThat(onThreads(r -> (r.rank() == 1 ? r.with(longer) : r).barrier())).containsOnlyNulls();
  }

  private void expectMismatch(String field, Consumer<RankHandle> most, Consumer<RankHandle> last)
      throws InterruptedException {
    List<Throwable> thrown =
        onThreads(rank -> (rank.rank() == RANKS - 1 ? last : most).accept(rank));
    assertThat(thrown)
        .allSatisfy(
            each ->
                assertThat(each).hasMessageContaining("differs from rank 0 in its " + field + ":"));
  }

  @Test
  void whatOnlyAllBuffersTogetherShowIsTheSameErrorForAll() throws InterruptedException {
    int[] shared = new int[8];
    assertThat(onThreads(rank -> rank.allReduce(shared, shared, ReduceOp.SUM)))
        .allSatisfy(
            each ->
                assertThat(each)
                    .hasMessageStartingWith(
                        "the output of rank 0 and the output of rank 1 overlap"));
    group.run(RankHandle::barrier);
  }

  @Test
  void refusesTransfersWithoutAPartnerAtOnce() {
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> group.rank(1).send(new int[1], 4)))
        .isEqualTo("a transfer needs two different ranks of 0 to 3. Actual: from 1 to 4");
    Errors.message(ErrorCode.INVALID_RANK, () -> group.rank(1).receive(new int[1], 1));
    Errors.message(ErrorCode.INVALID_COUNT, () -> group.rank(0).allToAll(new int[5], new int[5]));
  }

  @Test
  void endsEveryWaitWhenSomeDoNotArriveInTime() {
    Group late = impatient.createGroup(RANKS);
    RankRequest first = late.rank(0).with(SHORT).requests().barrier().start();
    RankRequest second = late.rank(1).with(SHORT).requests().barrier().start();
    assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, second::await))
        .isEqualTo(
            "rank 1 waited 100 ms in operation 1, barrier, for 2 of 4 ranks that did not arrive:"
                + " rank 2 is in no call, rank 3 is in no call; the group can only be closed now");
    assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, first::await)).startsWith("rank 1 ");
    assertThat(late.isPoisoned()).isTrue();
    assertThat(Errors.message(ErrorCode.GROUP_POISONED, late.rank(0)::barrier))
        .startsWith(
            "the group is unusable after an earlier failure and can only be closed; the failure"
                + " was: rank ");
    Errors.message(ErrorCode.GROUP_POISONED, () -> late.barrier().run());
    late.close();
    impatient.createGroup(2).barrier().run();
  }

  @Test
  void saysWhatTheMissingRanksAreDoing() throws InterruptedException {
    Group late = impatient.createGroup(RANKS);
    Thread ended = Thread.ofPlatform().start(() -> late.rank(2).requests().barrier().start());
    ended.join();
    late.rank(0).requests().barrier().start().cancel();
    Errors.message(ErrorCode.CANCELLED, late.rank(1)::barrier);
    Errors.message(ErrorCode.CANCELLED, late.rank(3)::barrier);
    RankRequest send =
        late.rank(3).requests().send(MemorySegment.ofArray(new int[1]), DataType.INT32, 0).start();
    assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, late.rank(1).with(SHORT)::barrier))
        .contains("rank 3 is in transfer of 1 int32 from rank 3 to rank 0")
        .contains("rank 2 has not waited for its barrier");
    Errors.message(ErrorCode.GROUP_POISONED, send::await);
  }

  @Test
  void saysThatTheThreadOfAMissingRankHasEnded() throws InterruptedException {
    Group late = impatient.createGroup(RANKS);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  RankRequest left = late.rank(1).requests().barrier().start();
                  left.cancel();
                  Errors.message(ErrorCode.CANCELLED, left::await);
                });
    thread.join();
    Errors.message(ErrorCode.CANCELLED, late.rank(0)::barrier);
    assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, late.rank(0).with(SHORT)::barrier))
        .contains("rank 1 is in no call, and the thread it last called from has ended, rank 2");
  }

  @Test
  void anInterruptEndsTheWaitAndNotTheOperation() throws InterruptedException {
    int[] sum = new int[1];
    RankRequest request =
        group
            .rank(0)
            .requests()
            .allReduce(
                MemorySegment.ofArray(new int[] {1}),
                MemorySegment.ofArray(sum),
                DataType.INT32,
                ReduceOp.SUM)
            .start();
    Thread.currentThread().interrupt();
    assertThat(Errors.message(ErrorCode.INTERRUPTED, request::await))
        .isEqualTo(
            "the wait of rank 0 for operation 1, allreduce of 1 int32, sum, was interrupted; the"
                + " operation goes on, so wait again or cancel it");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(request.isRunning()).isTrue();

    List<Throwable> thrown =
        onThreads(
            rank -> {
              if (rank.rank() == 0) {
                request.await();
              } else {
                rank.allReduce(new int[] {1}, new int[1], ReduceOp.SUM);
              }
            });
    assertThat(thrown).containsOnlyNulls();
    assertThat(sum).containsExactly(RANKS);
    assertThat(group.isPoisoned()).isFalse();
  }

  @Test
  void aBlockingCallThatIsInterruptedGoesOnToo() throws InterruptedException {
    Thread.currentThread().interrupt();
    Errors.message(ErrorCode.INTERRUPTED, group.rank(0)::barrier);
    assertThat(Thread.interrupted()).isTrue();
    List<Throwable> thrown =
        onThreads(
            rank -> {
              if (rank.rank() != 0) {
                rank.barrier();
              }
              rank.barrier();
            });
    assertThat(thrown).containsOnlyNulls();
  }

  @Test
  void refusesASecondThreadOfOneRank() throws InterruptedException {
    CountDownLatch isRefused = new CountDownLatch(1);
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    Thread first = Thread.ofPlatform().start(() -> group.rank(0).barrier());
    Thread second =
        Thread.ofPlatform()
            .start(
                () -> {
                  // The two race; whichever comes second is refused.
                  Throwable mine = catchThrowable(group.rank(1)::barrier);
                  thrown.add(mine);
                  isRefused.countDown();
                });
    Thread third =
        Thread.ofPlatform().start(() -> thrown.add(catchThrowable(group.rank(2)::barrier)));
    for (Thread each : List.of(first, second, third)) {
      Await.until(() -> each.getState() == Thread.State.TIMED_WAITING);
    }
    assertThat(Errors.message(ErrorCode.INVALID_STATE, group.rank(0)::barrier))
        .startsWith("rank 0 is already in a call (");
    group.rank(3).barrier();
    isRefused.await();
    first.join();
    third.join();
    assertThat(thrown).hasSize(2).containsOnlyNulls();
  }

  @Test
  void aBodyThatThrowsEndsTheOthersAtOnce() {
    ConcurrentHashMap<Integer, String> messages = new ConcurrentHashMap<>();
    assertThatThrownBy(
            () ->
                group.run(
                    rank -> {
                      if (rank.rank() == 1) {
                        throw new IllegalStateException("out of data");
                      }
                      try {
                        rank.barrier();
                      } catch (TuttiException e) {
                        messages.put(rank.rank(), e.getMessage());
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("out of data");
    assertThat(messages).containsOnlyKeys(0, 2, 3);
    assertThat(messages.values())
        .containsOnly(
            "rank 1 has ended its body with java.lang.IllegalStateException: out of data");
    group.run(RankHandle::barrier);
  }

  @Test
  void aBodyMayThrowWhatJavaWouldHaveItDeclare() {
    IOException thrown = new IOException("out of data");
    Consumer<RankHandle> body =
        rank -> {
          if (rank.rank() == 1) {
            RankCallsTest.<RuntimeException>throwUndeclared(thrown);
          }
        };
    assertThat(catchThrowable(() -> group.run(body))).isSameAs(thrown);
    assertThatThrownBy(() -> group.capture(body))
        .isInstanceOf(TuttiException.class)
        .hasMessageStartingWith("the capture was abandoned")
        .hasCause(thrown);
    group.run(RankHandle::barrier);
  }

  /** As other languages than Java do. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void theNextBodiesBeginWithOneCallWhateverTheLastOnesMissed() {
    CountDownLatch isOver = new CountDownLatch(1);
    group.run(
        rank -> {
          if (rank.rank() == 1) {
            Errors.message(ErrorCode.INVALID_STATE, rank::barrier);
            isOver.countDown();
          } else if (rank.rank() == 2) {
            assertThat(catchThrowable(isOver::await)).isNull();
          }
        });
    group.run(RankHandle::barrier);
  }

  @Test
  void aBodyThatReturnsEarlyEndsTheOthersAtOnce() {
    assertThatThrownBy(
            () ->
                group.run(
                    rank -> {
                      if (rank.rank() != 2) {
                        rank.barrier();
                      }
                    }))
        .hasMessage("rank 2 has ended its body without this call");
    assertThat(group.isPoisoned()).isFalse();
  }

  @Test
  void closingAGroupEndsTheWaitsInIt() throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Thread waiting =
        Thread.ofPlatform().start(() -> thrown.add(catchThrowable(group.rank(0)::barrier)));
    Await.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    group.close();
    waiting.join();
    assertThat(thrown.getFirst()).hasMessage("the group is closed; create another one");
  }
}
