package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gets the resource requests of executors and records their actions, for all ranks of a group.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * GroupPlan plan = new PlanRecorder().record("ring", executor, param);
 * }</pre>
 */
public final class PlanRecorder {

  /** The default for the most actions that one rank may emit. */
  public static final int DEFAULT_MAX_ACTIONS = 1 << 24;

  private final boolean recordsSources;
  private final int maxActions;
  private final int workers;
  private final @Nullable Runnable observer;

  /**
   * A recorder that records source lines, and at most {@link #DEFAULT_MAX_ACTIONS} actions for each
   * rank, on the calling thread.
   */
  public PlanRecorder() {
    this(true, DEFAULT_MAX_ACTIONS, 1, null);
  }

  private PlanRecorder(
      boolean recordsSources, int maxActions, int workers, @Nullable Runnable observer) {
    this.recordsSources = recordsSources;
    this.maxActions = maxActions;
    this.workers = workers;
    this.observer = observer;
  }

  /**
   * The same recorder with or without source lines; without them, recording is many times faster.
   */
  public PlanRecorder withSources(boolean isWanted) {
    return new PlanRecorder(isWanted, maxActions, workers, observer);
  }

  /** The same recorder with another limit on the actions of one rank. */
  public PlanRecorder withMaxActions(int actions) {
    return new PlanRecorder(recordsSources, actions, workers, observer);
  }

  /**
   * The same recorder with this number of threads: the calling one, and daemon threads that end
   * before a call returns or throws. Executors are thread-safe by contract; plans and errors do not
   * depend on the number of threads.
   *
   * @param threads 1 or more; a call uses at most one thread per rank
   */
  public PlanRecorder withWorkers(int threads) {
    if (threads < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "there must be one worker or more. Actual: %d", threads);
    }
    return new PlanRecorder(recordsSources, maxActions, threads, observer);
  }

  /**
   * The same recorder with an observer. The recording thread calls it each time an executor is
   * about to emit an action. The executor is then in the middle of its work, so a check can call
   * the executor for another request here.
   */
  public PlanRecorder withObserver(Runnable listener) {
    Arguments.require(listener, "listener");
    return new PlanRecorder(recordsSources, maxActions, workers, listener);
  }

  boolean recordsSources() {
    return recordsSources;
  }

  int maxActions() {
    return maxActions;
  }

  int workers() {
    return workers;
  }

  @Nullable Runnable observer() {
    return observer;
  }

  /**
   * Records an operation in which every rank runs one executor.
   *
   * @param name what the plan is for
   * @param executor the algorithm
   * @param param the request as any rank sees it; the other ranks' views are derived from it, so
   *     the operation must be one whose counts are the same on all ranks
   * @throws TuttiException as {@link #record(String, List)}
   */
  public <P extends OpParam> GroupPlan record(String name, CollExecutorBase<P> executor, P param) {
    Arguments.require(name, "name");
    Arguments.require(executor, "executor");
    Arguments.require(param, "param");
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      // Every implementation of withComm returns a record of its own type.
      @SuppressWarnings("unchecked")
      P view = (P) param.withComm(param.comm().withRank(rank));
      programs.add(RankProgram.of(executor, view));
    }
    return record(name, programs);
  }

  /**
   * Records an operation: {@link #prepare}, then {@link GroupRecording#plan}.
   *
   * @param name what the plan is for
   * @param programs each rank's part, in rank order
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the programs are not those of
   *     all ranks in order, {@link ErrorCode#EXECUTOR_FAILED} if an executor throws or returns
   *     null, {@link ErrorCode#LINK_MISMATCH} if two ranks disagree about a link, {@link
   *     ErrorCode#RESOURCE_MISMATCH} or {@link ErrorCode#OUT_OF_BOUNDS} if an executor uses
   *     resources that it did not request, {@link ErrorCode#INVALID_STATE} if the calling thread is
   *     interrupted; its interrupt flag stays set
   */
  public GroupPlan record(String name, List<RankProgram> programs) {
    Arguments.require(name, "name");
    Arguments.require(programs, "programs");
    return prepare(name, programs).plan();
  }

  /**
   * Plans an operation in a structure that is known from another count, many times faster than
   * {@link #record(String, List)}. The plan equals the recorded one, but has the name and the
   * source lines of the structure's origin.
   *
   * @param structure the structure; the plan keeps it
   * @param programs each rank's part, in rank order
   * @return no plan if the operation has another structure
   * @throws TuttiException as {@link #record(String, List)}. For problems that only recording
   *     finds, the result has no plan instead
   */
  public PlanClone.Attempt clone(PlanStructure structure, List<RankProgram> programs) {
    Arguments.require(structure, "structure");
    Arguments.require(programs, "programs");
    List<RankProgram> copy = List.copyOf(programs);
    checkOrder(copy);
    return PlanCloner.attempt(structure, copy, workers);
  }

  /**
   * Gets the resource requests of all ranks and checks that their links match. The result records
   * the ranks' plans on demand.
   *
   * @param name what the plan is for
   * @param programs each rank's part, in rank order
   * @throws TuttiException as {@link #record(String, List)}, for errors in requests
   */
  public GroupRecording prepare(String name, List<RankProgram> programs) {
    Arguments.require(name, "name");
    Arguments.require(programs, "programs");
    List<RankProgram> copy = List.copyOf(programs);
    checkOrder(copy);
    return GroupRecording.of(name, copy, this);
  }

  private static void checkOrder(List<RankProgram> programs) {
    for (int rank = 0; rank < programs.size(); rank++) {
      CommInfo comm = programs.get(rank).comm();
      if (comm.rank() != rank || comm.rankSize() != programs.size()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "there must be one program for each rank, in rank order. Actual: program %d of %d is"
                + " that of rank %d of %d",
            rank,
            programs.size(),
            comm.rank(),
            comm.rankSize());
      }
    }
  }
}
