package dev.tutti.host.job;

import static dev.tutti.host.job.JobMistakesTest.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Rte;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that have several ranks each and send each other messages. */
@Timeout(600)
final class ProcessRanksTest {

  private static int sum(RankHandle rank, int own) {
    int[] output = new int[1];
    rank.allReduce(new int[] {own}, output, ReduceOp.SUM);
    return output[0];
  }

  private static RankHandle within(RankHandle rank, long millis) {
    return rank.with(CallOptions.defaults().withDeadline(Duration.ofMillis(millis)));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static <T> List<T> inEachGroup(int[] ranks, Function<Group, T> body) throws Exception {
    return OneJvmJob.inProcesses(
        ranks,
        (process, builder) -> builder,
        context -> {
          try (Group group = context.createGroup(context.rte().ranks())) {
            return body.apply(group);
          }
        });
  }

  @Test
  void ranksFollowThoseOfTheProcessBefore() throws Exception {
    List<String> seen =
        OneJvmJob.inProcesses(
            new int[] {1, 3, 2},
            (process, builder) -> builder,
            context -> {
              Rte rte = context.rte();
              assertThat(rte.ranks()).isEqualTo(6);
              try (Group group = context.createGroup(6)) {
                for (int rank : group.localRanks()) {
                  assertThat(rte.isLocal(rank)).isTrue();
                }
                int other = group.localRanks()[0] == 0 ? 5 : 0;
                assertThat(rte.isLocal(other)).isFalse();
                assertThatThrownBy(() -> group.rank(other))
                    .hasMessageContaining("rank " + other + " is in another process");
                return List.of(group.localRanks().length, group.localRanks()[0]).toString();
              }
            });
    assertThat(seen).containsExactly("[1, 0]", "[3, 1]", "[2, 4]");
  }

  @Test
  void groupsMustHaveTheRanksOfAllProcesses() throws Exception {
    OneJvmJob.inProcesses(
        new int[] {1, 2},
        (process, builder) -> builder,
        context -> {
          assertThat(errorOf(() -> context.createGroup(2)))
              .hasMessageContaining(
                  "the processes of this job have 3 ranks, 1+2, and its groups must have as many")
              .hasMessageContaining("Actual: 2");
          return null;
        });
  }

  @Test
  void processesThatWantGroupsOfDifferentShapesAreRefused() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inProcesses(
            new int[] {2, 2},
            (process, builder) -> builder,
            context -> {
              Topology topology =
                  context.rte().isLocal(0) ? Topology.flat(4) : Topology.nodes(2, 2);
              return errorOf(() -> context.createGroup(topology));
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("rank 2 differs from rank 0 in the topology of group 1"));
  }

  /** More than a byte can number. */
  @Test
  void aJobMayHaveManyRanks() throws Exception {
    List<Integer> heard =
        OneJvmJob.inGroup(
            new int[] {200, 60, 1},
            (context, rank) -> {
              MemorySegment data = MemorySegment.ofArray(new int[] {rank.rank()});
              rank.broadcast(data, DataType.INT32, 260);
              return data.get(ValueLayout.JAVA_INT, 0);
            });
    assertThat(heard).hasSize(261).containsOnly(260);
  }

  @Test
  void aJobOfMoreRanksThanItCanHaveIsRefusedByAllProcesses() {
    assertThatThrownBy(() -> inEachGroup(new int[] {256, 1, 256}, group -> null))
        .satisfies(
            all ->
                assertThat(all.getSuppressed())
                    .hasSize(3)
                    .allSatisfy(
                        each ->
                            assertThat(each)
                                .hasMessageContaining("a job has at most 512 ranks")
                                .hasMessageContaining("513, in 3 processes: [256, 1, 256]")));
  }

  @Test
  void aProcessWithoutRanksIsRefused() {
    assertThatThrownBy(
            () -> HostAccess.messages(Context.builder(), new OneJvmNetwork(2, 0).world(0), 0))
        .hasMessageContaining("a process of a job over MPI has 1 to 512 ranks. Actual: 0");
  }

  @Test
  void ranksMayHaveBuffersOfTheirOwnInEachOperation() throws Exception {
    List<MemorySegment> held =
        IntStream.range(0, 3).mapToObj(rank -> Arena.ofAuto().allocate(8, 8)).toList();
    OneJvmJob.inGroup(
        new int[] {2, 1},
        (context, rank) -> {
          for (int i = 0; i < 50; i++) {
            // The buffers of rank 1 are new every time, and those of the others stay the same.
            MemorySegment in =
                rank.rank() == 1 ? Arena.ofAuto().allocate(8, 8) : held.get(rank.rank());
            MemorySegment out = Arena.ofAuto().allocate(8, 8);
            in.set(ValueLayout.JAVA_LONG, 0, i + rank.rank());
            rank.allReduce(in, out, DataType.INT64, ReduceOp.SUM);
            assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3L * i + 3);
          }
          return null;
        });
  }

  @Test
  void ranksOfOneProcessMustNotGiveTheSameOutput() throws Exception {
    int[] shared = new int[1];
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            new int[] {1, 2},
            (context, rank) -> {
              assertThat(sum(rank, 1)).isEqualTo(3);
              int[] output = rank.rank() == 0 ? new int[1] : shared;
              TuttiException error =
                  errorOf(() -> rank.allReduce(new int[] {1}, output, ReduceOp.SUM));
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code()).isIn(ErrorCode.BUFFER_OVERLAP, ErrorCode.GROUP_POISONED));
    assertThat(errors)
        .anySatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.BUFFER_OVERLAP));
  }

  @Test
  void aRankThatDiffersFromItsNeighbourIsNamedForAll() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            new int[] {2, 1},
            (context, rank) -> {
              int[] data = new int[rank.rank() == 1 ? 5 : 4];
              TuttiException error =
                  errorOf(() -> rank.allReduce(data, data.clone(), ReduceOp.SUM));
              assertThat(sum(rank, 1)).isEqualTo(3);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining(
                        "rank 1 differs from rank 0 in its count: expected 4, actual 5"));
  }

  @Test
  void aRankWhoseBodyEndsWithoutACallEndsTheWaitOfItsNeighbour() throws Exception {
    List<@Nullable TuttiException> errors =
        OneJvmJob.inGroup(
            new int[] {1, 2},
            (context, rank) -> {
              assertThat(sum(rank, 1)).isEqualTo(3);
              return rank.rank() == 2 ? null : errorOf(() -> sum(rank, 1));
            });
    assertThat(errors.get(1)).hasMessageContaining("rank 2 has ended its body without this call");
    assertThat(errors.get(0))
        .hasMessageMatching("(?s).*rank 2 has ended its body without this call.*");
  }

  @Test
  void bodiesMayRunAgainAndAgain() throws Exception {
    inEachGroup(
        new int[] {2, 2},
        group -> {
          for (int round = 0; round < 20; round++) {
            group.run(rank -> assertThat(sum(rank, 1)).isEqualTo(4));
          }
          return null;
        });
  }

  @Test
  void aRankThatDoesNotComeIsNamedByItsNeighbour() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            new int[] {1, 2},
            (context, rank) -> {
              assertThat(sum(rank, 1)).isEqualTo(3);
              if (rank.rank() == 2) {
                await(isOver);
              }
              try {
                return errorOf(() -> sum(within(rank, rank.rank() == 1 ? 100 : 100_000), 1));
              } finally {
                if (rank.rank() == 1) {
                  isOver.countDown();
                }
              }
            });
    assertThat(errors.get(1))
        .hasMessageContaining("rank 1 waited 100 ms in operation 2")
        .hasMessageContaining("for 1 of 3 ranks that did not arrive: rank 2 is in no call");
  }

  @Test
  void aFailedOperationEndsForARankWhoseNeighbourHasNotCome() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    CountDownLatch hasFailed = new CountDownLatch(1);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            new int[] {1, 2},
            (context, rank) -> {
              if (rank.rank() == 2) {
                await(hasFailed);
                return errorOf(() -> sum(rank, 1));
              }
              if (rank.rank() == 0) {
                var request = rank.requests().allReduce(new int[1], new int[1], ReduceOp.SUM);
                Await.barrier(barrier);
                request.start();
                assertThat(request.cancel()).isTrue();
                return errorOf(request::await);
              }
              Await.barrier(barrier);
              TuttiException error = errorOf(() -> sum(rank, 1));
              hasFailed.countDown();
              return error;
            });
    assertThat(errors).allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED));
  }

  @Test
  void ranksThatAreAllHereMakeGroupsAsInOneContext() throws Exception {
    inEachGroup(
        new int[] {2, 2},
        group -> {
          int first = group.localRanks()[0];
          assertThatThrownBy(() -> group.request(CollectiveCall.barrier()))
              .hasMessageContaining("but those of this group are in 2");
          try (Group here = group.subGroup(first + 1, first)) {
            assertThat(here.localRanks()).containsExactly(0, 1);
            here.request(CollectiveCall.barrier()).build().run();
            here.run(
                rank ->
                    assertThat(sum(rank, here.worldRank(rank.rank()))).isEqualTo(2 * first + 1));
          }
          group.run(rank -> assertThat(sum(rank, 1)).isEqualTo(4));
          return null;
        });
  }

  @Test
  void aJobOfOneProcessIsOneContext() throws Exception {
    inEachGroup(
        new int[] {3},
        group -> {
          group.request(CollectiveCall.barrier()).build().run();
          group.run(rank -> assertThat(sum(rank, 1)).isEqualTo(3));
          return null;
        });
  }

  @Test
  void transfersGoThroughMemoryOrMessages() throws Exception {
    List<Integer> got =
        OneJvmJob.inGroup(
            new int[] {2, 2},
            (context, rank) -> {
              int next = (rank.rank() + 1) % 4;
              int previous = (rank.rank() + 3) % 4;
              int[] received = new int[1];
              for (int i = 0; i < 20; i++) {
                var receive =
                    rank.requests()
                        .receive(MemorySegment.ofArray(received), DataType.INT32, previous);
                receive.start();
                rank.send(
                    MemorySegment.ofArray(new int[] {100 * i + rank.rank()}), DataType.INT32, next);
                receive.await();
                assertThat(received[0]).isEqualTo(100 * i + previous);
              }
              return received[0];
            });
    assertThat(got).containsExactly(1903, 1900, 1901, 1902);
  }

  @Test
  void ranksOfOneColourShareTheirNewGroup() throws Exception {
    inEachGroup(
        new int[] {2, 2, 1},
        group -> {
          for (int round = 0; round < 10; round++) {
            group.run(
                rank -> {
                  RankHandle part =
                      rank.split(rank.rank() % 3 == 0 ? 1 : 2, rank.rank()).orElseThrow();
                  assertThat(sum(part, 1)).isEqualTo(rank.rank() % 3 == 0 ? 2 : 3);
                });
          }
          return null;
        });
  }
}
