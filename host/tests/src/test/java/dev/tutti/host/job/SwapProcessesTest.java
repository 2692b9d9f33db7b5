package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.job.RankProcesses.Ended;
import dev.tutti.host.job.RankProcesses.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks as processes whose plugins are replaced, and some of which die meanwhile. */
@Timeout(3600)
final class SwapProcessesTest {

  private static final int RANKS = 3;
  private static final int SWAPS = Integer.getInteger("tutti.job.swaps", 20);
  private static final long MINUTES = 10 + SWAPS / 10;

  private static final RankProcesses PROCESSES = new RankProcesses(SwapChild.class);

  @TempDir private Path all;

  /** The directory of the plugins and the state of one job. */
  private Path directory;

  @AfterAll
  static void endProcesses() {
    PROCESSES.close();
  }

  @BeforeEach
  void makeThePlugin() throws IOException {
    directory = Files.createTempDirectory(all, "job");
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    SwapJars.drop(plugins, "1.0.0", SwapSamples.Sum.class, SwapSamples.Send.class);
  }

  private List<Ended> run(int swaps, int special, String what, String ofOthers) throws Exception {
    IntFunction<String[]> arguments =
        rank ->
            new String[] {
              directory.toString(), String.valueOf(swaps), rank == special ? what : ofOthers
            };
    return PROCESSES.run(new Job(RANKS, arguments, special, false, MINUTES));
  }

  @Test
  void swapsUnderLoadLoseNothing() throws Exception {
    List<Ended> all = run(SWAPS, -1, "", "");
    assertThat(all).allSatisfy(each -> assertThat(each.said()).endsWith("DONE\n"));
    if (System.getProperty("tutti.job.swaps") != null) {
      System.out.println(SWAPS + " swaps in processes: " + all.getFirst().said());
    }
  }

  @Test
  void aPlanThatFailsInOneProcessFailsForAllAndTheNextIsOfTheOldVersion() throws Exception {
    List<Ended> all = run(0, 1, SwapChild.FAILS, "");
    assertThat(all)
        .allSatisfy(
            each -> {
              assertThat(each.said()).contains("VERSION 2.0.0\n").endsWith("VERSION 1.0.0\nDONE\n");
              assertThat(each.said())
                  .containsOnlyOnce("FAILED EXECUTOR_FAILED ")
                  .contains("not in this process");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "1, LOADED",
    "2, HELD",
    "1, PUBLISHED",
    "2, DRAINED",
    "1, RETIRED",
    "0, EXAMINED",
    "0, LOADED",
    "0, PREPARED",
    "0, HELD",
    "0, RECORDED",
    "0, PUBLISHED",
    "0, DRAINED",
    "0, RETIRED"
  })
  void whoSurvivesAKilledRankSaysWhoItWas(int victim, String step) throws Exception {
    for (int kill = 0; kill < RankProcesses.KILLS; kill++) {
      makeThePlugin();
      killAt(victim, step);
    }
  }

  private void killAt(int victim, String step) throws Exception {
    // Rank 0 waits for a process that has to answer.
    boolean isAwaited = victim > 0 && (step.equals("LOADED") || step.equals("HELD"));
    List<Ended> all = run(1_000, victim, step, isAwaited ? SwapChild.TELLS_OF_CHANGE : "");
    if (isAwaited) {
      assertThat(all.getFirst().said())
          .containsPattern(
              "CHANGE .*rank "
                  + victim
                  + " is lost: process \\d+ has ended; the change of plugins is abandoned");
    }
    for (int rank = 0; rank < RANKS; rank++) {
      Ended each = all.get(rank);
      if (rank == victim) {
        assertThat(each.said()).contains("KILLED " + step);
        assertThat(each.exitCode()).isEqualTo(137);
      } else {
        assertThat(each.said())
            .as("rank %d", rank)
            .containsAnyOf("ERROR PEER_LOST", "ERROR GROUP_POISONED")
            .contains("rank " + victim + " is lost: process ");
        assertThat(each.exitCode()).isZero();
      }
    }
  }
}
