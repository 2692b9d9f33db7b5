package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One jar of the archetype runs as it is with ranks as threads, as processes and on machines, and
 * has the same bits everywhere.
 */
class PluginEverywhereTest {

  private static final int RANKS = 4;
  private static final String ALGORITHM = "my-ring";
  private static final Path PLUGIN = new GeneratedPlugin("basic/project/my-ring", "1.0.0").jar();

  @TempDir private Path directory;
  private List<byte[]> expected;

  @BeforeEach
  void runAsThreads() throws Exception {
    Path own = Files.createDirectory(directory.resolve("threads"));
    Path output = directory.resolve("threads.txt");

    end(start(own, output, Map.of()), output);

    assertThat(Files.readString(output)).contains("ran org.example.my-ring:my-ring as embedded");
    expected = sums(own);
    assertThat(expected).allMatch(each -> Arrays.equals(each, expected.getFirst()));
  }

  private static List<byte[]> sums(Path directory) throws IOException {
    List<byte[]> sums = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      sums.add(Files.readAllBytes(directory.resolve("rank-" + rank)));
    }
    return sums;
  }

  private static List<String> command(Path results) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
    String classes = SumProgram.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String libraries = Tutti.DISTRIBUTION.resolve("lib") + "/*";
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", classes + File.pathSeparator + libraries));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", SumProgram.class.getName()));
    command.addAll(List.of(PLUGIN.toString(), ALGORITHM, String.valueOf(RANKS)));
    command.add(results.toString());
    return command;
  }

  private static Process start(Path results, Path output, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(results))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void end(Process process, Path output) throws Exception {
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void fourProcessesHaveTheBitsOfFourThreads() throws Exception {
    Path job = Files.createTempDirectory("tutti-job");
    List<Process> processes = new ArrayList<>();
    try {
      for (int rank = 0; rank < RANKS; rank++) {
        Map<String, String> environment =
            Map.of(
                "TUTTI_RANK", String.valueOf(rank),
                "TUTTI_RANKS", String.valueOf(RANKS),
                "TUTTI_JOB_DIR", job.toString(),
                "TUTTI_JOB_TOKEN", "0123456789abcdef0123456789abcdef");
        processes.add(start(directory, directory.resolve("process-" + rank), environment));
      }
      for (int rank = 0; rank < RANKS; rank++) {
        end(processes.get(rank), directory.resolve("process-" + rank));
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }

    assertThat(sums(directory)).containsExactlyElementsOf(expected);
    assertThat(Files.readString(directory.resolve("process-0")))
        .contains("ran org.example.my-ring:my-ring as processes");
    try (var left = Files.list(job)) {
      assertThat(left).isEmpty();
    }
    Files.delete(job);
  }

  @Test
  void fourMachinesHaveTheBitsOfFourThreads() throws Exception {
    try (Cluster machines = new Cluster(directory)) {
      String launcher = machines.launcher(Cluster.Library.OPEN_MPI);
      assumeThat(launcher).as("Open MPI is installed on this machine").isNotEmpty();
      assumeThat(machines.makeMachines(RANKS)).as("network namespaces are permitted").isTrue();

      Cluster.Result result = machines.run(machines.onMachines(launcher, 1, command(directory)));

      assertThat(result.code()).as(result.text()).isZero();
      assertThat(result.text()).contains("ran org.example.my-ring:my-ring as mpi");
      assertThat(sums(directory)).containsExactlyElementsOf(expected);
    }
  }
}
