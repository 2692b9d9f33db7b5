package dev.tutti.plan;

import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans an operation in a known structure: calls the executors, and keeps only positions. */
final class PlanCloner {

  private final PlanStructure structure;
  private final List<RankProgram> programs;
  private final int workers;
  private final RankResources[] resources;

  private PlanCloner(PlanStructure structure, List<RankProgram> programs, int workers) {
    this.structure = structure;
    this.programs = programs;
    this.workers = workers;
    this.resources = new RankResources[programs.size()];
  }

  static PlanClone.Attempt attempt(
      PlanStructure structure, List<RankProgram> programs, int workers) {
    try {
      PlanClone clone = new PlanCloner(structure, programs, workers).run();
      return new PlanClone.Attempt(clone, "");
    } catch (MarkPositions.Differs e) {
      return new PlanClone.Attempt(null, e.how());
    }
  }

  private PlanClone run() {
    boolean inPlace = programs.stream().anyMatch(RankProgram::inPlace);
    if (programs.size() != structure.rankSize() || inPlace != structure.inPlace()) {
      throw new MarkPositions.Differs(
          "the group has a different number of ranks, or only one of the two plans is in place");
    }
    MarkPositions positions = new MarkPositions(structure.markCount());
    structure.putStarts(positions);
    RankWorkers.forEachRank(
        resources.length,
        workers,
        () -> {
          Interner interner = new Interner();
          return rank -> resources[rank] = asked(rank, interner);
        });
    for (RankResources each : resources) {
      putSizes(each, positions);
    }
    List<MarkPositions> ofThreads = new ArrayList<>();
    RankWorkers.forEachRank(
        resources.length,
        workers,
        () -> {
          MarkPositions own = new MarkPositions(structure.markCount());
          synchronized (ofThreads) {
            ofThreads.add(own);
          }
          return rank -> match(rank, own);
        });
    boolean isSame = true;
    for (MarkPositions each : ofThreads) {
      isSame &= positions.merge(each);
    }
    if (!isSame || !structure.isInOrder(positions.toArray())) {
      throw new MarkPositions.Differs("spans have other positions relative to each other");
    }
    return clone(positions.toArray());
  }

  /** The resources of a rank, which must match those of the structure. */
  private RankResources asked(int rank, Interner interner) {
    RankPlan model = structure.origin().plan().rank(rank);
    RankResources asked = RankResources.of(programs.get(rank), interner);
    boolean isSame =
        asked.request().streamNum() + 1 == model.streamCount()
            && asked.request().notifyNum() == model.notifyCount()
            && asked.links().equals(model.links());
    if (!isSame) {
      throw new MarkPositions.Differs(
          "rank " + rank + " asks for other streams, notifies or links");
    }
    return new RankResources(rank, asked.request(), asked.memSizes(), model.links());
  }

  private void putSizes(RankResources own, MarkPositions positions) {
    for (TransportMemType type : PlanStructure.TYPES) {
      long size = own.memSizes()[type.ordinal()];
      int mark = structure.sizeMark(own.rank(), type);
      boolean isSame = mark < 0 ? size == 0 : size > 0 && positions.put(mark, size);
      if (!isSame) {
        throw new MarkPositions.Differs(
            "the "
                + type.label()
                + " memory of rank "
                + own.rank()
                + " has a different end, as the operation sees it");
      }
    }
  }

  private void match(int rank, MarkPositions positions) {
    RankResources own = resources[rank];
    RankPlan model = structure.origin().plan().rank(rank);
    ActionMatcher actions =
        new ActionMatcher(
            resources, own, structure.inPlace(), model, structure.marks(rank), positions);
    try {
      programs.get(rank).orchestrate(new RankRecording(own, actions));
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      actions.end();
      // A recording reports the cause.
      throw new MarkPositions.Differs("rank " + rank + " cannot be planned");
    } finally {
      actions.close();
    }
    actions.end();
  }

  private PlanClone clone(long[] positions) {
    GroupPlan model = structure.origin().plan();
    @Nullable RankPlan[] plans = new RankPlan[resources.length];
    for (int rank = 0; rank < plans.length; rank++) {
      plans[rank] =
          model.rank(rank).moved(resources[rank].memSizes(), structure.marks(rank), positions);
    }
    return new PlanClone(
        structure, new GroupPlan(model.name(), model.inPlace(), Arrays.asList(plans)), positions);
  }
}
