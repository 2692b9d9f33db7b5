package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Locale;

/**
 * How a family of MPI libraries writes down what the standard long left to them: the handles that a
 * program passes to it.
 *
 * @param family its name
 * @param hasIntHandles whether a handle is a C int; else it is a pointer
 * @param world the communicator of all processes
 * @param bytes the data type of bytes
 * @param errorsReturn the error handler that has calls return their errors
 * @param tagLimit the attribute of a communicator that tells its greatest tag; {@link #UNKNOWN} if
 *     that is not known, and not needed
 */
record MpiAbi(
    String family, boolean hasIntHandles, long world, long bytes, long errorsReturn, int tagLimit) {

  static final int UNKNOWN = -1;

  /** From MPI 5.0 on the standard says it. */
  private static final MpiAbi STANDARD =
      new MpiAbi("the standard ABI", false, 0x101, 0x247, 0x143, UNKNOWN);

  private static final MpiAbi MPICH =
      new MpiAbi("MPICH", true, 0x4400_0000, 0x4c00_010d, 0x5400_0001, 0x6440_0001);

  /** How libraries of this family call themselves. */
  private static final List<String> MPICH_NAMES = List.of("mpich", "intel", "mvapich", "cray");

  /** Where a library's symbols are. */
  interface Symbols {

    /** The address of a symbol; 0 if the library has no such symbol. */
    long find(String symbol);
  }

  /**
   * The one of a library.
   *
   * @param version what the library says of itself
   * @param isStandard whether it says that it has the ABI of the standard
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if it is of no family known here
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
