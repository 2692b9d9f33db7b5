package dev.tutti.cli.request;

import dev.tutti.cli.options.Sizes;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Refuses buffers that do not fit into the available memory, before the system starts to swap or to
 * kill processes.
 */
final class FreeMemory {

  private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
  private static final String AVAILABLE = "MemAvailable:";

  private FreeMemory() {}

  static void require(long bytes) {
    long available = available();
    if (bytes > available) {
      throw new TuttiException(
          ErrorCode.OUT_OF_MEMORY,
          "buffers need %s, but only %s of memory are free; use fewer ranks or a smaller size",
          Sizes.bytes(bytes),
          Sizes.bytes(available));
    }
  }

  /** The available memory; unlimited if the system does not report it. */
  private static long available() {
    if (!Files.isReadable(MEMORY_INFO)) {
      return Long.MAX_VALUE;
    }
    try (Stream<String> lines = Files.lines(MEMORY_INFO)) {
      return lines
          .filter(line -> line.startsWith(AVAILABLE))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    } catch (IOException | UncheckedIOException e) {
      return Long.MAX_VALUE;
    }
  }
}
