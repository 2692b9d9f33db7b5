package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.util.List;
import java.util.Optional;

/**
 * One process of a job, with its report if it answers.
 *
 * @param ranks its ranks of the job, in order; empty if all ranks are in this process, where groups
 *     have any number
 * @param machine the name of its machine
 * @param process its process number on that machine
 * @param report its report; empty if it does not answer
 * @param silence why it does not answer, in words that follow its name; empty if it answers
 */
public record ProcessStatus(
    List<Integer> ranks,
    String machine,
    long process,
    Optional<ProcessReport> report,
    String silence) {

  /** Takes an immutable copy. */
  public ProcessStatus {
    Arguments.require(ranks, "ranks");
    Arguments.require(machine, "machine");
    Arguments.require(report, "report");
    Arguments.require(silence, "silence");
    ranks = List.copyOf(ranks);
  }
}
