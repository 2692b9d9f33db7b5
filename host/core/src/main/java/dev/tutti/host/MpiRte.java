package dev.tutti.host;

import dev.tutti.host.job.JobPlace;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rank is in this JVM. Every other rank is in its own JVM, on this or another machine, and MPI
 * carries the data.
 *
 * @param rank the rank of this process
 * @param ranks how many there are
 * @param library the MPI library, or null for one that is found
 */
record MpiRte(int rank, int ranks, @Nullable String library) implements Rte {

  /**
   * The variables of a launcher: the rank, and the number of ranks.
   *
   * @param step a variable without which the others mean nothing; null if there is none
   */
  private record Launcher(String rank, String ranks, @Nullable String step) {}

  /** Slurm sets its variables in a batch script, too, which is no rank of anything. */
  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", null),
          new Launcher("PMI_RANK", "PMI_SIZE", null),
          new Launcher("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", null),
          new Launcher("PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"),
          new Launcher("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"));

  /** Checks the ranges. */
  MpiRte {
    if (ranks < 1 || ranks > JobPlace.MAX_RANKS || rank < 0 || rank >= ranks) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a job over MPI has 1 to %d ranks, each of which is a process, numbered from 0. Actual:"
              + " rank %d of %d",
          JobPlace.MAX_RANKS,
          rank,
          ranks);
    }
  }

  /** What a launcher of two processes or more says; null if there is none. */
  static @Nullable MpiRte of(Map<String, String> environment) {
    MpiRte found = any(environment, null);
    return found == null || found.ranks < 2 ? null : found;
  }

  /** What a launcher says; there must be one. */
  static MpiRte required(Map<String, String> environment, @Nullable String library) {
    MpiRte found = any(environment, library);
    if (found == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "no MPI launcher has started this process; start it with mpirun or srun");
    }
    return found;
  }

  private static @Nullable MpiRte any(Map<String, String> environment, @Nullable String library) {
    for (Launcher each : LAUNCHERS) {
      String rank = environment.get(each.rank());
      String ranks = environment.get(each.ranks());
      boolean isInStep = each.step() == null || environment.containsKey(each.step());
      if (rank != null && ranks != null && isInStep) {
        return new MpiRte(
            JobPlace.number(each.rank(), rank), JobPlace.number(each.ranks(), ranks), library);
      }
    }
    return null;
  }

  @Override
  public String name() {
    return "mpi";
  }

  @Override
  public boolean isLocal(int ofRank) {
    return ofRank == rank;
  }
}
