package dev.tutti.cli.launch;

import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.options.Callers;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that decide whether each rank is a process. */
public final class ProcessOptions {

  /** A hidden option: the headings of a table are already printed. */
  public static final String NO_HEADING = "--no-heading";

  private static final String PROCESSES = "--processes";
  private static final String RANKS_PER_PROCESS = "--ranks-per-process";
  private static final List<String> RANKS = List.of("-n", "--ranks");

  @Option(
      names = PROCESSES,
      description = "Starts a process for each rank, at most 64; see docs/processes.md.")
  private boolean areWanted;

  @Option(
      names = "--embedded",
      description =
          "Runs all ranks in this process, even if the environment says that it is one of several.")
  private boolean isEmbedded;

  @Option(
      names = "--mpi",
      paramLabel = "<library>",
      description =
          "The MPI library, if mpirun or srun has started this process; see"
              + " docs/cluster.md. Default: the one that TUTTI_MPI names, or one that fits the"
              + " launcher.")
  private @Nullable String mpi;

  @Option(
      names = RANKS_PER_PROCESS,
      paramLabel = "<n>",
      description =
          "The number of ranks in this process, if mpirun or srun has started it. They share its"
              + " memory, and MPI carries only the data for other processes. Default: the"
              + " value of TUTTI_RANKS_PER_PROCESS, or 1.")
  private @Nullable Integer ranksPerProcess;

  /** Whether to start processes. */
  public boolean areWanted() {
    checkRanksPerProcess(false);
    if (areWanted && isEmbedded) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--processes and --embedded exclude each other; leave one out");
    }
    Rte here = areWanted ? Rte.fromEnvironment() : Rte.embedded();
    if (here.ranks() > 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--processes starts a process for each rank, but this process is in a job of %d ranks"
              + " already; leave it out",
          here.ranks());
    }
    return areWanted;
  }

  /** The runtime environment of this process; embedded for a command that runs within a host. */
  public Rte rte(Hosts hosts) {
    checkRanksPerProcess(hosts.session() != null);
    if (isEmbedded || hosts.session() != null) {
      return Rte.embedded();
    }
    if (ranksPerProcess != null) {
      return Rte.mpi(mpi, ranksPerProcess);
    }
    return mpi == null ? Rte.fromEnvironment() : Rte.mpi(mpi);
  }

  /**
   * Refuses {@code --ranks-per-process} together with options that start no process with an MPI
   * launcher.
   */
  private void checkRanksPerProcess(boolean isServing) {
    String other =
        areWanted ? PROCESSES : isEmbedded ? "--embedded" : isServing ? "--live and --state" : "";
    if (ranksPerProcess != null && !other.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s is for processes that mpirun or srun starts; leave it out, or %s",
          RANKS_PER_PROCESS,
          other);
    }
  }

  /**
   * Checks options that depend on the number of ranks before anything is opened. In a job over MPI,
   * the processes may have different numbers of ranks, so the number is known only later.
   *
   * @param check gets the number of ranks of the job; 0 if there is none
   */
  public static void checkEarly(Rte rte, IntConsumer check) {
    if (rte.ranks() == 0 || rte.jobDirectory().isPresent()) {
      check.accept(rte.ranks());
    }
  }

  /** Refuses options that conflict with processes. */
  public void check(HostOptions host, Callers callers) {
    if (host.where() != LiveTarget.Where.HERE) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a host that serves has its ranks already; leave out --processes, or --live and --state");
    }
    if (callers == Callers.VIRTUAL) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "with --processes each rank's own thread makes its calls; leave out --callers");
    }
  }

  /**
   * The arguments of a command for one of its processes.
   *
   * @param command the command
   * @param ranks the number of ranks of the job
   * @param isShaped whether a topology of the command gives the number of ranks
   */
  public static List<String> arguments(CommandSpec command, int ranks, boolean isShaped) {
    List<String> kept = arguments(command, RANKS);
    if (!isShaped) {
      kept.add("--ranks=" + ranks);
    }
    return kept;
  }

  /**
   * The arguments of a command for one of its processes, without the number of ranks.
   *
   * @param ranks the options that give this number
   */
  public static List<String> arguments(CommandSpec command, List<String> ranks) {
    List<String> given = command.root().commandLine().getParseResult().originalArgs();
    List<String> kept = new ArrayList<>();
    boolean skips = false;
    for (String argument : given) {
      boolean isOfRanks = ranks.stream().anyMatch(name -> isOf(name, argument));
      if (!skips && !isOfRanks && !argument.equals(PROCESSES)) {
        kept.add(argument);
      }
      skips = ranks.contains(argument);
    }
    return kept;
  }

  /** Whether an argument is an option, with or without its value. */
  private static boolean isOf(String option, String argument) {
    return argument.equals(option)
        || argument.startsWith(option.startsWith("--") ? option + "=" : option);
  }
}
