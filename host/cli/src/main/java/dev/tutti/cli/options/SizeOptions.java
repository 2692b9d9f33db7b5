package dev.tutti.cli.options;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for the size of an operation: elements as its parameters count them, or bytes of a
 * vector.
 */
public final class SizeOptions {

  private static final long DEFAULT_BYTES = 1 << 20;

  @Option(
      names = {"-c", "--count"},
      paramLabel = "<n>",
      converter = Sizes.Converter.class,
      description =
          "The number of elements, as the operation counts them: a rank's vector, or one rank's"
              + " block of all-gather, reduce-scatter, all-to-all, gather and scatter. K, M and G"
              + " are powers of 1024; KB, MB and GB are powers of 1000.")
  private @Nullable Long count;

  @Option(
      names = {"-b", "--bytes"},
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description =
          "The bytes of the full vector of one rank, as in nccl-tests, instead of --count."
              + " Default: 1M.")
  private @Nullable Long bytes;

  /** The count for an operation. */
  long count(OperationName name, DataType type, int ranks) {
    CallSelection.require(name.hasData() || count == null, "--count", name);
    CallSelection.require(name.hasData() || bytes == null, "--bytes", name);
    if (count != null && bytes != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--count and --bytes exclude each other. Actual: --count %d, --bytes %d",
          count,
          bytes);
    }
    if (!name.hasData()) {
      return 0;
    }
    if (count != null) {
      return count;
    }
    return bytes == null
        ? rounded(name, type, ranks, DEFAULT_BYTES)
        : exact(name, type, ranks, bytes);
  }

  /** The largest count within a number of bytes, but at least 1. */
  public static long rounded(OperationName name, DataType type, int ranks, long bytes) {
    return Math.max(1, bytes / unit(name, type, ranks));
  }

  /** The count for a number of bytes, which must be a multiple of the bytes for a count of 1. */
  public static long exact(OperationName name, DataType type, int ranks, long bytes) {
    long unit = unit(name, type, ranks);
    if (bytes < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT, "--bytes must be 0 or more. Actual: %d", bytes);
    }
    if (bytes % unit != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "--bytes must be a multiple of %d: %s of %s%s. Actual: %d",
          unit,
          name.countsWholeVector() ? "one element" : ranks + " blocks of one element",
          type,
          name.countsWholeVector() ? "" : ", one for each rank",
          bytes);
    }
    return bytes / unit;
  }

  /** The bytes of the vector for a count of 1. */
  private static long unit(OperationName name, DataType type, int ranks) {
    return name.countsWholeVector() ? type.size() : (long) type.size() * ranks;
  }
}
