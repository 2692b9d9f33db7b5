package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import java.util.List;

/**
 * A {@link CirculantSchedule} on one rank's working memory, which has all blocks in the order of
 * the schedule, without gaps.
 *
 * @param schedule the steps
 * @param comm the ranks
 * @param slices the block of each rank in the vector, which has the blocks of all ranks in rank
 *     order
 * @param work the working memory, as large as the vector
 */
public record Circulant(
    CirculantSchedule schedule, SubCommInfo comm, List<Slice> slices, DeviceMem work) {

  /** Gathers all blocks; this rank begins with its own. */
  public void allGather(Exchanges exchanges) {
    for (CirculantStep step : schedule.steps()) {
      int src = around(comm.localRank() + step.distance());
      int dst = around(comm.localRank() - step.distance());
      exchanges.exchange(
          transfer(dst, step.from(), step.to(), step.blocks()),
          transfer(src, step.to(), step.from(), step.blocks()));
    }
  }

  /** Reduces all blocks, so that this rank's own one is complete. */
  public void reduceScatter(Exchanges exchanges) {
    for (CirculantStep step : schedule.steps().reversed()) {
      int src = around(comm.localRank() - step.distance());
      int dst = around(comm.localRank() + step.distance());
      exchanges.exchange(
          transfer(dst, step.to(), step.from(), step.blocks()),
          transfer(src, step.from(), step.to(), step.blocks()));
    }
  }

  /** The transfer of a number of blocks, from one position of this rank and another of the peer. */
  private Transfer transfer(int peer, int here, int there, int blocks) {
    long start = offset(comm.localRank(), here);
    long end = offset(comm.localRank(), here + blocks);
    return new Transfer(
        peer, work.slice(start, end - start), work.type(), work.offset() + offset(peer, there));
  }

  /** The offset of a position in the working memory of a rank. */
  private long offset(int rank, int position) {
    long bytes = 0;
    for (int i = 0; i < position; i++) {
      bytes += slice(rank, i).size();
    }
    return bytes;
  }

  private Slice slice(int rank, int position) {
    return slices.get(around(rank + schedule.numbers().get(position)));
  }

  private int around(int rank) {
    return Math.floorMod(rank, slices.size());
  }

  /** This rank's own block. */
  public DeviceMem ownBlock() {
    int position = schedule.numbers().indexOf(0);
    long start = offset(comm.localRank(), position);
    return work.slice(start, slices.get(comm.localRank()).size());
  }

  /** Copies all blocks from a vector. */
  public void pack(Stream stream, DeviceMem vector) {
    forEachRun((there, here) -> stream.copy(work.slice(here), vector.slice(there)));
  }

  /** Copies all blocks to a vector. */
  public void unpack(Stream stream, DeviceMem vector) {
    forEachRun((there, here) -> stream.copy(vector.slice(there), work.slice(here)));
  }

  /**
   * The action for a run of blocks that are contiguous both in the vector and in the working
   * memory.
   */
  private interface Run {
    void visit(Slice inVector, Slice inWork);
  }

  private void forEachRun(Run run) {
    long done = 0;
    Slice open = slice(comm.localRank(), 0);
    for (int position = 1; position < slices.size(); position++) {
      Slice next = slice(comm.localRank(), position);
      if (next.offset() == open.offset() + open.size()) {
        open = new Slice(open.offset(), open.size() + next.size());
      } else {
        run.visit(open, new Slice(done, open.size()));
        done += open.size();
        open = next;
      }
    }
    run.visit(open, new Slice(done, open.size()));
  }
}
