package dev.tutti.host.rank;

import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.job.BodyReader;
import org.jspecify.annotations.Nullable;

/** An operation on its way to a binding, as ranks in several processes agree on it. */
final class AgreementRound {

  /** What each rank wants to run, by place; null as long as it has not said so. */
  final @Nullable Proposal[] proposals;

  /** The memories of each rank that has made the same plan, by place. */
  final @Nullable PlanMemories[] ready;

  /** What this process has planned; null before that. */
  @Nullable PreparedPlan prepared;

  AgreementRound(int places) {
    this.proposals = new Proposal[places];
    this.ready = new PlanMemories[places];
  }

  /** What a rank wants to run, and what follows: where its buffers are, if it is run as it is. */
  record Proposal(CallFields fields, BodyReader rest) {}
}
