package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.job.JobChild.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks as processes, some of which are killed; the others end with an error that says so. */
@Timeout(600)
final class JobProcessesTest {

  private static final int MINUTE = 60;
  private static final String STOP = "STOP";

  private static final Set<Step> IN_OPERATIONS =
      EnumSet.of(Step.PROPOSAL, Step.OPERATION, Step.CAPTURE, Step.REPLAY);

  /** Seconds to wait for one that never comes. */
  private static final int SHORT = 4;

  /** A rank's process, and what it has said at its end. */
  private record Ended(int exitCode, String said) {}

  private static List<Ended> run(int ranks, int patience, int victim, String... ofVictim)
      throws Exception {
    Path directory = OneJvmJob.newDirectory();
    List<Process> processes = new ArrayList<>();
    // At some steps all do something else.
    String[] ofOthers =
        Stream.of(ofVictim).anyMatch(Set.of(Step.INSIDE.name(), Step.SPLIT.name())::contains)
            ? new String[] {ofVictim[0], ""}
            : new String[0];
    try {
      for (int rank = 0; rank < ranks; rank++) {
        processes.add(
            start(rank, ranks, directory, patience, rank == victim ? ofVictim : ofOthers));
      }
      List<Ended> all = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        Process each = processes.get(rank);
        if (rank == victim && List.of(ofVictim).contains(STOP)) {
          // It ends when all others have, the last one of them included.
          awaitAllBut(victim, processes);
          // Through its handle, so that what it has said can still be read.
          boolean ignored = each.toHandle().destroyForcibly();
        }
        assertThat(each.waitFor(3, TimeUnit.MINUTES)).as("process %d ends", each.pid()).isTrue();
        String said = new String(each.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        all.add(new Ended(each.exitValue(), said));
      }
      return all;
    } finally {
      processes.forEach(Process::destroyForcibly);
      if (victim != 0) {
        OneJvmJob.requireNothingLeft(directory);
      }
    }
  }

  private static void awaitAllBut(int victim, List<Process> processes) throws Exception {
    for (int rank = 0; rank < processes.size(); rank++) {
      if (rank != victim) {
        assertThat(processes.get(rank).waitFor(3, TimeUnit.MINUTES)).isTrue();
      }
    }
  }

  private static Process start(
      int rank, int ranks, Path directory, int patience, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(JobChild.class.getName());
    command.add(String.valueOf(patience));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder
        .environment()
        .putAll(
            Map.of(
                JobPlace.RANK,
                String.valueOf(rank),
                JobPlace.SIZE,
                String.valueOf(ranks),
                JobPlace.DIRECTORY,
                directory.toString(),
                JobPlace.TOKEN,
                OneJvmJob.TOKEN));
    return builder.start();
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
    List<Ended> all = run(3, step == Step.START ? SHORT : MINUTE, victim, step.name(), "KILL");
    for (int rank = 0; rank < 3; rank++) {
      if (rank != victim) {
        Ended survivor = all.get(rank);
        assertThat(survivor.exitCode()).as("rank %d: %s", rank, survivor.said()).isZero();
        if (IN_OPERATIONS.contains(step)) {
          assertThat(survivor.said())
              .containsAnyOf("ERROR PEER_LOST", "ERROR GROUP_POISONED")
              .contains("rank " + victim + " is lost: process ");
        } else {
          // It may have come to its end before the signal.
          assertThat(survivor.said())
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
          .containsAnyOf("stopped by a signal or a debugger", "was not done within its deadline");
    }
  }

  @Test
  void nobodyWaitsForARankThatWasKilledInsideAnOperation() throws Exception {
    List<Ended> all = run(3, MINUTE, 1, Step.INSIDE.name(), "LATER KILL");
    assertThat(all.get(0).said()).contains("ERROR PEER_LOST", "rank 1 is lost: process ");
    assertThat(all.get(2).said()).contains("ERROR GROUP_POISONED");
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
