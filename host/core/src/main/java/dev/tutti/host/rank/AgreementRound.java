package dev.tutti.host.rank;

import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.job.BodyReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The agreement of ranks in several processes on one operation, up to its binding. */
final class AgreementRound {

  /**
   * The proposals of the processes, by the place that represents each process; null until the
   * process has proposed.
   */
  final @Nullable Proposal[] proposals;

  /** The memory of each process that has made the same plan, by the place that represents it. */
  final @Nullable PlanMemories[] ready;

  /** The plan of this process; null until it has planned. */
  @Nullable PreparedPlan prepared;

  AgreementRound(int places) {
    this.proposals = new Proposal[places];
    this.ready = new PlanMemories[places];
  }

  /**
   * The operation that the ranks of a process want to run.
   *
   * @param calls the call of each rank
   * @param rest the remaining fields: the places of the buffers, unless the operation is part of a
   *     capture
   */
  record Proposal(List<CallFields> calls, BodyReader rest) {}
}
