package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Ranks are the processes that an MPI launcher starts, on one machine and on several. */
class ClusterTest {

  private static final String PLUGINS =
      "--plugins=" + Path.of(System.getProperty("tutti.dist"), "plugins");

  private static final String VERIFIED = "verified   ✓ again after timing";

  @TempDir private Path directory;
  private Cluster cluster;

  /** Most jobs need no other plugins. */
  private String few;

  @BeforeEach
  void make() throws IOException {
    cluster = new Cluster(directory);
    few = "--plugins=" + Tutti.few(directory, "direct", "hierarchical");
  }

  private String launcher(Cluster.Library library) throws Exception {
    String found = cluster.launcher(library);
    assumeThat(found).as("%s is not installed on this machine", library).isNotEmpty();
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void theProcessesOfALauncherAreRanks(Cluster.Library library) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(library), "-n", "3"));
    command.addAll(
        Tutti.command("run", "allreduce", few, "--count=1001", "--type=bfloat16", "-i=3"));

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("ranks      3\n");
    // One of them tells.
    assertThat(result.text().lines().filter(each -> each.startsWith(VERIFIED))).hasSize(1);
  }

  @Test
  void aMistakeIsTold() throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(Cluster.Library.OPEN_MPI), "-n", "2"));
    command.addAll(Tutti.command("run", "allreduce", few, "--ranks=3"));

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).isNotZero();
    assertThat(result.text())
        .contains("the processes of this job have 2 ranks, 1+1, and its groups must have as many.");
  }

  @ParameterizedTest
  @EnumSource
  void processesHaveAsManyRanksAsTheyAreTold(Cluster.Library library) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(library)));
    for (int ranks : new int[] {1, 3}) {
      command.addAll(ranks == 1 ? List.of("-n", "1") : List.of(":", "-n", "1"));
      command.addAll(
          Tutti.command(
              "run", "allreduce", few, "--count=1001", "-i=3", "--ranks-per-process=" + ranks));
    }

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("ranks      4\n").contains(VERIFIED);
  }

  @ParameterizedTest
  @EnumSource
  void twoProcessesRunForTwoRanksEach(Cluster.Library library) throws Exception {
    Cluster.Result result =
        twoOfTwo(library, "run", "allreduce", few, "--count=1001", "--type=int32", "-i=3");

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("ranks      4, 2 in this process\n");
    assertThat(result.text().lines().filter(each -> each.startsWith(VERIFIED))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void podsAreNamedOnTheCommandLine(Cluster.Library library) throws Exception {
    Cluster.Result result =
        twoOfTwo(
            library,
            "run",
            "allreduce/three-level",
            few,
            "--count=1001",
            "--topology=1+1|1+1",
            "-i=3");

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("three-level", "4, as 1+1 | 1+1").contains(VERIFIED);
  }

  /** Every size is verified before it is measured and afterwards. */
  @ParameterizedTest
  @EnumSource
  void twoProcessesMeasureForTwoRanksEach(Cluster.Library library) throws Exception {
    Cluster.Result result =
        twoOfTwo(library, "bench", "allreduce", few, "--sizes=8,64K", "--seconds=0.02", "--json");

    assertThat(result.code()).as(result.text()).isZero();
    List<String> rows = result.text().lines().filter(each -> each.startsWith("{")).toList();
    assertThat(rows).as(result.text()).hasSize(4);
    assertThat(rows).allMatch(each -> each.contains("\"ranks\":4"));
  }

  /** The elements that are wrong are counted. */
  @ParameterizedTest
  @EnumSource
  void noneOfTheResultsOfTwoProcessesIsWrong(Cluster.Library library) throws Exception {
    Cluster.Result result =
        twoOfTwo(library, "perf", "all_reduce", few, "-b=4K", "-e=64K", "-f=16", "-n=3", "-w=5");

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("# Out of bounds values : 0 OK");
  }

  private Cluster.Result twoOfTwo(Cluster.Library library, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(library), "-n", "2"));
    command.addAll(Tutti.command(arguments));
    command.add("--ranks-per-process=2");
    return cluster.run(command);
  }

  @ParameterizedTest
  @CsvSource({
    "--count=1002, 'rank 2 differs from rank 0 in its count: expected 1001, actual 1002'",
    "--plugins=., 'all processes of a job must have the same plugins, but MPI process 1 differs"
        + " from MPI process 0: expected '"
  })
  void processesThatDifferAreTold(String other, String error) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(Cluster.Library.OPEN_MPI)));
    for (String own : new String[] {"", other}) {
      command.addAll(own.isEmpty() ? List.of("-n", "1") : List.of(":", "-n", "1"));
      command.addAll(Tutti.command("run", "allreduce", "--ranks-per-process=2"));
      command.add(own.startsWith("--plugins") ? "--plugins=" + directory : PLUGINS);
      command.add(own.startsWith("--count") ? own : "--count=1001");
    }

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).isNotZero();
    assertThat(result.text()).contains(error);
  }

  @ParameterizedTest
  @CsvSource({
    "0, a process of a job over MPI has 1 to 512 ranks. Actual: 0",
    "2, 'this job have 4 ranks, 2+2, and its groups must have as many. Actual: 5'",
    "257, 'a job has at most 512 ranks. Actual: 514, in 2 processes: [257, 257]'"
  })
  void ranksThatDoNotAddUpAreRefused(int ranks, String error) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(Cluster.Library.OPEN_MPI), "-n", "2"));
    command.addAll(
        Tutti.command("run", "allreduce", few, "--ranks=5", "--ranks-per-process=" + ranks));

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).isNotZero();
    assertThat(result.text()).contains(error);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'rank [01] is lost: process \\d+ has ended'",
    "2, '(rank 0, rank 1|rank 2, rank 3|ranks 0, 1|ranks 2, 3) are lost: process \\d+ has ended'"
  })
  void aProcessThatDiesIsNamed(int ranks, String error) throws Exception {
    String launcher = launcher(Cluster.Library.OPEN_MPI);
    // Else it ends the other process before that can say anything.
    List<String> command = new ArrayList<>(List.of(launcher, "--enable-recovery", "-n", "2"));
    command.addAll(Tutti.command("bench", "allreduce", few, "--sizes=64", "--seconds=1000"));
    command.add("--ranks-per-process=" + ranks);
    Path output = Files.createFile(directory.resolve("said.txt"));
    Process launched = cluster.start(command, output);
    try {
      ProcessHandle rank = rank(launched, output);
      assertThat(rank.destroyForcibly()).isTrue();
      assertThat(launched.waitFor(10, TimeUnit.MINUTES)).isTrue();
    } finally {
      launched.descendants().forEach(ProcessHandle::destroyForcibly);
      launched.destroyForcibly();
    }
    assertThat(Cluster.text(output)).containsPattern(error);
  }

  /** A rank, once all are at work, so that a table has begun. */
  private ProcessHandle rank(Process launched, Path output) throws Exception {
    try (Tutti waiting = new Tutti(directory)) {
      waiting.await("ranks at work", () -> Cluster.text(output).contains("callers"));
    }
    return launched
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("java"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void machinesAreNodes() throws Exception {
    String launcher = launcher(Cluster.Library.OPEN_MPI);
    try (Cluster machines = cluster) {
      assumeThat(machines.makeMachines(2)).as("network namespaces are permitted").isTrue();
      List<String> command = Tutti.command("run", "allreduce", few, "--bytes=64K", "-i=3");

      Cluster.Result result = machines.run(machines.onMachines(launcher, 2, command));

      assertThat(result.code()).as(result.text()).isZero();
      assertThat(result.text())
          .contains("ranks      4, as 2+2")
          .containsPattern("network    (a card|\\d+ cards) of ")
          .contains(VERIFIED);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * All processes change plugins together, lose no call, and end when the first one is asked to.
   */
  @Test
  void machinesChangePluginsTogether() throws Exception {
    String launcher = launcher(Cluster.Library.OPEN_MPI);
    Path served = Files.createDirectory(directory.resolve("plugins"));
    Path said = Files.createFile(directory.resolve("said.txt"));
    try (Cluster machines = cluster;
        Tutti tutti = new Tutti(directory)) {
      assumeThat(machines.makeMachines(2)).as("network namespaces are permitted").isTrue();
      serve(served, "ring");
      List<String> command = new ArrayList<>(List.of("env", "TUTTI_RANKS_PER_PROCESS=2"));
      command.addAll(
          Tutti.command(
              "serve", "--plugins=" + served, "--load=allreduce", "--bytes=64K", "--rate=200"));
      Process launched =
          machines.start(machines.onEachMachine(Cluster.Library.OPEN_MPI, launcher, command), said);
      try {
        tutti.await("the host serves", () -> Cluster.text(said).contains("stop it with"));
        serve(served, "direct");
        tutti.await(
            "both machines serve it",
            () -> Cluster.text(said).split("dev.tutti.direct .* serves", -1).length > 2);
        long verified = tutti.status().get("load").get("verified").asLong();
        JsonNode load =
            tutti
                .awaitStatus(
                    "the load goes on",
                    all -> all.get("load").get("verified").asLong() > verified + 1)
                .get("load");
        assertThat(load.get("wrong").asLong()).as("%s", load).isZero();
        assertThat(load.get("failures").asLong()).as("%s", load).isZero();
        requireAllAreSeen(tutti.status().get("jobs").get(0), 0);
        long other = processOf(tutti.status().get("jobs").get(0), 1);
        requireAllAreSeen(tutti.job(other), 1);
        tutti.succeed("serve", "--stop", "--plugins=" + served);
        assertThat(launched.waitFor(10, TimeUnit.MINUTES)).isTrue();
      } finally {
        launched.descendants().forEach(ProcessHandle::destroyForcibly);
        launched.destroyForcibly();
      }
      assertThat(launched.exitValue()).as(Cluster.text(said)).isZero();
    }
  }

  /** From the machine of one process, all ranks are seen, and the machine of the other. */
  private static void requireAllAreSeen(JsonNode job, int here) {
    assertThat(job.get("ranks")).as("%s", job).hasSize(2);
    for (int process = 0; process < 2; process++) {
      JsonNode each = job.get("ranks").get(process);
      assertThat(each.get("answers").asBoolean()).as("%s", job).isTrue();
      assertThat(each.get("ranksHere").asInt()).isEqualTo(2);
      assertThat(each.get("machine").asString().isEmpty()).isEqualTo(process == here);
    }
    assertThat(job.get("activity").get(0).get("ranks").asInt()).isEqualTo(4);
  }

  private static long processOf(JsonNode job, int process) {
    return job.get("ranks").get(process).get("process").asLong();
  }

  /** Puts a plugin into the directory of a host, whole. */
  private void serve(Path plugins, String name) throws IOException {
    Path jar = Tutti.jar(name);
    Path copy = directory.resolve(jar.getFileName());
    Files.copy(jar, copy);
    Files.move(copy, plugins.resolve(jar.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Two ranks in each process show all links: inside, between, and what pairs share. */
  @Test
  void theNetworkBetweenMachinesIsMeasured() throws Exception {
    String launcher = launcher(Cluster.Library.OPEN_MPI);
    Path file = directory.resolve("network.json");
    try (Cluster machines = cluster) {
      assumeThat(machines.makeMachines(2)).as("network namespaces are permitted").isTrue();
      List<String> command = new ArrayList<>(List.of("env", "TUTTI_RANKS_PER_PROCESS=2"));
      command.addAll(Tutti.command("tune", "--model", PLUGINS, "--budget=3s", "--output=" + file));

      Cluster.Result result =
          machines.run(machines.onEachMachine(Cluster.Library.OPEN_MPI, launcher, command));

      assertThat(result.code()).as(result.text()).isZero();
      assertThat(result.text())
          .containsPattern("level0 +1 +4 MiB")
          .containsPattern("level1: bandwidth \\S+ GB/s, latency \\S+ µs")
          .containsPattern("nodeUplink: bandwidth \\S+ GB/s for 2 pairs together")
          .containsOnlyOnce("use it with --network " + file);
    }
    try (Tutti tutti = new Tutti(directory)) {
      assertThat(tutti.succeed("simulate", "allreduce", few, "--network=" + file)).contains("2+2");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--model, 'this job has no network to measure: all its 2 ranks are on one machine'",
    "--all, 'in a job over MPI, tune measures the network and no algorithm; add --model'"
  })
  void aJobWithoutNetworkMeasuresNone(String option, String error) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher(Cluster.Library.OPEN_MPI), "-n", "2"));
    command.addAll(Tutti.command("tune", option, "--budget=1s", "--dry-run"));
    if (option.equals("--model")) {
      command.add(PLUGINS);
    }

    Cluster.Result result = cluster.run(command);

    assertThat(result.code()).isNotZero();
    assertThat(result.text()).contains(error);
  }

  @ParameterizedTest
  @EnumSource
  void oneProcessOfEachMachineHasItsRanks(Cluster.Library library) throws Exception {
    String launcher = launcher(library);
    try (Cluster machines = cluster) {
      assumeThat(machines.makeMachines(2)).as("network namespaces are permitted").isTrue();
      List<String> command =
          Tutti.command("run", "allreduce", few, "--bytes=64K", "-i=3", "--ranks-per-process=2");

      Cluster.Result result = machines.run(machines.onEachMachine(library, launcher, command));

      assertThat(result.code()).as(result.text()).isZero();
      assertThat(result.text())
          .contains("ranks      4, as 2+2, 2 in this process")
          .contains(VERIFIED);
    }
  }
}
