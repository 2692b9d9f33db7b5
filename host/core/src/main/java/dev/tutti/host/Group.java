package dev.tutti.host;

import dev.tutti.engine.Engine;
import dev.tutti.engine.StreamPosition;
import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.Profiler;
import dev.tutti.host.group.RunSlot;
import dev.tutti.host.group.SlotHolder;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.planning.GroupPlanner;
import dev.tutti.host.rank.GroupActivity;
import dev.tutti.host.rank.GroupWatch;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.host.rank.RankCaptures;
import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.host.topology.RankNames;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.Watch;
import dev.tutti.plugin.live.Generation;
import dev.tutti.plugin.live.PlanUser;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A fixed, ordered set of ranks that run operations together, one at a time. It owns the staging
 * buffers and the scratch memory, which are allocated when a plan first needs them.
 *
 * <p>There are two ways to use a group: one caller drives all ranks ({@link GroupCalls}), or one
 * thread per rank calls through {@link #rank}. After a failed run or a passed deadline the group is
 * poisoned: it refuses everything and can only be closed; other groups of the context are not
 * affected.
 *
 * <p>Thread-safe, except that one caller at a time may drive all ranks.
 */
public final class Group implements GroupCalls, AutoCloseable {

  /** The colour of a rank that gets no group when its group is split. */
  public static final int NO_COLOUR = -1;

  private final GroupCore core;
  private final RunSlot slot = new RunSlot();
  private final GroupPlans plans;
  private final GroupBindings bindings;
  private final Consumer<Group> whenClosed;

  /** The sub-groups of the parent group; null if there is no parent. */
  private final @Nullable SubGroups siblings;

  private final SubGroups subGroups;
  private final RankCalls rankCalls;
  private final GroupWatch watch;
  private final Captures captures;
  private final @Nullable RankCaptures rankCaptures;
  private final PlanUser user = this::isRunning;

  /**
   * The parts that a context gives to its groups.
   *
   * @param settings its settings
   * @param engine runs the plans
   * @param watch the flight records and counters of the groups
   * @param mappings finds buffers in mapped files
   * @param reach the memory that all ranks can reach
   * @param allocation finds the memory of the context that a segment is a part of, or returns the
   *     segment
   * @param subGroups makes sub-groups
   * @param whenClosed gets each group that is closed
   */
  record Host(
      HostSettings settings,
      Engine engine,
      Watch watch,
      FileMappings mappings,
      Reach reach,
      UnaryOperator<MemorySegment> allocation,
      SubGroups.Maker subGroups,
      Consumer<Group> whenClosed) {}

  Group(
      Host host,
      long number,
      Topology topology,
      RankNames names,
      @Nullable SubGroups siblings,
      @Nullable JobGroup job,
      GroupPlanner planner) {
    this.siblings = siblings;
    this.whenClosed = host.whenClosed();
    this.core =
        new GroupCore(
            number,
            (siblings == null ? "group of " : "sub-group of ") + topology + " ranks",
            topology,
            names,
            slot,
            host.settings(),
            host.engine(),
            host.mappings(),
            host.reach(),
            job,
            planner,
            host.watch(),
            host.watch().newLog(),
            Profiler.of(host.settings().profile()),
            this::lateStatus);
    this.plans = new GroupPlans(core);
    this.bindings = new GroupBindings(core, host.engine(), plans);
    this.captures = new Captures(core, plans, bindings, host.allocation());
    this.rankCalls = new RankCalls(core, captures, bindings, this::split);
    this.rankCaptures = RankCaptures.of(core, captures, rankCalls);
    this.watch = new GroupWatch(core, rankCalls.watch());
    this.subGroups = new SubGroups(core, rankCalls, host.subGroups());
  }

  private GroupStatus lateStatus(String doing, List<StreamPosition> positions) {
    return watch.late(doing, positions);
  }

  private void split(List<RankCall> calls) {
    subGroups.split(calls);
  }

  /** The nodes and pods of the ranks. */
  @Override
  public Topology topology() {
    return core.topology();
  }

  /** Starts building a request of all ranks. */
  @Override
  public RequestBuilder request(CollectiveCall call) {
    Arguments.require(call, "call");
    core.requireAllRanksHere("a request of all ranks");
    return new RequestBuilder(plans, bindings, call);
  }

  /**
   * The handle of one rank, for that rank's own thread.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}
   */
  public RankHandle rank(int rank) {
    if (rank < 0 || rank >= rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "rank must be 0 to %d. Actual: %d", rankSize() - 1, rank);
    }
    core.requireLocal(rank);
    return new RankHandle(this, rankCalls, subGroups, rank, CallOptions.defaults());
  }

  /**
   * Runs a body once for every rank of this process, each on its own virtual thread, and waits for
   * all of them. When a rank's body ends, calls that wait for that rank fail at once.
   *
   * @throws RuntimeException or {@link Error}: the exception of the first body to fail, with those
   *     of the others as suppressed exceptions
   */
  public void run(Consumer<RankHandle> body) {
    Arguments.require(body, "body");
    rankCalls.runAll(handles(), body);
  }

  private List<RankHandle> handles() {
    return IntStream.of(localRanks()).mapToObj(this::rank).toList();
  }

  /** The ranks that are in this process. */
  public int[] localRanks() {
    return core.localRanks();
  }

  /**
   * A group of some of these ranks, in the order given: its rank i is rank {@code ranks[i]} here.
   * Ranks that are adjacent in that order and share a node here also share a node of the new group.
   *
   * <p>The new group has its own memory, plans and failures, and is closed at the latest with this
   * one. If ranks are in several processes, all processes that have one of the given ranks call
   * this.
   *
   * @param ranks at least one, all different
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}, also if none of the ranks is in
   *     this process; {@link ErrorCode#DEADLINE_EXCEEDED} if the other processes do not arrive;
   *     {@link ErrorCode#INVALID_STATE} if this is closed; {@link ErrorCode#GROUP_POISONED} after a
   *     failure
   */
  public Group subGroup(int... ranks) {
    Arguments.require(ranks, "ranks");
    return subGroups.create(RankList.of(ranks));
  }

  /**
   * Splits this group into one sub-group per colour. The ranks of a colour are ordered by their
   * keys, and ranks with equal keys by their numbers here.
   *
   * @param colours one per rank, 0 or more, or {@link #NO_COLOUR} for ranks that take no part
   * @param keys one per rank
   * @return the groups that have ranks of this process, by colour; all processes must give the same
   *     colours and keys
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}; otherwise as {@link #subGroup}
   */
  public SortedMap<Integer, Group> split(int[] colours, int[] keys) {
    Arguments.require(colours, "colours");
    Arguments.require(keys, "keys");
    return subGroups.split(colours, keys);
  }

  /** The number of a rank in the group that all sub-groups come from. */
  public int worldRank(int rank) {
    return core.names().worldRank(rank(rank).rank());
  }

  /**
   * Captures the operations that a body runs on this thread, for all ranks. They are checked and
   * planned, but no data moves, and outputs do not change. At the end of the body, all operations
   * are joined into one plan, each buffer is registered once, and the plan is checked. It runs
   * faster than the operations one by one and gives the same bits.
   *
   * <p>The body may run requests of this group in any way. Operations on other groups run at once.
   * Until the body has ended, other threads cannot run anything on this group.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if the group runs or captures
   *     something, or the body ran nothing; {@link ErrorCode#INVALID_ARGUMENT} if the operations
   *     have too many separate buffers; {@link ErrorCode#INVALID_PLAN} with the findings if a plan
   *     breaks a rule; {@link ErrorCode#BUFFER_UNAVAILABLE} for a read-only view of an array; any
   *     exception of the body; nothing is captured then
   */
  public Captured capture(Runnable body) {
    Arguments.require(body, "body");
    core.requireAllRanksHere("a capture by one caller");
    return new Captured(captures.of(body));
  }

  /**
   * Captures the calls of the ranks. The body runs once per rank, each on its own thread, and makes
   * blocking calls that return once all ranks have made them. Otherwise as {@link
   * #capture(Runnable)}. All ranks vote at the end. If the body of one rank fails, nothing is
   * captured, the calls that wait for that rank fail too, and the group stays usable.
   *
   * <p>If ranks are processes, each process calls this, and the calling thread runs the body of its
   * rank. If any process has several ranks, each body runs on its own thread, and this cannot be
   * called in the bodies of {@link #run} and of other captures. The vote fails, too, if a rank
   * makes fewer calls than others.
   *
   * @throws TuttiException with {@link ErrorCode#CAPTURE_ABANDONED}, whose cause is the exception
   *     of the first body to fail, or of this process's body; otherwise as {@link
   *     #capture(Runnable)}
   */
  public Captured capture(Consumer<RankHandle> body) {
    Arguments.require(body, "body");
    if (rankCaptures != null) {
      return new Captured(rankCaptures.of(handles(), body));
    }
    return new Captured(captures.ofRanks(() -> rankCalls.runAll(handles(), body)));
  }

  /**
   * Runs a body that prepares operations. The operations that the body makes on this group in this
   * thread are chosen, planned, compiled and checked. They do not run and do not become part of a
   * current capture. No data moves. Later operations of the same shapes find their plans ready.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if the group runs something, or
   *     another thread captures; any exception of the body
   */
  public void warmUp(Runnable body) {
    Arguments.require(body, "body");
    core.requireAllRanksHere("a warm-up of calls of all ranks");
    captures.warmUp(body);
  }

  /** Whether an earlier failure has made this group unusable. */
  public boolean isPoisoned() {
    return slot.isPoisoned();
  }

  /**
   * The current activity of this group: for each rank that waits or runs, its position and the
   * ranks it waits for. Any thread may call this at any time. Running operations are not disturbed.
   */
  public GroupStatus status() {
    return status(true);
  }

  /**
   * The last operations of this group, the oldest first; empty unless {@link ContextBuilder#flight}
   * enabled the record.
   */
  public List<FlightEntry> flight() {
    FlightLog log = core.flight();
    return log == null ? List.of() : log.entries();
  }

  /**
   * The last calls of a rank, the oldest first; empty unless {@link ContextBuilder#flight} enabled
   * the record.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}
   */
  public List<FlightEntry> flight(int rank) {
    return rankCalls.watch().flight(rank(rank).rank());
  }

  /**
   * The number of this group in its context: groups are numbered from 1 in the order of creation.
   */
  public long number() {
    return core.number();
  }

  /** The current activity of this group. */
  GroupActivity look() {
    return watch.look();
  }

  /** The status of this group; if it makes no progress, also what the ranks wait for. */
  GroupStatus status(boolean isStill) {
    return watch.status(isStill);
  }

  /** Adds the runs that have not been counted yet. */
  void addTo(Counters counters) {
    bindings.addTo(counters);
    captures.addTo(counters);
  }

  /** The plans this group keeps for later calls of the same shape. */
  public PlanCacheStats planCache() {
    return plans.stats();
  }

  /** Registers the ranks of this group with the calls of its parent group. */
  void joinTo(RankCalls parent, RankList members) {
    parent.addPart(rankCalls, members);
  }

  /** This group as a user of plugins: a change of plugins waits for its runs. */
  PlanUser user() {
    return user;
  }

  private boolean isRunning(Generation generation) {
    SlotHolder running = slot.running();
    return running != null && running.uses(generation);
  }

  /** Ends the use of this group and wakes all threads that wait for others. */
  void poison(String cause) {
    slot.poison(cause);
  }

  /**
   * Frees the buffers and closes the requests of this group and its sub-groups. A second call does
   * nothing. If ranks of other processes are still at work in an operation that has failed, this
   * waits for them, at most for the deadline of the context.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way, here or
   *     in a sub-group, or if ranks of other processes remain at work; then only idle sub-groups
   *     are closed, and this can be closed later
   */
  @Override
  public void close() {
    rankCalls.giveUpOwn(true);
    requireNothingRuns();
    rankCalls.giveUpOwn(false);
    subGroups.all().forEach(Group::close);
    try {
      bindings.close(this::closeUsers);
    } finally {
      if (slot.isClosed()) {
        leave();
      }
    }
  }

  /** Closes everything else that is bound or holds memory, besides the requests. */
  private void closeUsers() {
    captures.close();
    rankCalls.close();
    plans.close();
  }

  private void leave() {
    rankCalls.leave();
    whenClosed.accept(this);
    if (siblings != null) {
      siblings.closed(this, rankCalls);
    }
  }

  private void requireNothingRuns() {
    slot.requireNothingRuns();
    subGroups.all().forEach(Group::requireNothingRuns);
  }

  @Override
  public String toString() {
    return core.title();
  }
}
