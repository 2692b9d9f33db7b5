package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.job.JobChild.Step;
import dev.tutti.host.job.RankProcesses.Ended;
import dev.tutti.host.job.RankProcesses.Job;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks as processes, some of which are killed; the others end with an error that says so. */
@Timeout(600)
final class JobProcessesTest {

  private static final int MINUTE = 60;
  private static final String STOP = "STOP";

  private static final RankProcesses PROCESSES = new RankProcesses(JobChild.class);

  /** The seconds to wait for a rank that never comes. */
  private static final int SHORT = 4;

  private static List<Ended> run(int ranks, int patience, int victim, String... ofVictim)
      throws Exception {
    String seconds = String.valueOf(patience);
    boolean isOfAll = Stream.of(ofVictim).limit(1).map(Step::valueOf).anyMatch(Step::isOfAll);
    IntFunction<String[]> arguments =
        rank ->
            rank == victim
                ? new String[] {seconds, ofVictim[0], ofVictim[1]}
                : isOfAll ? new String[] {seconds, ofVictim[0]} : new String[] {seconds};
    boolean isStopped = List.of(ofVictim).contains(STOP);
    return PROCESSES.run(new Job(ranks, arguments, victim, isStopped, 10));
  }

  @AfterAll
  static void endProcesses() {
    PROCESSES.close();
  }

  @Test
  void allComeToTheEnd() throws Exception {
    assertThat(run(3, MINUTE, -1)).allMatch(each -> each.said().equals("DONE\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "START, 1",
    "JOINED, 1",
    "GROUP, 0",
    "PROPOSAL, 2",
    "OPERATION, 1",
    "OPERATION, 0",
    "CAPTURE, 1",
    "CAPTURE, 0",
    "REPLAY, 2",
    "REPLAY, 0",
    "CLOSE, 2"
  })
  void thoseWhoSurviveAKilledRankSayWhoItWas(Step step, int victim) throws Exception {
    for (int kill = 0; kill < RankProcesses.KILLS; kill++) {
      killAt(step, victim);
    }
  }

  private static void killAt(Step step, int victim) throws Exception {
    List<Ended> all = run(3, step == Step.START ? SHORT : MINUTE, victim, step.name(), "KILL");
    for (int rank = 0; rank < 3; rank++) {
      if (rank != victim) {
        Ended survivor = all.get(rank);
        assertThat(survivor.exitCode()).as("rank %d: %s", rank, survivor.said()).isZero();
        if (step.isEndless()) {
          assertThat(survivor.said())
              .as("rank %d of %s", rank, all)
              .containsAnyOf("ERROR PEER_LOST", "ERROR GROUP_POISONED")
              .contains("rank " + victim + " is lost: process ");
        } else {
          // It may have ended before the signal.
          assertThat(survivor.said())
              .as("rank %d of %s", rank, all)
              .containsAnyOf(
                  "DONE",
                  "ERROR PEER_LOST",
                  "ERROR JOB_REFUSED",
                  "ERROR GROUP_POISONED",
                  "has closed the group");
        }
      }
    }
  }

  @Test
  void aRankThatASignalHasStoppedIsToldFromOneThatWaits() throws Exception {
    List<Ended> all = run(3, SHORT, 1, Step.OPERATION.name(), STOP);
    for (int rank : new int[] {0, 2}) {
      assertThat(all.get(rank).said())
          .containsAnyOf("ERROR DEADLINE_EXCEEDED", "ERROR GROUP_POISONED")
          .containsAnyOf("stopped by a signal or a debugger", "did not finish within its deadline");
    }
  }

  @Test
  void nobodyWaitsForARankThatWasKilledInsideAnOperation() throws Exception {
    List<Ended> all = run(3, MINUTE, 1, Step.INSIDE.name(), "KILL");
    assertThat(all.get(0).said()).contains("ERROR PEER_LOST", "rank 1 is lost: process ");
    assertThat(all.get(2).said()).contains("ERROR GROUP_POISONED");
  }

  @ParameterizedTest
  @EnumSource(names = {"INSIDE", "ABANDON"})
  void nobodyWaitsWithoutEndForARankThatWasStoppedInsideAnOperation(Step step) throws Exception {
    List<Ended> all = run(3, SHORT, 1, step.name(), STOP);
    assertThat(all.get(0).said())
        .contains(
            "INVALID_STATE rank 0 cannot close the group: operation ",
            "ranks are still at work in it, and may use the buffers of others: rank 1 (process ",
            "stopped by a signal or a debugger");
    // In the second case, rank 0 lets rank 1 go on, and closes the group again.
    assertThat(all.get(0).said().contains("DONE")).isEqualTo(step == Step.ABANDON);
    assertThat(all.get(2).said()).contains("ERROR DEADLINE_EXCEEDED").doesNotContain("KEPT");
  }

  @Test
  void aGroupWithoutTheKilledRankGoesOnWithWhatItKnows() throws Exception {
    List<Ended> all = run(3, MINUTE, 0, Step.SPLIT.name(), "STOP, KILL");
    for (Ended survivor : all.subList(1, 3)) {
      assertThat(survivor.said())
          .containsAnyOf("CUT OFF PEER_LOST rank 0 of the job is lost", "CUT OFF INVALID_STATE")
          .contains("WENT ON\n", "ERROR PEER_LOST", "rank 0 is lost: process ");
    }
  }
}
