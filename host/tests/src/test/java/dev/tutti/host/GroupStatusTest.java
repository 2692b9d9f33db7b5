package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.rank.GroupActivity;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The status of a group in each of its states. */
@Timeout(600)
final class GroupStatusTest {

  private static final int RANKS = 3;
  private static final Duration PATIENCE = Duration.ofMillis(1);

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] data = Floats.filled(arena, RANKS, 4);

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private Request request() {
    return group.allReduce(data, data, DataType.FLOAT32, ReduceOp.SUM).build();
  }

  private RankRequest barrier(int rank) {
    return group.rank(rank).requests().barrier();
  }

  @Test
  void eachStateHasItsWords() {
    assertThat(group.status().state()).isEqualTo(GroupStatus.State.IDLE);
    assertThat(group.status().title()).isEqualTo("group of 3 ranks");
    assertThat(group.status().cause()).isEmpty();
    try (Request request = request()) {
      request.start();
      assertThat(group.status().state()).isEqualTo(GroupStatus.State.RUNNING);
      assertThat(group.status().doing())
          .isEqualTo(
              "running allreduce of 4 float32, sum, which is complete, but its caller has not"
                  + " called test or await");
      request.await();
    }
    List<GroupStatus> seen = new ArrayList<>();
    group.capture(
        () -> {
          seen.add(group.status());
          group.barrier().run();
        });
    assertThat(seen.getFirst().state()).isEqualTo(GroupStatus.State.CAPTURING);
    assertThat(seen.getFirst().doing()).startsWith("recording what thread '");
    group.poison("a test");
    assertThat(group.status().state()).isEqualTo(GroupStatus.State.POISONED);
    assertThat(group.status().doing()).endsWith("failure: a test");
    group.close();
    assertThat(group.status().state()).isEqualTo(GroupStatus.State.CLOSED);
    assertThat(context.status(PATIENCE)).isEmpty();
  }

  @Test
  void ranksThatWaitSayForWhom() {
    RankRequest first = barrier(0).start();

    GroupStatus status = group.status();

    assertThat(status.state()).isEqualTo(GroupStatus.State.MEETING);
    assertThat(status.ranks())
        .extracting(RankStatus::state)
        .containsExactly(
            RankStatus.State.WAITING, RankStatus.State.OUTSIDE, RankStatus.State.OUTSIDE);
    assertThat(status.ranks().getFirst().waitsFor()).containsExactly(1, 2);
    assertThat(status.ranks().getFirst().doing())
        .isEqualTo("waits in operation 1, barrier, for rank 1, rank 2");
    assertThat(status.cause()).isEqualTo("what the others wait for: rank 1 has not called");
    assertThat(context.status(PATIENCE)).containsExactly(status);
    first.cancel();
  }

  @Test
  void groupsAreLookedAtForAsLongAsSomebodyIsPatientIfTheyAreBusy() {
    TickingClock clock = new TickingClock(Duration.ZERO);
    Duration patience = Duration.ofHours(1);
    try (Context other =
            SampleAlgorithms.addTo(Context.builder()).waiting(new Waiting(clock, 2)).open();
        Group idle = other.createGroup(RANKS);
        Group busy = other.createGroup(RANKS)) {
      assertThat(other.status(patience)).containsExactly(idle.status(), busy.status());
      assertThat(clock.nanoTime()).isZero();

      RankRequest first = busy.rank(0).requests().barrier().start();
      assertThat(other.status(patience)).containsExactly(idle.status(), busy.status());
      assertThat(clock.nanoTime()).isEqualTo(patience.toNanos());
      first.cancel();
    }
  }

  @Test
  void ranksThatTakeNoPartAreLeftOut() {
    RankRequest sent = group.rank(0).requests().send(data[0], DataType.FLOAT32, 2).start();
    assertThat(group.status().ranks()).extracting(RankStatus::rank).containsExactly(0, 2);
    sent.cancel();
  }

  @Test
  void onlyWhatDoesNotGoOnIsExplained() {
    try (Request request = request()) {
      request.start();
      GroupActivity before = group.look();
      assertThat(group.look()).isEqualTo(before);
      request.await();
      request.start();
      assertThat(group.look()).isNotEqualTo(before);
      request.await();
    }
    RankRequest rank = barrier(0).start();
    GroupActivity before = group.look();
    assertThat(before.isBusy()).isTrue();
    assertThat(group.look()).isEqualTo(before);
    rank.cancel();
    Errors.message(ErrorCode.CANCELLED, rank::await);
    assertThat(group.look().isBusy()).isFalse();
    rank.start();
    assertThat(group.look()).isNotEqualTo(before);
    assertThat(group.status(false).ranks()).isEmpty();
    assertThat(group.status(true).ranks()).hasSize(RANKS);
    rank.cancel();
  }
}
