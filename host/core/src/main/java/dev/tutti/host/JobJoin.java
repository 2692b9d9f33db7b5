package dev.tutti.host;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.mpi.MpiLibrary;
import dev.tutti.engine.mpi.MpiWorld;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.config.ServedPlugins;
import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobIdentity;
import dev.tutti.host.job.JobPlace;
import dev.tutti.host.swap.SwapFollower;
import dev.tutti.host.swap.SwapLeader;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.LivePlugins;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a context join the other processes of its job.
 *
 * @param given connects processes that share no memory; null for MPI
 */
record JobJoin(@Nullable MessageWorld given) {

  /** The runtime environment that the environment variables describe. */
  static Rte rteOf(Map<String, String> environment) {
    JobPlace place = JobPlace.of(name -> name == null ? null : environment.get(name));
    Rte mpi = place == null ? MpiRte.of(environment, null, null) : null;
    return place != null ? new ProcessRte(place) : mpi != null ? mpi : Rte.embedded();
  }

  /** Waits for the others; null if all ranks are in this process. */
  @Nullable Job join(
      Rte where,
      ServedPlugins served,
      HostSettings settings,
      Clock clock,
      Duration joinDeadline,
      Map<String, String> environment) {
    long patience = Deadlines.nanos(joinDeadline);
    long deadline = Deadlines.nanos(settings.deadline());
    return switch (where) {
      case EmbeddedRte embedded -> null;
      case ProcessRte process -> join(process, served, settings, clock, patience, deadline);
      case MpiRte mpi -> {
        JobIdentity identity = ProcessIdentity.of(served, settings);
        MessageWorld world = given == null ? world(mpi, environment) : given;
        Job job = join(world, mpi.ranksHere(), identity, clock, patience);
        yield sharing(job, served, clock, patience, deadline);
      }
    };
  }

  private static Job join(
      ProcessRte process,
      ServedPlugins served,
      HostSettings settings,
      Clock clock,
      long patience,
      long deadline) {
    Job job = Job.join(process.place(), ProcessIdentity.of(served, settings), clock, patience);
    return sharing(job, served, clock, patience, deadline);
  }

  /** Makes all processes serve the plugins that the first one watches, if it watches any. */
  private static Job sharing(
      Job job, ServedPlugins served, Clock clock, long patience, long deadline) {
    try {
      LivePlugins live = served.live();
      FollowedPlugins followed = served.followed();
      if (live != null) {
        SwapLeader.share(job, live, clock, deadline);
      } else if (followed != null) {
        SwapFollower.follow(job, followed, clock, patience, deadline);
      }
      return job;
    } catch (RuntimeException | Error e) {
      job.leave(patience);
      throw e;
    }
  }

  private static Job join(
      MessageWorld world, int ranks, JobIdentity identity, Clock clock, long patience) {
    try {
      return Job.join(world, ranks, identity, clock, patience);
    } catch (RuntimeException | Error e) {
      world.abandon();
      throw e;
    }
  }

  private static MpiWorld world(MpiRte mpi, Map<String, String> environment) {
    MpiWorld world = MpiWorld.join(MpiLibrary.open(mpi.library(), environment));
    if (world.process() != mpi.process() || world.processes() != mpi.processes()) {
      world.abandon();
      throw new TuttiException(
          ErrorCode.JOB_REFUSED,
          "the launcher says that this is process %d of %d, but MPI says process %d of %d: %s is"
              + " not the launcher's library; name that one in %s",
          mpi.process(),
          mpi.processes(),
          world.process(),
          world.processes(),
          world.library(),
          MpiLibrary.VARIABLE);
    }
    return world;
  }
}
