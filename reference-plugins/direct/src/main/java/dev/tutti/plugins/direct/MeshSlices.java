package dev.tutti.plugins.direct;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/** The slices of a vector; each rank combines one of them for all ranks. */
final class MeshSlices {

  /** Slices begin at multiples of this, so that no two ranks write one cache line. */
  static final int ALIGNMENT_BYTES = 128;

  private MeshSlices() {}

  /** The slice of the rank itself, in bytes. */
  static Slice own(CommInfo comm, DataType type, long count) {
    return of(comm, type, count).get(comm.rank());
  }

  /**
   * The bytes of the rank's longest slice in any round. A shorter last round is divided anew, so a
   * rank without a slice of the other rounds may have one of the last.
   *
   * @param count elements of the vector
   * @param perRound elements of a whole round; 0 if there is none
   */
  static long mostBytes(CommInfo comm, DataType type, long count, long perRound) {
    long last = perRound == 0 ? 0 : count % perRound;
    return Math.max(own(comm, type, perRound).size(), own(comm, type, last).size());
  }

  private static List<Slice> of(CommInfo comm, DataType type, long count) {
    return Slice.partition(count, comm.rankSize(), type.size(), ALIGNMENT_BYTES / type.size());
  }

  /** The bytes of each rank's slice. */
  static List<Long> bytes(CommInfo comm, DataType type, long count) {
    return of(comm, type, count).stream().map(Slice::size).toList();
  }
}
