package dev.tutti.host.rank;

import dev.tutti.engine.queue.OperationAgreement;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.MessageLinks;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Makes the queues of a meeting whose ranks are in this process or in several. */
final class MeetingQueues {

  /** The largest number of operations in flight per rank. */
  static final int CAPACITY = 64;

  private MeetingQueues() {}

  /** Whether all of these ranks of a group meet in this process. */
  static boolean areHere(GroupCore core, int[] ranks) {
    JobGroup job = core.job();
    return job == null
        || (job.links() != null && IntStream.of(ranks).allMatch(job.processes()::isHere));
  }

  /** For operations of all ranks. */
  static OperationQueues ofAll(GroupCore core, OperationAgreement agreement) {
    return ofAll(core, JobGroup::lines, agreement);
  }

  /** For the ends of captures of all ranks. */
  static OperationQueues ofCaptures(GroupCore core, OperationAgreement agreement) {
    return ofAll(core, JobGroup::linesOfCaptures, agreement);
  }

  private static OperationQueues ofAll(
      GroupCore core, Function<JobGroup, MemorySegment> lines, OperationAgreement agreement) {
    JobGroup job = core.job();
    int size = core.rankSize();
    MessageLinks links = job == null ? null : job.links();
    if (job != null && links != null) {
      return OperationQueues.apart(
          core.engine(), size, job.processes().ownRanks(), links.ranksHere(), CAPACITY, agreement);
    }
    return job == null
        ? OperationQueues.ofGroup(core.engine(), size, CAPACITY, agreement)
        : OperationQueues.ofGroup(
            core.engine(), size, job.rank(), lines.apply(job), CAPACITY, agreement);
  }

  /** For transfers of a pair. */
  static OperationQueues ofPair(
      GroupCore core, int source, int destination, OperationAgreement agreement) {
    JobGroup job = core.job();
    int size = core.rankSize();
    MessageLinks links = job == null ? null : job.links();
    boolean isHere = areHere(core, new int[] {source, destination});
    if (job != null && links != null && !isHere) {
      int[] own = {core.isLocal(source) ? 0 : 1};
      int ranksHere = Math.min(2, links.ranksHere());
      return OperationQueues.apart(core.engine(), 2, own, ranksHere, CAPACITY, agreement);
    }
    return job == null || isHere
        ? OperationQueues.ofPair(core.engine(), size, destination, CAPACITY, agreement)
        : OperationQueues.ofPair(
            core.engine(),
            size,
            destination,
            job.rank() == source ? 0 : 1,
            job.linesOfPair(source, destination),
            CAPACITY,
            agreement);
  }
}
