package dev.tutti.plugins.direct;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/** The slices of a vector, of which each rank combines one for all. */
final class MeshSlices {

  /** Slices begin at multiples of this, so that no two ranks write one cache line. */
  static final int ALIGNMENT_BYTES = 128;

  private MeshSlices() {}

  /** The slice of the rank itself, in bytes. */
  static Slice own(CommInfo comm, DataType type, long count) {
    return of(comm, type, count).get(comm.rank());
  }

  private static List<Slice> of(CommInfo comm, DataType type, long count) {
    return Slice.partition(count, comm.rankSize(), type.size(), ALIGNMENT_BYTES / type.size());
  }

  /** The bytes of each rank's slice. */
  static List<Long> bytes(CommInfo comm, DataType type, long count) {
    return of(comm, type, count).stream().map(Slice::size).toList();
  }
}
