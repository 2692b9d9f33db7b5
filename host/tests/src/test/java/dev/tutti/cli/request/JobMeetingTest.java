package dev.tutti.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tutti.base.idle.Waiting;
import dev.tutti.host.Errors;
import dev.tutti.host.RankTasks;
import dev.tutti.host.job.OneJvmNetwork;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobMeetingTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ROUNDS = 2_000;

  @TempDir private Path job;
  private final AtomicBoolean isLost = new AtomicBoolean();
  private final JobMeeting.Peers peers =
      () -> {
        if (isLost.get()) {
          throw new TuttiException(ErrorCode.PEER_LOST, "a rank is lost");
        }
      };

  private JobMeeting open(int rank, int ranks, Duration patience) {
    return MemoryMeeting.open(job, rank, ranks, peers, Waiting.system(), patience);
  }

  private interface Body {
    void run(int rank, JobMeeting meeting) throws Exception;
  }

  private void onThreads(int ranks, Body body) throws Exception {
    List<FutureTask<Void>> tasks =
        RankTasks.start(
            ranks,
            rank -> {
              try (JobMeeting meeting = open(rank, ranks, PATIENCE)) {
                body.run(rank, meeting);
              }
              return null;
            });
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
  }

  private static void talk(int rank, int ranks, JobMeeting meeting) {
    for (int round = 0; round < ROUNDS; round++) {
      meeting.meet(100L * round + rank);
      for (int other = 0; other < ranks; other++) {
        assertThat(meeting.saidBy(other)).isEqualTo(100L * round + other);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7})
  void eachHearsWhatAllHaveSaidInMessages(int ranks) throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(ranks, ranks);
    List<FutureTask<Void>> tasks =
        RankTasks.start(
            ranks,
            rank -> {
              try (JobMeeting meeting =
                  new MessageMeeting(network.world(rank), peers, Waiting.system(), PATIENCE)) {
                talk(rank, ranks, meeting);
              }
              return null;
            });
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
  }

  @Test
  void whoWaitsForMessagesInVainIsToldSo() {
    OneJvmNetwork network = new OneJvmNetwork(2, 0);
    try (JobMeeting meeting =
        new MessageMeeting(network.world(0), peers, Waiting.system(), Duration.ofMillis(1))) {
      assertThat(Errors.message(ErrorCode.DEADLINE_EXCEEDED, () -> meeting.meet(1)))
          .isEqualTo(
              "process 0 has waited 1 ms between two operations for others that have not arrived");
      isLost.set(true);
      assertThat(Errors.message(ErrorCode.PEER_LOST, () -> meeting.meet(1)))
          .isEqualTo("a rank is lost");
    }
  }

  @Test
  void eachHearsWhatAllHaveSaid() throws Exception {
    onThreads(3, (rank, meeting) -> talk(rank, 3, meeting));

    try (var files = Files.list(job)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void whoMeetsAgainMeetsAnew() throws Exception {
    for (int time = 0; time < 20; time++) {
      onThreads(2, (rank, meeting) -> {});
    }
  }

  @Test
  void oneWhoHasFailedIsNotWaitedFor() {
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(
            () ->
                onThreads(
                    2,
                    (rank, meeting) -> {
                      if (rank == 0) {
                        meeting.meet(1);
                      }
                    }))
        .withMessageContaining(
            "rank 1 has stopped because of an error that it reports itself; rank 0 was waiting");
  }

  @Test
  void aLostRankIsNotWaitedFor() {
    isLost.set(true);
    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> open(0, 2, PATIENCE))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PEER_LOST));
  }

  @Test
  void whoDoesNotComeIsNamedAtTheDeadline() {
    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> open(1, 3, Duration.ofMillis(20)))
        .withMessageContaining(
            "rank 1 has waited 20 ms between two operations for ranks that have not arrived: [0,"
                + " 2]")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void whatADeadJobHasLeftIsRemovedBeforeTheNext() throws Exception {
    isLost.set(true);
    assertThatExceptionOfType(TuttiException.class).isThrownBy(() -> open(1, 2, PATIENCE));
    assertThat(job.resolve("meeting")).exists();
    isLost.set(false);

    JobRank.sweep(job);

    onThreads(2, (rank, meeting) -> meeting.meet(rank));
  }
}
