package dev.tutti.host;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.Engine;
import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.config.ServedPlugins;
import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobReports;
import dev.tutti.host.planning.GroupPlanner;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.rank.GroupActivity;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessReport.ServedPlugin;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.host.topology.RankNames;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.Watch;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Execution resources: the engine and its workers, the plugins and their algorithms, memory and
 * configuration. Thread-safe.
 */
public final class Context implements AutoCloseable {

  /** The most ranks of one group while all ranks live in one JVM. */
  public static final int MAX_EMBEDDED_RANKS = 1 << 16;

  private final Rte rte;
  private final HostSettings settings;
  private final ServedPlugins served;
  private final Engine engine;
  private final List<String> ruleNotes;
  private final Watch watch;
  private final Set<Group> groups = ConcurrentHashMap.newKeySet();
  private final MemoryRegistry memories = new MemoryRegistry();
  private final FileMappings mappings = new FileMappings();
  private final Reach reach;
  private final @Nullable Job job;
  private final Group.Host host;
  private volatile boolean isClosed;

  Context(
      Rte rte,
      HostSettings settings,
      ServedPlugins served,
      Engine engine,
      List<String> ruleNotes,
      Watch watch,
      @Nullable Job job) {
    this.rte = job != null && rte instanceof MpiRte mpi ? mpi.joined(job) : rte;
    this.settings = settings;
    this.served = served;
    this.engine = engine;
    this.ruleNotes = ruleNotes;
    this.watch = watch;
    this.job = job;
    this.reach =
        job == null
            ? Reach.ofThreads(mappings)
            : job.sharesMemory()
                ? Reach.ofProcesses(mappings, job.windows())
                : Reach.ofMessages(mappings, job::isAbandoned);
    this.host =
        new Group.Host(
            settings,
            engine,
            watch,
            mappings,
            reach,
            this::allocationOf,
            this::createGroup,
            this::closed);
    if (job != null) {
      job.reports().answerWith(this::report);
    }
  }

  /** Starts a configuration with the defaults. */
  public static ContextBuilder builder() {
    return new ContextBuilder();
  }

  /** The runtime environment: where the ranks are. */
  public Rte rte() {
    return rte;
  }

  /** The loaded plugins and all problems. */
  public PluginSet plugins() {
    return served.plugins();
  }

  /** All algorithms that are served now, and the choice among them. */
  public PlanPool planPool() {
    return new PlanPool(plugins().algorithms(), settings.planningLimit());
  }

  /** The number of threads that may work on one run, including the calling thread. */
  public int workers() {
    return engine.config().workers();
  }

  /** The rules and measurements by which algorithms are chosen. */
  public Rules rules() {
    return settings.rules();
  }

  /**
   * The source of the machine model that chooses algorithms, as text: {@code "built in"}, {@code
   * "given by the application"}, or the file with its age and its error.
   */
  public String machineOrigin() {
    return settings.machineOrigin();
  }

  /**
   * The source of the network model that chooses algorithms for groups of several nodes, as text:
   * {@code "built in"}, {@code "file "} with its path, or the network cards of this machine, such
   * as {@code "2 cards of 200 Gbit/s with RDMA"}.
   */
  public String networkOrigin() {
    return settings.networkOrigin();
  }

  /** One sentence for each part of the rules and the machine file that is ignored here. */
  public List<String> ruleNotes() {
    return ruleNotes;
  }

  /**
   * One sentence for each served algorithm that failed while the host compared it with others:
   * either it failed to answer whether it accepts a call, or its plan could not be made. Calls used
   * the other algorithms.
   */
  public List<String> passedOver() {
    return served.catalogues().passedOver();
  }

  /**
   * The manager of the watched plugins.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} unless this context was made with
   *     {@link ContextBuilder#watchPlugins}, or if this is a process of a job and not its rank 0
   */
  public PluginManager pluginManager() {
    return served.manager();
  }

  /** The groups that are open, in no order. */
  public List<Group> groups() {
    return List.copyOf(groups);
  }

  /**
   * The activity of the open groups, in the order in which they were made. If a group has made no
   * progress for some time, the status explains what each rank waits for. Running operations are
   * not disturbed.
   *
   * @param patience how long to watch busy groups for progress
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public List<GroupStatus> status(Duration patience) {
    Arguments.require(patience, "patience");
    Map<Group, GroupActivity> looks = new LinkedHashMap<>();
    groups.stream()
        .sorted(Comparator.comparingLong(Group::number))
        .forEach(group -> looks.put(group, group.look()));
    if (looks.values().stream().anyMatch(GroupActivity::isBusy)) {
      Clock clock = engine.waiting().clock();
      long end = clock.nanoTime() + Deadlines.nanos(patience);
      while (end - clock.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
        clock.parkUntil(this, end);
      }
    }
    List<GroupStatus> all = new ArrayList<>();
    looks.forEach((group, look) -> all.add(group.status(look.equals(group.look()))));
    return all;
  }

  /**
   * The processes of this process's job, each with its report if it answers. The list has one entry
   * if all ranks are in this process. Running operations are not disturbed.
   *
   * @param patience how long each process watches its busy groups for progress
   * @param deadline the longest time to wait for the answers
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if one of them is not positive
   */
  public List<ProcessStatus> jobStatus(Duration patience, Duration deadline) {
    Arguments.require(patience, "patience");
    Arguments.require(deadline, "deadline");
    long nanos = Deadlines.nanos(deadline);
    return job == null
        ? List.of(JobReports.alone(report(patience)))
        : job.reports().ask(Duration.ofNanos(Deadlines.nanos(patience)), nanos);
  }

  /**
   * What this process reports about itself to the others of its job.
   *
   * @param patience how long to watch busy groups for progress
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public ProcessReport report(Duration patience) {
    return ProcessReport.here(
        plugins().plugins().stream()
            .map(each -> new ServedPlugin(each.id(), each.version(), each.algorithms().size()))
            .toList(),
        status(patience));
  }

  /**
   * The use of each algorithm, in all groups that are or were open. A run that ends during the call
   * may be missing.
   */
  public List<AlgorithmUse> algorithmUse() {
    Counters all = watch.counters().copy();
    groups.forEach(group -> group.addTo(all));
    return all.read();
  }

  /**
   * The topology of this process's job, with a node for each machine. Empty if all ranks are in
   * this process or on one machine, or if the ranks of some machine are not consecutive.
   */
  public Optional<Topology> jobTopology() {
    return job == null ? Optional.empty() : job.topology();
  }

  /**
   * Asks the programs of all other processes of the job to end, for example when a user stops this
   * one. This only calls their listeners; see {@link #onJobEnd}. Does nothing if all ranks are in
   * this process.
   */
  public void endJob() {
    if (job != null) {
      job.ending().request();
    }
  }

  /**
   * Sets the listener for the first {@link #endJob} of another process, even if that call came
   * earlier.
   *
   * @param listener called on a thread of this context, or at once if the request has already
   *     arrived; must not block
   */
  public void onJobEnd(Runnable listener) {
    Arguments.require(listener, "listener");
    if (job != null) {
      job.ending().listen(listener);
    }
  }

  /**
   * A group of ranks on one node.
   *
   * @param ranks 1 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}; {@link ErrorCode#INVALID_STATE} if
   *     this is closed
   */
  public Group createGroup(int ranks) {
    if (ranks < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "a group must have at least one rank. Actual: %d", ranks);
    }
    return createGroup(Topology.flat(ranks));
  }

  /**
   * A group of ranks in nodes and pods, at most {@link #MAX_EMBEDDED_RANKS}.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if there are more; {@link
   *     ErrorCode#INVALID_STATE} if this is closed
   */
  public Group createGroup(Topology topology) {
    Arguments.require(topology, "topology");
    requireOpen();
    return createGroup(
        topology, RankNames.ofWorld(), null, job == null ? null : joined(job, topology, settings));
  }

  private Group createGroup(
      Topology topology, RankNames names, @Nullable SubGroups siblings, @Nullable JobGroup link) {
    requireOpen();
    if (topology.rankSize() > MAX_EMBEDDED_RANKS) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "one JVM holds groups of at most %d ranks. Actual: %d",
          MAX_EMBEDDED_RANKS,
          topology.rankSize());
    }
    boolean recordsSources = topology.rankSize() <= settings.sourceLinesUpTo();
    long number = watch.nextGroup();
    GroupPlanner planner =
        new GroupPlanner(number, topology, settings, served.catalogues(), engine, recordsSources);
    Group group = new Group(host, number, topology, names, siblings, link, planner);
    groups.add(group);
    served.catalogues().join(group.user());
    return group;
  }

  /**
   * The link of a group of all ranks, which all processes make together. Null if all ranks are in
   * this process.
   */
  private static @Nullable JobGroup joined(Job ownJob, Topology topology, HostSettings settings) {
    if (topology.rankSize() != ownJob.size()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "the processes of this job have %d ranks, %s, and its groups must have as many. Actual:"
              + " %d",
          ownJob.size(),
          ownJob.shape(),
          topology.rankSize());
    }
    if (ownJob.isAlone() && !ownJob.sharesMemory()) {
      return null;
    }
    return ownJob.groups().createOfAll(topology.toString(), Deadlines.nanos(settings.deadline()));
  }

  private void closed(Group group) {
    groups.remove(group);
    served.catalogues().part(group.user());
  }

  /**
   * Allocates native memory that all ranks can reach, zero-filled. It lives until it or this
   * context is closed.
   *
   * @param bytes 0 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the size is negative; {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not that much; {@link ErrorCode#INVALID_STATE} if this
   *     is closed
   */
  public RegisteredMemory allocate(long bytes) {
    requireOpen();
    OwnedMemory memory = new OwnedMemory(reach.allocate(bytes), reach::free, memories::remove);
    memories.add(memory);
    return memory;
  }

  /** The memory of this context that a segment is a part of, or the segment itself. */
  private MemorySegment allocationOf(MemorySegment segment) {
    return segment.isNative() ? memories.allocationOf(segment) : segment;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the context is closed; open another one");
    }
  }

  /**
   * Closes all groups, frees all memory, ends the workers and unloads the plugins. A second call
   * does nothing.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} as {@link Group#close}; then only
   *     idle groups are closed
   */
  @Override
  public void close() {
    List.copyOf(groups).forEach(Group::close);
    if (!isClosed) {
      isClosed = true;
      engine.close();
      if (job != null) {
        job.leave(Deadlines.nanos(settings.deadline()));
      }
      memories.all().forEach(OwnedMemory::close);
      served.close();
    }
  }
}
