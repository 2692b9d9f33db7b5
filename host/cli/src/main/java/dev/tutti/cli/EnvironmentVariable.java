package dev.tutti.cli;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/**
 * An environment variable that commands read.
 *
 * @param name its name
 * @param meaning the effect of its value
 * @param options the commands that have one of these options read it; empty: all commands
 */
record EnvironmentVariable(String name, String meaning, Set<String> options) {

  private static final Set<String> HOSTS = Set.of("--rules");
  private static final Set<String> RANKS = Set.of("--embedded");

  /** All of them. */
  static final List<EnvironmentVariable> ALL =
      List.of(
          new EnvironmentVariable(
              "TUTTI_JAVA_HOME",
              "The JDK 25 that runs the command. Default: JAVA_HOME, the java of the PATH, or one"
                  + " in a usual place, whichever is a JDK 25.",
              Set.of()),
          new EnvironmentVariable("NO_COLOR", "If it is set, the output has no colours.", Set.of()),
          new EnvironmentVariable(
              "TUTTI_RULES",
              "Rules for choosing algorithms, on one line; or @ and the name of a file of rules."
                  + " The rules of --rules come first.",
              HOSTS),
          new EnvironmentVariable(
              "TUTTI_FLIGHT",
              "How many of the last operations of each group and rank the flight record keeps, for"
                  + " 'tutti status --flight' and for the error of a missed deadline; 0: none."
                  + " Default: 64 in 'tutti serve', and 0 elsewhere.",
              HOSTS),
          new EnvironmentVariable(
              "TUTTI_MPI",
              "The MPI library, if mpirun or srun has started the process.",
              Set.of("--mpi")),
          new EnvironmentVariable(
              "TUTTI_RANKS_PER_PROCESS",
              "The number of ranks in this process, if mpirun or srun has started it.",
              Set.of("--ranks-per-process")),
          new EnvironmentVariable(
              "TUTTI_RANK",
              "The rank of this process, if a launcher starts one for each rank; it sets the"
                  + " next three, too. --embedded ignores all four.",
              RANKS),
          new EnvironmentVariable("TUTTI_RANKS", "The number of ranks of that job.", RANKS),
          new EnvironmentVariable(
              "TUTTI_JOB_DIR", "The directory where the processes of that job meet.", RANKS),
          new EnvironmentVariable(
              "TUTTI_JOB_TOKEN", "The secret of that job: 32 hexadecimal digits.", RANKS),
          new EnvironmentVariable(
              "TUTTI_LAUNCHER",
              "The process number of the launcher, in ranks that --processes starts. Tutti sets"
                  + " it.",
              RANKS),
          new EnvironmentVariable(
              "TUTTI_WATCHED",
              "The launcher shows the progress of this rank to its user. Tutti sets it.",
              RANKS),
          new EnvironmentVariable(
              "XDG_RUNTIME_DIR",
              "Where the directories of jobs are. Default: the directory for temporary files.",
              Set.of("--processes", "--job")));

  /** Whether a command reads it; the top command reads all of them. */
  boolean isOf(CommandSpec command) {
    return options.isEmpty()
        || command.parent() == null
        || !Collections.disjoint(options, command.optionsMap().keySet());
  }
}
