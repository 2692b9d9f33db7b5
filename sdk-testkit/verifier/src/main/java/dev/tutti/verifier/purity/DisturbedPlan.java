package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.CaseTasks;
import dev.tutti.verifier.planning.PlanningGuard;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plans a case with disturbances that do not affect a pure executor. It asks the ranks from the
 * last to the first. It plans other requests between {@code calcResRequest} and {@code
 * orchestrate}, and on another thread while a rank emits actions. Not thread-safe.
 */
final class DisturbedPlan implements PlanningGuard.Job<DisturbedPlan.Answer> {

  /** How long to wait for the other thread, which may wait for a lock that this thread holds. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final int LATEST_VERB = 7;

  /** Without thoroughness, one case in this many gets each kind of disturbance. */
  private static final int WAYS = 5;

  private final CollectiveCase c;
  private final List<CollExecutorBase<?>> executors;
  private final InterleavedRequests interleaved;
  private final int ranks;

  /** Chooses the disturbances; equal for equal cases. */
  private final int seed;

  private final boolean isThorough;
  private volatile String doing = "planning";

  /** The result: a plan, or the reason of a refusal. */
  record Answer(@Nullable GroupPlan plan, String refusal) {}

  /**
   * A plan of a case.
   *
   * @param isThorough whether to disturb it in every way; otherwise in one way or none
   */
  DisturbedPlan(CollectiveCase c, List<CollExecutorBase<?>> executors, boolean isThorough) {
    this.c = c;
    this.executors = executors;
    this.interleaved = new InterleavedRequests(c, executors, isThorough);
    this.ranks = c.comm().rankSize();
    this.seed = c.token().hashCode() >>> 1;
    this.isThorough = isThorough;
  }

  @Override
  public String doing() {
    return doing;
  }

  @Override
  public Answer run() {
    List<@Nullable OpParam> params = c.params();
    RankProgram[] programs = new RankProgram[ranks];
    doing = "supports";
    for (int rank = ranks - 1; rank >= 0; rank--) {
      OpParam param = params.get(rank);
      Support support = param == null ? Support.yes() : part(param).supports();
      if (!support.isSupported()) {
        return new Answer(null, support.reason());
      }
    }
    doing = "calcResRequest";
    for (int rank = ranks - 1; rank >= 0; rank--) {
      OpParam param = params.get(rank);
      programs[rank] =
          param == null ? RankProgram.idle(c.comm().withRank(rank)) : part(param).fixed();
    }
    if (isThorough || seed % WAYS == 0) {
      interleaved.ask();
    }
    boolean isInPlace = params.stream().anyMatch(param -> param != null && param.inPlace());
    return new Answer(orchestrate(programs, isInPlace), "");
  }

  private InterleavedRequests.RankPart<?> part(OpParam param) {
    return InterleavedRequests.RankPart.of(
        CaseTasks.executorFor(param.operation(), executors), param);
  }

  private GroupPlan orchestrate(RankProgram[] programs, boolean isInPlace) {
    Interruption interruption = new Interruption(seed % LATEST_VERB + 1);
    boolean isInterrupted = isThorough || seed % WAYS == 1;
    PlanRecorder recorder =
        new PlanRecorder().withSources(false).withObserver(interruption::beforeVerb);
    GroupRecording recording = recorder.prepare("elsewhere", Arrays.asList(programs));
    IntFunction<RankPlan> plans = recording.again();
    RankPlan[] made = new RankPlan[ranks];
    for (int rank = ranks - 1; rank >= 0; rank--) {
      doing = "orchestrate of rank " + rank;
      interruption.isWanted = isInterrupted && rank == seed % ranks;
      made[rank] = plans.apply(rank);
    }
    return new GroupPlan("elsewhere", isInPlace, List.of(made));
  }

  /** Makes another thread plan other requests after a rank has emitted some actions. */
  private final class Interruption {

    private final int atVerb;
    private int verb;
    private boolean isWanted;

    Interruption(int atVerb) {
      this.atVerb = atVerb;
    }

    void beforeVerb() {
      if (!isWanted || ++verb != atVerb) {
        return;
      }
      Thread other =
          Thread.ofPlatform().daemon().name("tutti-planning-other").start(interleaved::ask);
      try {
        boolean _ = other.join(PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
