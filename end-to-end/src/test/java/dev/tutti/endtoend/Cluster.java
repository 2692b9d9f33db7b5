package dev.tutti.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts commands as the ranks of an MPI job: on this machine, or on machines that network
 * namespaces stand for, each with a name and an address of its own.
 */
final class Cluster implements AutoCloseable {

  private static final int MINUTES = 3;

  /** Of processes that share two processors and may run as root, as in a container. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "OMPI_ALLOW_RUN_AS_ROOT", "1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
          "OMPI_MCA_rmaps_base_oversubscribe", "1",
          "OMPI_MCA_hwloc_base_binding_policy", "none",
          "OMPI_MCA_mpi_yield_when_idle", "1",
          "OMPI_MCA_btl_vader_single_copy_mechanism", "none");

  private static final AtomicInteger MADE = new AtomicInteger();

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>(ENVIRONMENT);
  private final List<String> namespaces = new ArrayList<>();

  /** A name for the machines of this cluster; tests of other clusters run at the same time. */
  private final String own =
      "t" + ProcessHandle.current().pid() % 100_000 + "c" + MADE.incrementAndGet();

  Cluster(Path directory) {
    this.directory = directory;
  }

  /** A launcher of a kind; empty if the machine has none. */
  enum Library {
    OPEN_MPI("(Open", "mpirun.openmpi"),
    MPICH("HYDRA", "mpirun.mpich");

    private final String mark;
    private final String name;

    Library(String mark, String name) {
      this.mark = mark;
      this.name = name;
    }
  }

  /** What a job did: its exit code and all that its processes printed. */
  record Result(int code, String text) {}

  /** The launcher as alternatives name it, or where there is one only; empty if there is none. */
  String launcher(Library library) throws IOException, InterruptedException {
    for (String each : List.of(library.name, "mpirun")) {
      try {
        if (run(List.of(each, "--version")).text().contains(library.mark)) {
          return each;
        }
      } catch (IOException e) {
        // There is no such program.
      }
    }
    return "";
  }

  /** Starts a command, and does not wait for it. */
  Process start(List<String> command, Path output) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Runs a command to its end. */
  Result run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process = start(command, output);
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(command + " did not end: " + Files.readString(output));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Result(process.exitValue(), text(output));
  }

  /** What was printed; a launcher may print to a terminal of its own, with colours. */
  static String text(Path output) throws IOException {
    return Files.readString(output).replaceAll("\u001B\\[[0-9;]*m|\r", "");
  }

  private String address(int machine) {
    return "10.213.77." + (machine + 1);
  }

  /**
   * Makes machines, if that is permitted here; whether it is. Commands of {@link #onMachines} then
   * run on them.
   */
  boolean makeMachines(int count) throws IOException, InterruptedException {
    String bridge = own + "b";
    boolean isMade =
        isDone("ip", "link", "add", bridge, "type", "bridge")
            && isDone("ip", "link", "set", bridge, "up");
    for (int machine = 0; machine < count && isMade; machine++) {
      String space = own + "m" + machine;
      String outside = own + "v" + machine;
      isMade = isDone("ip", "netns", "add", space);
      if (isMade) {
        namespaces.add(space);
      }
      isMade =
          isMade
              && isDone(
                  "ip", "link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns",
                  space)
              && isDone("ip", "link", "set", outside, "master", bridge, "up")
              && isDone("ip", "-n", space, "addr", "add", address(machine) + "/24", "dev", "eth0")
              && isDone("ip", "-n", space, "link", "set", "eth0", "up")
              && isDone("ip", "-n", space, "link", "set", "lo", "up")
              && isDone("ip", "netns", "exec", space, "unshare", "--uts", "hostname", "any");
    }
    if (isMade) {
      environment.put("OMPI_MCA_plm_rsh_agent", agent().toString());
      environment.put("OMPI_MCA_btl_tcp_if_include", "eth0");
      environment.put("OMPI_MCA_oob_tcp_if_include", "eth0");
      environment.put("OMPI_MCA_btl", "tcp,self");
    }
    return isMade;
  }

  private boolean isDone(String... command) throws InterruptedException {
    try {
      return run(List.of(command)).code() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** What the launcher starts in the place of a secure shell: enters a machine by its address. */
  private Path agent() throws IOException {
    Path agent = directory.resolve("agent.sh");
    Files.writeString(
        agent,
        """
        #!/bin/bash
        while [[ $1 == -* ]]; do shift; done
        machine=$((${1##*.} - 1))
        shift
        exec ip netns exec %1$sm$machine unshare --uts bash -c "hostname machine$machine; $*"
        """
            .formatted(own));
    if (!agent.toFile().setExecutable(true)) {
      throw new IOException(agent + " cannot be made executable");
    }
    return agent;
  }

  /**
   * The command that starts another one as a number of ranks on each machine.
   *
   * @param launcher of Open MPI
   */
  List<String> onMachines(String launcher, int ranksOfEach, List<String> command)
      throws IOException {
    List<String> hosts = new ArrayList<>();
    for (int machine = 0; machine < namespaces.size(); machine++) {
      hosts.add(address(machine) + ":" + ranksOfEach);
    }
    List<String> started = new ArrayList<>(List.of(agent().toString(), address(0), launcher, "-n"));
    started.add(String.valueOf(ranksOfEach * namespaces.size()));
    started.addAll(List.of("--host", String.join(",", hosts)));
    started.addAll(command);
    return started;
  }

  /** The same for one process on each machine. */
  List<String> onEachMachine(Library library, String launcher, List<String> command)
      throws IOException {
    if (library == Library.OPEN_MPI) {
      return onMachines(launcher, 1, command);
    }
    List<String> hosts = new ArrayList<>();
    for (int machine = 0; machine < namespaces.size(); machine++) {
      hosts.add(address(machine));
    }
    List<String> started = new ArrayList<>(List.of(agent().toString(), address(0), launcher));
    started.addAll(List.of("-launcher", "ssh", "-launcher-exec", agent().toString()));
    started.addAll(List.of("-localhost", address(0), "-hosts", String.join(",", hosts)));
    started.addAll(List.of("-ppn", "1", "-n", String.valueOf(namespaces.size())));
    started.addAll(command);
    return started;
  }

  /** Takes the machines away. */
  @Override
  public void close() throws InterruptedException {
    for (String each : namespaces) {
      boolean ignored = isDone("ip", "netns", "del", each);
    }
    boolean ignored = isDone("ip", "link", "del", own + "b");
  }
}
