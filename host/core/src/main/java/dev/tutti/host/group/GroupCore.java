package dev.tutti.host.group;

import dev.tutti.engine.Engine;
import dev.tutti.engine.StreamPosition;
import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.planning.GroupPlanner;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.topology.RankNames;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.Watch;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The values that all parts of a group share. The parts get them in their constructors, so that no
 * part depends on the group.
 *
 * @param number the number of the group in its context
 * @param title the group in words
 * @param topology where the ranks are
 * @param names the names of the ranks in messages
 * @param slot the slot that a run must hold
 * @param settings the settings of the context
 * @param engine compiles and runs plans
 * @param mappings finds buffers in mapped files
 * @param reach the memory that all ranks can reach
 * @param job the link to the ranks of other processes; null if all ranks are in this one
 * @param planner makes plans for calls
 * @param watch the flight records and counters of the context
 * @param flight the last operations; null if no record is kept
 * @param profiler chooses the runs that are traced; null if no traces are wanted
 * @param lateStatus makes the status of the group when the deadline of a run passes, from a
 *     description of the run and the positions of its streams
 */
public record GroupCore(
    long number,
    String title,
    Topology topology,
    RankNames names,
    RunSlot slot,
    HostSettings settings,
    Engine engine,
    FileMappings mappings,
    Reach reach,
    @Nullable JobGroup job,
    GroupPlanner planner,
    Watch watch,
    @Nullable FlightLog flight,
    @Nullable Profiler profiler,
    BiFunction<String, List<StreamPosition>, GroupStatus> lateStatus) {

  public int rankSize() {
    return topology.rankSize();
  }

  /** Whether a rank is in this process. */
  public boolean isLocal(int rank) {
    return job == null || job.processes().isHere(rank);
  }

  /** Whether the ranks are in processes that share no memory. */
  public boolean areApart() {
    return job != null && job.links() != null;
  }

  /** The ranks of this process. */
  public int[] localRanks() {
    return IntStream.range(0, rankSize()).filter(this::isLocal).toArray();
  }

  /**
   * Refuses an action of one caller for all ranks if the ranks are in several processes.
   *
   * @param what the action, in words
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED}
   */
  public void requireAllRanksHere(String what) {
    if (job != null) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "%s needs all ranks in one process, but those of this group are in %d; call through the"
              + " ranks of this process",
          what,
          job.processes().count());
    }
  }

  /**
   * Refuses to act for a rank of another process.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}
   */
  public void requireLocal(int rank) {
    if (!isLocal(rank)) {
      int[] here = localRanks();
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "rank %d is in another process; this one makes calls for %s only",
          rank,
          here.length == 1 ? "rank " + here[0] : "ranks " + Arrays.toString(here));
    }
  }

  public Counters counters() {
    return watch.counters();
  }
}
