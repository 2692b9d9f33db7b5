package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;

/**
 * One rank's blocks in one round of an all-to-all. All blocks have the same size, so block b is at
 * the same place in the memory of every rank.
 *
 * @param comm all ranks
 * @param mem the memory of the round
 */
record Blocks(SubCommInfo comm, ExecMem mem) {

  /** Copies this rank's block for itself. */
  void copyOwn(Stream stream) {
    stream.copy(mem.outputBlock(comm.localRank()), mem.inputBlock(comm.localRank()));
  }

  /** The block for the rank some places behind this one. */
  Outgoing toRight(int distance) {
    int peer = (comm.localRank() + distance) % comm.localRankSize();
    return new Outgoing(comm.link(peer), mem.inputBlock(peer), mem.outputBlock(comm.localRank()));
  }

  /** The block from the rank some places before this one. */
  Incoming fromLeft(int distance) {
    int size = comm.localRankSize();
    int peer = (comm.localRank() + size - distance) % size;
    return new Incoming(comm.link(peer), mem.outputBlock(peer), mem.inputBlock(comm.localRank()));
  }
}
