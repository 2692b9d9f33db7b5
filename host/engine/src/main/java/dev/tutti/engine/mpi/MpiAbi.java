package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Locale;

/**
 * The binary interface of a family of MPI libraries: the handles that a program passes to it, which
 * older versions of the standard do not define.
 *
 * @param family its name
 * @param hasIntHandles whether a handle is a C int; else it is a pointer
 * @param world the communicator of all processes
 * @param bytes the data type of bytes
 * @param errorsReturn the error handler that makes calls return their errors
 * @param tagLimit the attribute of a communicator for its greatest tag; {@link #UNKNOWN} if it is
 *     not known, and not needed
 */
record MpiAbi(
    String family, boolean hasIntHandles, long world, long bytes, long errorsReturn, int tagLimit) {

  static final int UNKNOWN = -1;

  /** The interface that the standard defines since MPI 5.0. */
  private static final MpiAbi STANDARD =
      new MpiAbi("the standard ABI", false, 0x101, 0x247, 0x143, UNKNOWN);

  private static final MpiAbi MPICH =
      new MpiAbi("MPICH", true, 0x4400_0000, 0x4c00_010d, 0x5400_0001, 0x6440_0001);

  /** The names in the version texts of libraries of this family. */
  private static final List<String> MPICH_NAMES = List.of("mpich", "intel", "mvapich", "cray");

  /** Finds the symbols of a library. */
  interface Symbols {

    /** The address of a symbol; 0 if the library has no such symbol. */
    long find(String symbol);
  }

  /**
   * The interface of a library.
   *
   * @param version its version text
   * @param isStandard whether it reports the ABI of the standard
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if its family is not known here
   */
  static MpiAbi of(Symbols library, String version, boolean isStandard) {
    if (isStandard) {
      return STANDARD;
    }
    if (library.find("ompi_mpi_comm_world") != 0) {
      return new MpiAbi(
          "Open MPI",
          false,
          library.find("ompi_mpi_comm_world"),
          library.find("ompi_mpi_byte"),
          library.find("ompi_mpi_errors_return"),
          0);
    }
    String lower = version.toLowerCase(Locale.ROOT);
    if (MPICH_NAMES.stream().anyMatch(lower::contains)) {
      return MPICH;
    }
    throw new TuttiException(
        ErrorCode.UNSUPPORTED,
        "Tutti supports Open MPI, MPICH and its derivatives, and libraries with the ABI of MPI 5."
            + " Actual: %s",
        version);
  }
}
