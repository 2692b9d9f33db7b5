package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that an MPI launcher starts capture operations and replay them. */
class ClusterReplayTest {

  private static final String REPLAYED = "REPLAYED 200 times: capture of %d operations";

  @TempDir private Path directory;

  private static String launcher(Cluster cluster, Cluster.Library library) throws Exception {
    String found = cluster.launcher(library);
    assumeThat(found).as("%s is not installed on this machine", library).isNotEmpty();
    return found;
  }

  private List<String> command(int ranksOfEach, int dying) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
    String classes =
        ReplayProgram.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String libraries = Tutti.DISTRIBUTION.resolve("lib") + "/*";
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", classes + File.pathSeparator + libraries));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", ReplayProgram.class.getName()));
    command.add(Tutti.few(directory, "direct", "hierarchical", "p2p").toString());
    command.addAll(List.of(String.valueOf(ranksOfEach), String.valueOf(dying)));
    return command;
  }

  @ParameterizedTest
  @CsvSource({"OPEN_MPI, 3, 1", "OPEN_MPI, 2, 2", "MPICH, 2, 2"})
  void processesReplayOverMessages(Cluster.Library library, int processes, int ranksOfEach)
      throws Exception {
    Cluster cluster = new Cluster(directory);
    List<String> command =
        new ArrayList<>(List.of(launcher(cluster, library), "-n", String.valueOf(processes)));
    command.addAll(command(ranksOfEach, -1));

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).as(result.text()).isZero();
    String replayed = REPLAYED.formatted(1 + processes * ranksOfEach);
    assertThat(result.text().lines().filter(replayed::equals)).hasSize(processes);
  }

  @Test
  void machinesReplayOverMessages() throws Exception {
    try (Cluster machines = new Cluster(directory)) {
      String launcher = launcher(machines, Cluster.Library.OPEN_MPI);
      assumeThat(machines.makeMachines(2)).as("network namespaces are permitted").isTrue();

      Cluster.Result result = machines.run(machines.onMachines(launcher, 1, command(2, -1)));

      assertThat(result.code()).as(result.text()).isZero();
      String replayed = REPLAYED.formatted(5);
      assertThat(result.text().lines().filter(replayed::equals)).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'rank 1 is lost: process \\d+ has ended'",
    "2, '(rank 2, rank 3|ranks 2, 3) are lost: process \\d+ has ended'"
  })
  void aProcessThatDiesInAReplayIsNamed(int ranksOfEach, String error) throws Exception {
    Cluster cluster = new Cluster(directory);
    // Otherwise the launcher ends the other process before it has printed the error.
    List<String> command =
        new ArrayList<>(
            List.of(launcher(cluster, Cluster.Library.OPEN_MPI), "--enable-recovery", "-n", "2"));
    command.addAll(command(ranksOfEach, ranksOfEach));

    Cluster.Result result = cluster.run(command);

    assertThat(result.text()).containsPattern("FAILED TUTTI-3(13|03)");
    assertThat(result.text()).containsPattern(error);
  }
}
