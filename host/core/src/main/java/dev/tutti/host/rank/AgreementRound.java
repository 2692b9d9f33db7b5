package dev.tutti.host.rank;

import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.job.BodyReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation on its way to a binding, as ranks in several processes agree on it. */
final class AgreementRound {

  /**
   * What the ranks of each process want to run, by the place that speaks for it; null as long as it
   * has not said so.
   */
  final @Nullable Proposal[] proposals;

  /** The memories of each process that has made the same plan, by the place that speaks for it. */
  final @Nullable PlanMemories[] ready;

  /** What this process has planned; null before that. */
  @Nullable PreparedPlan prepared;

  AgreementRound(int places) {
    this.proposals = new Proposal[places];
    this.ready = new PlanMemories[places];
  }

  /**
   * What the ranks of a process want to run.
   *
   * @param calls of each of them
   * @param rest what follows: where the buffers are, if it is run as it is
   */
  record Proposal(List<CallFields> calls, BodyReader rest) {}
}
