package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/**
 * The plan of a group: the plans of all its ranks. Immutable.
 *
 * @param name what the plan is for, for example {@code "allreduce ring"}; not part of the digest
 * @param inPlace whether each rank's input and output are the same memory
 * @param ranks the plan of each rank, in rank order
 */
public record GroupPlan(String name, boolean inPlace, List<RankPlan> ranks) {

  /**
   * Makes an immutable copy and checks the order.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if plan i is not the plan of rank i
   */
  public GroupPlan {
    Arguments.require(name, "name");
    Arguments.require(ranks, "ranks");
    ranks = List.copyOf(ranks);
    if (ranks.isEmpty()) {
      throw new TuttiException(ErrorCode.INVALID_PLAN, "a group plan must have at least one rank");
    }
    for (int i = 0; i < ranks.size(); i++) {
      if (ranks.get(i).rank() != i) {
        throw new TuttiException(
            ErrorCode.INVALID_PLAN,
            "plan %d of the group must be that of rank %d. Actual: rank %d",
            i,
            i,
            ranks.get(i).rank());
      }
    }
  }

  /**
   * A composite plan: every rank runs its part of each plan, one after another. The plans share the
   * ranks' memories.
   *
   * @param name what the composite is for
   * @param plans one or more plans with the same number of ranks, all in place or none
   */
  public static GroupPlan sequence(String name, List<GroupPlan> plans) {
    Arguments.require(name, "name");
    Arguments.require(plans, "plans");
    return sequence(name, plans, List.of());
  }

  /**
   * A composite plan whose ranks also wait for each other. Every rank runs its part of each plan,
   * one after another. An order makes a rank begin a part only after another rank has ended an
   * earlier part.
   *
   * @param name what the composite is for
   * @param plans one or more plans with the same number of ranks, all in place or none
   * @param orders the dependencies between ranks
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if the plans differ in the number of
   *     ranks or in {@code inPlace}, or an order does not lead from one rank's part to another
   *     rank's later part
   */
  public static GroupPlan sequence(String name, List<GroupPlan> plans, List<PartOrder> orders) {
    Arguments.require(name, "name");
    Arguments.require(plans, "plans");
    Arguments.require(orders, "orders");
    List<RankPlan> ranks = PlanSequence.of(plans, orders);
    return new GroupPlan(name, plans.getFirst().inPlace, ranks);
  }

  /**
   * The same plan over other memories. {@code inPlace} of the result is false; a placement that
   * gives input and output the same span makes them one memory. Links register the same memory as
   * before, so {@link #check} may refuse the result.
   */
  public GroupPlan relocated(Placement placement) {
    Arguments.require(placement, "placement");
    PlanRelocation relocation = new PlanRelocation(placement);
    return new GroupPlan(name, false, ranks.stream().map(relocation::move).toList());
  }

  /** The number of ranks. */
  public int rankSize() {
    return ranks.size();
  }

  /** The plan of one rank. */
  public RankPlan rank(int rank) {
    return ranks.get(rank);
  }

  /**
   * The number of actions of all ranks, with nested ones counted each time they run; {@link
   * Long#MAX_VALUE} if there are more.
   */
  public long actionCount() {
    return ranks.stream()
        .mapToLong(RankPlan::expandedActionCount)
        .reduce(0, (sum, count) -> count > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + count);
  }

  /**
   * The bytes that all data actions read and write. Each operand counts once, and those of nested
   * plans count each time they run.
   */
  public long traffic() {
    return ranks.stream().mapToLong(GroupPlan::traffic).sum();
  }

  private static long traffic(RankPlan plan) {
    Actions actions = plan.actions();
    Operands operands = plan.operands();
    long bytes = 0;
    int operand = 0;
    for (int action = actions.nextData(0);
        action < actions.count();
        action = actions.nextData(action + 1)) {
      int sources = operands.sourceCount(operand, Actions.kind(actions.head(action)));
      bytes += (1L + sources) * operands.bytes(operand++);
    }
    for (int action = 0; plan.hasNested() && action < actions.count(); action++) {
      bytes += plan.kind(action) == ActionKind.NESTED ? traffic(plan.nested(action)) : 0;
    }
    return bytes;
  }

  /**
   * The number of a link at its other end.
   *
   * @param plan a rank's plan of this group, or a plan nested in it
   * @param peer the peer's plan at the same place
   * @param link a link of {@code plan}
   * @return the link of {@code peer}, or -1 if the peer did not request it
   */
  public static int reverseLink(RankPlan plan, RankPlan peer, int link) {
    Arguments.require(plan, "plan");
    Arguments.require(peer, "peer");
    return peer.links().find(plan.linkPlane(link), plan.linkSubComm(link), plan.rank());
  }

  /**
   * Checks a plan that was built with {@link RankPlanBuilder}, which accepts wrong plans. The
   * method refuses the plans that a recording refuses, and those that {@link PlanJson} refuses to
   * read. A recorded plan passes. A verifier finds the other problems, such as deadlocks and data
   * races.
   *
   * @throws TuttiException at the first problem: with {@link ErrorCode#OUT_OF_BOUNDS} if an operand
   *     reaches beyond its memory, {@link ErrorCode#BUFFER_OVERLAP} if a source and the destination
   *     of one action overlap, {@link ErrorCode#RESOURCE_MISMATCH} if an action uses memory of a
   *     peer that no link registers, {@link ErrorCode#LINK_MISMATCH} if a link has no reverse, or a
   *     different one, {@link ErrorCode#INVALID_PLAN} if nested plans do not fit together
   */
  public void check() {
    PlanCheck.ofPlan(this);
  }

  /** SHA-256 over everything but the name and the source lines, as 64 hexadecimal digits. */
  public String digest() {
    return PlanDigest.of(inPlace, ranks);
  }

  /** A short description: name, ranks, actions. */
  @Override
  public String toString() {
    return name + ": " + rankSize() + " ranks, " + actionCount() + " actions";
  }
}
