package dev.tutti.host.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.Context;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.HeldHelper;
import dev.tutti.host.HostAccess;
import dev.tutti.host.Request;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The error of a late run shows which ranks wait for which, like the group's status. */
@Timeout(600)
final class LateRunTest {

  private static final int RANKS = 4;
  private static final int COUNT = 1 << 18;
  private static final Duration LONG = Duration.ofSeconds(5);
  private static final String RANK_LINE =
      "  rank \\d (waits|is) at stream 0 action \\d+: .*, at SampleAlgorithms.*";

  private final Context context =
      SampleAlgorithms.addTo(Context.builder().workers(2)).deadline(Duration.ofMinutes(5)).open();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  /** A context whose time passes only while its threads wait. */
  private static Context ticking(int workers) {
    return HostAccess.waiting(
            SampleAlgorithms.addTo(Context.builder().workers(workers)),
            new Waiting(new TickingClock(Duration.ofNanos(100)), 2))
        .open();
  }

  private RequestBuilder allReduce(Group of, int count) {
    MemorySegment[] inputs = Floats.filled(arena, RANKS, count);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, count);
    return of.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM);
  }

  private static List<String> lines(TuttiException late) {
    assertThat(late.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    return String.valueOf(late.getMessage()).lines().toList();
  }

  private static void assertThatItExplains(TuttiException late, int count) {
    List<String> lines = lines(late);
    int ranks = lines.size() - 3;
    assertThat(lines.get(0)).startsWith("the run did not finish within its deadline").endsWith(":");
    assertThat(lines.get(1))
        .isEqualTo(
            "When the time was up, the group was running allreduce of " + count + " float32, sum:");
    assertThat(ranks).isBetween(1, RANKS);
    assertThat(lines.subList(2, 2 + ranks)).allMatch(line -> line.matches(RANK_LINE));
    assertThat(lines.getLast()).startsWith("  → ");
    assertThat(late.getCause())
        .hasMessageStartingWith("the run did not finish within its deadline");
    assertThat(late.getCause().getSuppressed()).isEmpty();
  }

  /**
   * Whether all data had been moved at the deadline, and a list had not yet seen its last signal,
   * or all lists had just ended. Then there is nothing to report about the ranks, and the engine's
   * own lines are kept.
   */
  private static boolean isOnlyLeftWithWaits(TuttiException late) {
    List<String> lines = lines(late);
    return lines.subList(1, lines.size()).stream()
        .allMatch(line -> line.matches("  list \\d+ waits at .*|  "));
  }

  /** A helper of the engine is held before a task, and the caller can do no more without it. */
  @Test
  void aRunThatHangsNamesTheRankThatIsHeld() {
    HeldHelper helper = new HeldHelper(Thread.currentThread());
    try (Context other = ticking(2);
        Group held = other.createGroup(RANKS)) {
      Request request = allReduce(held, COUNT).deadline(LONG).build();
      TuttiException late =
          catchThrowableOfType(
              TuttiException.class, () -> HostAccess.operation(request).run(helper));
      helper.release();
      assertThatItExplains(late, COUNT);
      assertThat(held.status().doing()).contains(lines(late).getLast());
    }
  }

  @Test
  void aRunThatIsOnlySlowSaysWhereItsRanksAre() {
    int count = 6 << 20;
    for (int workers : new int[] {1, 2}) {
      try (Context other = ticking(workers);
          Group slow = other.createGroup(RANKS)) {
        Request request = allReduce(slow, count).deadline(Duration.ofNanos(1)).build();
        TuttiException late = catchThrowableOfType(TuttiException.class, request::run);
        if (!isOnlyLeftWithWaits(late)) {
          assertThatItExplains(late, count);
        }
      }
    }
  }

  @Test
  void allRanksThatCalledGetTheExplanation() {
    List<TuttiException> errors = Collections.synchronizedList(new ArrayList<>());
    int count = 4 << 20;
    MemorySegment[] inputs = Floats.filled(arena, RANKS, count);
    MemorySegment[] outputs = Floats.zeros(arena, RANKS, count);
    group.run(
        rank -> {
          rank.barrier();
          errors.add(
              catchThrowableOfType(
                  TuttiException.class,
                  () ->
                      rank.with(CallOptions.defaults().withDeadline(Duration.ofNanos(1)))
                          .allReduce(
                              inputs[rank.rank()],
                              outputs[rank.rank()],
                              DataType.FLOAT32,
                              ReduceOp.SUM)));
        });
    assertThat(errors)
        .hasSize(RANKS)
        .allSatisfy(each -> assertThat(each.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void whatGoesWrongWithTheExplanationDoesNotHideTheError() {
    TuttiException late = new TuttiException(ErrorCode.DEADLINE_EXCEEDED, "late:\n  list 0");
    StackOverflowError trouble = new StackOverflowError();
    TuttiException told =
        LateRunError.of(
            late,
            List::of,
            () -> {
              throw trouble;
            });
    assertThat(told).isSameAs(late);
    assertThat(told.getSuppressed()).containsExactly(trouble);
  }

  @Test
  void withoutPositionsTheEnginesLinesAreKept() {
    TuttiException late = new TuttiException(ErrorCode.DEADLINE_EXCEEDED, "late:\n  list 0");
    GroupStatus nothing =
        new GroupStatus(1, "group", RANKS, GroupStatus.State.RUNNING, "running", List.of());
    assertThat(LateRunError.of(late, List::of, () -> nothing)).hasMessage("late:\n  list 0");
  }
}
