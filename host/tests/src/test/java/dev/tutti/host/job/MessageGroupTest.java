package dev.tutti.host.job;

import static dev.tutti.host.job.JobMistakesTest.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.group.MessageAccess;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.host.rank.RankAccess;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The special behaviour of ranks that share no memory. */
@Timeout(600)
final class MessageGroupTest {

  private static int[] sum(RankHandle rank, int[] input, ReduceOp how) {
    int[] output = new int[input.length];
    rank.allReduce(input, output, how);
    return output;
  }

  @Test
  void aRankBringsOtherBuffersToWhatAllKnowByItself() throws Exception {
    OneJvmJob.inGroup(
        Link.MESSAGES,
        2,
        (context, rank) -> {
          for (int i = 0; i < 50; i++) {
            // One rank's buffers are new every time, and the other's are the same.
            MemorySegment data =
                rank.rank() == 0 ? Arena.ofAuto().allocate(8, 8) : context.allocate(8).segment();
            data.set(ValueLayout.JAVA_LONG, 0, i);
            MemorySegment sum = Arena.ofAuto().allocate(8, 8);
            rank.allReduce(data, sum, DataType.INT64, ReduceOp.SUM);
            assertThat(sum.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(2L * i);
          }
          return null;
        });
  }

  @Test
  void aRootMayBeInPlaceInOneCallAndNotInTheNext() throws Exception {
    OneJvmJob.inGroup(
        Link.MESSAGES,
        3,
        (context, rank) -> {
          for (int i = 0; i < 20; i++) {
            boolean isArray = i >= 10;
            MemorySegment in =
                isArray
                    ? MemorySegment.ofArray(new int[] {rank.rank(), i})
                    : ints(context, rank.rank(), i);
            boolean isRoot = rank.rank() == 1;
            MemorySegment out = !isRoot ? null : i % 2 == 0 ? in : ints(context, 0, 0);
            rank.reduce(in, out, DataType.INT32, ReduceOp.SUM, 1);
            if (out != null) {
              assertThat(out.toArray(ValueLayout.JAVA_INT)).containsExactly(3, 3 * i);
            }
          }
          return null;
        });
  }

  private static MemorySegment ints(Context context, int... values) {
    MemorySegment memory = context.allocate(4L * values.length).segment();
    for (int i = 0; i < values.length; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, values[i]);
    }
    return memory;
  }

  @Test
  void ranksOfWhichOnlySomeAreInPlaceAreToldSo() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            Link.MESSAGES,
            2,
            (context, rank) -> {
              MemorySegment in = ints(context, 1);
              MemorySegment out = rank.rank() == 0 ? in : ints(context, 1);
              TuttiException error =
                  errorOf(() -> rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM));
              assertThat(sum(rank, new int[] {2}, ReduceOp.SUM)).containsExactly(4);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining(
                        "rank 1 differs from rank 0 in its place: expected in place, actual out of"
                            + " place"));
  }

  @Test
  void aCallThatOneRankDoesNotKnowAnyMoreIsThatOfTheOthers() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(3);
    OneJvmJob.inGroup(
        Link.MESSAGES,
        3,
        (context, rank) -> {
          // All agree on it; rank 2 forgets that, and so does rank 0 a while later, which is asked.
          for (int forgetful : new int[] {2, 0}) {
            assertThat(sum(rank, new int[] {1, 2}, ReduceOp.SUM)).containsExactly(3, 6);
            Await.barrier(barrier);
            if (rank.rank() == forgetful) {
              MessageAccess.forgetAll(RankAccess.known(rank));
            }
            for (int i = 0; i < 3; i++) {
              assertThat(sum(rank, new int[] {1, i}, ReduceOp.SUM)).containsExactly(3, 3 * i);
            }
          }
          return null;
        });
  }

  @Test
  void aNewCallWhereTheOthersMakeOneThatTheyKnowIsToldToAll() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            Link.MESSAGES,
            2,
            (context, rank) -> {
              assertThat(sum(rank, new int[] {1}, ReduceOp.SUM)).containsExactly(2);
              Await.barrier(barrier);
              int[] input = new int[rank.rank() == 0 ? 1 : 2];
              return errorOf(() -> sum(rank, input, ReduceOp.SUM));
            });
    assertThat(errors)
        .anySatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("as operation 2, but rank 1 differs from rank 0"));
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code()).isIn(ErrorCode.CALL_MISMATCH, ErrorCode.GROUP_POISONED));
  }

  @Test
  void callsThatAllKnowAndThatDifferAreTold() throws Exception {
    CyclicBarrier haveEnded = new CyclicBarrier(3);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            Link.MESSAGES,
            3,
            (context, rank) -> {
              for (ReduceOp each : List.of(ReduceOp.SUM, ReduceOp.MAX)) {
                assertThat(sum(rank, new int[] {0}, each)).containsExactly(0);
              }
              Await.barrier(haveEnded);
              // Messages have the same lengths.
              ReduceOp own = rank.rank() == 2 ? ReduceOp.MAX : ReduceOp.SUM;
              return errorOf(() -> sum(rank, new int[] {1}, own));
            });
    assertThat(errors)
        .anySatisfy(
            error ->
                assertThat(error)
                    .hasMessageMatching(
                        "(?s).*in its reduction: expected (sum, actual max|max, actual sum).*"));
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code()).isIn(ErrorCode.CALL_MISMATCH, ErrorCode.GROUP_POISONED));
  }

  @Test
  void aRankThatComesNeverIsMissedByTheFirstAndTheOthersSayWhatTheyWaitFor() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(3);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            Link.MESSAGES,
            3,
            (context, rank) -> {
              assertThat(sum(rank, new int[] {1}, ReduceOp.SUM)).containsExactly(3);
              Await.barrier(barrier);
              Duration deadline = Duration.ofMillis(rank.rank() == 1 ? 200 : 100_000);
              RankHandle caller = rank.with(CallOptions.defaults().withDeadline(deadline));
              TuttiException error =
                  rank.rank() == 2
                      ? new TuttiException(ErrorCode.INVALID_STATE, "never came")
                      : errorOf(() -> sum(caller, new int[] {1}, ReduceOp.SUM));
              Await.barrier(barrier);
              return error;
            });
    assertThat(errors.get(1))
        .hasMessageContaining(
            "rank 1 waited 200 ms in operation 2, allreduce of 1 int32, sum, for a message of rank ")
        .hasMessageContaining("rank 1 is at stream 0 action");
    assertThat(errors.get(0).code()).isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.GROUP_POISONED);
  }

  @Test
  void aCancelOfWhatOthersHaveBegunEndsTheGroup() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            Link.MESSAGES,
            2,
            (context, rank) -> {
              int[] input = new int[100_000];
              sum(rank, input, ReduceOp.SUM);
              Await.barrier(barrier);
              RankRequest request =
                  rank.requests().allReduce(input, new int[input.length], ReduceOp.SUM);
              if (rank.rank() == 0) {
                request.start();
                assertThat(request.cancel()).isTrue();
                TuttiException error = errorOf(request::await);
                // What it has sent is received by nobody.
                boolean isEnded = context.groups().stream().allMatch(Group::isPoisoned);
                Await.barrier(barrier);
                assertThat(isEnded).isTrue();
                return error;
              }
              Await.barrier(barrier);
              // It may have all data of the first rank before it learns of the cancel.
              return errorOf(
                  () -> {
                    for (int i = 0; i < 2; i++) {
                      request.start();
                      request.await();
                    }
                  });
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(errors.get(1).code()).isIn(ErrorCode.CANCELLED, ErrorCode.GROUP_POISONED);
  }

  @Test
  void asManyGroupsAreOpenAsThereAreChannels() {
    List<JobMessage> told = new ArrayList<>();
    GroupMaker maker = new GroupMaker(null, 2, rank -> rank, told::add);
    for (String name : List.of("a", "b", "c")) {
      maker.asked(wanted(name));
    }
    assertThat(channels(told)).containsExactly(0L, 1L);
    BodyReader refused = told.getLast().reader();
    assertThat(refused.text()).isEqualTo("c");
    assertThat(refused.number()).isZero();
    assertThat(refused.error()).hasMessageContaining("at most 2 groups that are open");
    told.clear();
    maker.freed(1);
    maker.asked(wanted("d"));
    assertThat(channels(told)).containsExactly(0L);
  }

  private static JobMessage wanted(String name) {
    BodyWriter body = new BodyWriter().text(name).text("1");
    body.counts(new int[1]);
    return new JobMessage(0, 0, JobMessage.Kind.GROUP, 0, 0, 0, body.bytes());
  }

  /** The channels of groups that were made. */
  private static List<Long> channels(List<JobMessage> told) {
    List<Long> channels = new ArrayList<>();
    for (JobMessage each : told) {
      BodyReader body = each.reader();
      String ignored = body.text();
      if (body.number() == 1) {
        assertThat(body.counts()).containsExactly(0);
        channels.add(body.number());
      }
    }
    return channels;
  }
}
