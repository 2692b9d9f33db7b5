package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every algorithm gives the same bits in one JVM and in processes that an MPI library connects.
 * Tried with the libraries that this machine has.
 */
class MpiTest {

  private static final int PROCESSES = 4;
  private static final int MINUTES = 5;
  private static final String EXIT_CODE = "exit code ";

  /** Of processes that share two processors and may run as root, as in a container. */
  private static final Map<String, String> OPEN_MPI =
      Map.of(
          "OMPI_ALLOW_RUN_AS_ROOT", "1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
          "OMPI_MCA_rmaps_base_oversubscribe", "1",
          "OMPI_MCA_hwloc_base_binding_policy", "none",
          "OMPI_MCA_mpi_yield_when_idle", "1",
          "OMPI_MCA_btl_vader_single_copy_mechanism", "none");

  @TempDir private Path directory;

  /** A library, and how its processes reach each other. */
  private enum Network {
    OPEN_MPI_SHARED_MEMORY("Open MPI", Map.of("OMPI_MCA_btl", "vader,self")),
    OPEN_MPI_TCP("Open MPI", Map.of("OMPI_MCA_btl", "tcp,self", "OMPI_MCA_pml", "ob1")),
    MPICH("MPICH", Map.of());

    private final String library;
    private final Map<String, String> environment;

    Network(String library, Map<String, String> environment) {
      this.library = library;
      this.environment = environment;
    }

    /** The launcher as alternatives name it, or where there is one only. */
    List<String> launchers() {
      return library.equals("MPICH")
          ? List.of("mpirun.mpich", "mpirun")
          : List.of("mpirun.openmpi", "mpirun");
    }

    /** What the launcher says of itself. */
    String mark() {
      return library.equals("MPICH") ? "HYDRA" : "(Open";
    }
  }

  @ParameterizedTest
  @EnumSource(Network.class)
  void processesGiveTheBitsOfOneJvm(Network network) throws Exception {
    String said = said(network, PROCESSES);

    assertThat(said).endsWith(EXIT_CODE + 0);
    Set<String> lines = new HashSet<>(said.lines().filter(each -> each.contains("plans")).toList());
    assertThat(lines).as(said).hasSize(PROCESSES).allMatch(each -> each.contains(network.library));
    Set<String> counts = new HashSet<>();
    lines.forEach(each -> counts.add(each.substring(each.lastIndexOf(':'))));
    assertThat(counts).as(said).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Network.class,
      names = {"OPEN_MPI_SHARED_MEMORY", "MPICH"})
  void messagesOfAnotherLengthAreRefused(Network network) throws Exception {
    assertThat(said(network, 1, MpiProcess.MISTAKES))
        .contains(
            "a message brought 8 bytes where 16 were expected: the processes run different plans")
        .containsPattern("MPI_(Irecv|Test) of libmpi\\S+ failed: .*(?i)trunc");
  }

  private String said(Network network, int processes, String... arguments) throws Exception {
    String launcher = launcher(network);
    assumeThat(launcher).as("%s is not installed on this machine", network.library).isNotEmpty();
    List<String> command = new ArrayList<>(List.of(launcher, "-n", String.valueOf(processes)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MpiProcess.class.getName());
    command.addAll(List.of(arguments));
    Map<String, String> environment = new HashMap<>(OPEN_MPI);
    environment.putAll(network.environment);
    return run(command, environment);
  }

  /** Empty if the machine has none. */
  private String launcher(Network network) throws Exception {
    for (String launcher : network.launchers()) {
      try {
        if (run(List.of(launcher, "--version"), OPEN_MPI).contains(network.mark())) {
          return launcher;
        }
      } catch (IOException e) {
        // There is no such program.
      }
    }
    return "";
  }

  /** What a program says, and its exit code. */
  private String run(List<String> command, Map<String, String> environment) throws Exception {
    Path output = Files.createTempFile(directory, "said", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("ended").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(output) + EXIT_CODE + process.exitValue();
  }
}
