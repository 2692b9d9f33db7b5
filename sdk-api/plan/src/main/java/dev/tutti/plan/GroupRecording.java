package dev.tutti.plan;

import dev.tutti.plan.work.Work;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose executors have requested their resources. It records the plans of all ranks,
 * or of one rank alone. Executors are pure, so every recording of a rank gives an equal plan.
 * Immutable and thread-safe.
 *
 * <p>A consumer of large plans records them without source lines. For the few ranks that it
 * reports, it records the lines again:
 *
 * <pre>{@code
 * GroupRecording recording = new PlanRecorder().withSources(false).prepare("ring", programs);
 * GroupPlan plan = recording.plan();
 * String line = recording.rank(7, true).source(12);
 * }</pre>
 */
public final class GroupRecording {

  private final String name;
  private final List<RankProgram> programs;
  private final RankResources[] resources;
  private final PlanRecorder recorder;
  private final boolean inPlace;

  private GroupRecording(
      String name, List<RankProgram> programs, RankResources[] resources, PlanRecorder recorder) {
    this.name = name;
    this.programs = programs;
    this.resources = resources;
    this.recorder = recorder;
    this.inPlace = programs.stream().anyMatch(RankProgram::inPlace);
  }

  /** Gets the requests of all ranks, and checks their links. */
  static GroupRecording of(String name, List<RankProgram> programs, PlanRecorder recorder) {
    RankResources[] resources = new RankResources[programs.size()];
    RankWorkers.forEachRank(
        resources.length,
        recorder.workers(),
        () -> {
          Interner interner = new Interner();
          return rank -> resources[rank] = RankResources.of(programs.get(rank), interner);
        });
    LinkCheck.run(programs, resources, recorder.workers());
    return new GroupRecording(name, programs, resources, recorder);
  }

  /** What the plan is for. */
  public String name() {
    return name;
  }

  /** The number of ranks. */
  public int rankSize() {
    return resources.length;
  }

  /**
   * Records all ranks, with source lines if the recorder records them.
   *
   * @throws TuttiException with {@link ErrorCode#EXECUTOR_FAILED} if an executor throws, {@link
   *     ErrorCode#RESOURCE_MISMATCH} or {@link ErrorCode#OUT_OF_BOUNDS} if it uses resources that
   *     it did not request; if several ranks fail, for the lowest. With {@link
   *     ErrorCode#INVALID_STATE} if the calling thread is interrupted; its interrupt flag stays set
   */
  public GroupPlan plan() {
    RankPlan[] plans = new RankPlan[resources.length];
    try (Work work = Work.begin("recording", plans.length)) {
      RankWorkers.forEachRank(
          plans.length,
          recorder.workers(),
          () -> {
            PlanBuilder builder = new PlanBuilder(new Interner());
            SourceLines lines = new SourceLines();
            return rank -> {
              plans[rank] = record(rank, builder, recorder.recordsSources() ? lines : null);
              work.step();
            };
          });
    }
    return new GroupPlan(name, inPlace, Arrays.asList(plans));
  }

  /**
   * Records one rank, and calls no other rank's executor.
   *
   * @param rank 0 to {@code rankSize() - 1}
   * @param withSources whether source lines are recorded, regardless of the recorder's setting
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if there is no such rank, and as
   *     {@link #plan()}
   */
  public RankPlan rank(int rank, boolean withSources) {
    requireRank(rank);
    return record(rank, new PlanBuilder(new Interner()), withSources ? new SourceLines() : null);
  }

  private void requireRank(int rank) {
    if (rank < 0 || rank >= resources.length) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "rank must be 0 to %d. Actual: %d", resources.length - 1, rank);
    }
  }

  /**
   * Calls the executors of single ranks once more, one after another, and records them without
   * source lines. Executors are pure, so this gives the plans of {@link #plan()} again; a verifier
   * uses it to check that. The function reuses its working memory for all ranks.
   *
   * @return the function from a rank to its plan, for one thread; throws as {@link #rank}
   */
  public IntFunction<RankPlan> again() {
    Interner interner = new Interner();
    PlanBuilder builder = new PlanBuilder(interner);
    return rank -> {
      requireRank(rank);
      RankResources own = RankResources.of(programs.get(rank), interner);
      return record(rank, own, builder, null);
    };
  }

  private RankPlan record(int rank, PlanBuilder builder, @Nullable SourceLines lines) {
    return record(rank, resources[rank], builder, lines);
  }

  private RankPlan record(
      int rank, RankResources own, PlanBuilder builder, @Nullable SourceLines lines) {
    RankProgram program = programs.get(rank);
    RankPlan known = program.known();
    if (known != null) {
      return known;
    }
    ActionRecorder actions =
        new ActionRecorder(
            resources, own, inPlace, builder, lines, recorder.maxActions(), recorder.observer());
    try {
      program.orchestrate(new RankRecording(own, actions));
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      throw program.failed("orchestrate", e);
    } finally {
      actions.close();
    }
    return builder.build();
  }
}
