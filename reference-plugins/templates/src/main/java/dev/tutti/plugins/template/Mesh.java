package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A rank's view of a full mesh.
 *
 * @param comm the ranks, with links from this one to all others
 * @param stream where everything is emitted
 */
public record Mesh(SubCommInfo comm, Stream stream) {

  /**
   * The other ranks, starting behind this one, so that the ranks do not all access the same one at
   * once.
   */
  public List<Integer> peers() {
    int size = comm.localRankSize();
    return IntStream.range(1, size).mapToObj(i -> (comm.localRank() + i) % size).toList();
  }

  /** Waits until every rank has arrived; two barriers in a row need different notifies. */
  public void barrier(int notify) {
    peers().forEach(peer -> comm.link(peer).post(stream, notify));
    peers().forEach(peer -> comm.link(peer).await(stream, notify));
  }

  /** The memory of every rank that corresponds to memory of this one, in rank order. */
  public List<DeviceMem> atAll(DeviceMem mem) {
    return IntStream.range(0, comm.localRankSize())
        .mapToObj(rank -> rank == comm.localRank() ? mem : comm.link(rank).remote(mem))
        .toList();
  }
}
