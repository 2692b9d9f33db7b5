package dev.tutti.engine.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The memory that the system has left for this process. */
final class AvailableMemory {

  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Path GROUP_LIMIT = Path.of("/sys/fs/cgroup/memory.max");
  private static final Path GROUP_USED = Path.of("/sys/fs/cgroup/memory.current");

  private AvailableMemory() {}

  /** The bytes that can be used without swapping, or {@link Long#MAX_VALUE} if not known. */
  static long bytes() {
    long ofMachine = Long.MAX_VALUE;
    for (String line : lines(MEMINFO)) {
      if (line.startsWith("MemAvailable:")) {
        ofMachine = kibibytes(line);
      }
    }
    long limit = firstNumber(GROUP_LIMIT);
    long used = firstNumber(GROUP_USED);
    long ofGroup =
        limit == Long.MAX_VALUE || used == Long.MAX_VALUE ? limit : Math.max(0, limit - used);
    return Math.min(ofMachine, ofGroup);
  }

  private static long kibibytes(String line) {
    long value = number(line.replaceAll("\\D", ""));
    return value == Long.MAX_VALUE ? value : value << 10;
  }

  private static long firstNumber(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? Long.MAX_VALUE : number(lines.getFirst().trim());
  }

  /** A number, or the largest one for anything else, such as {@code "max"}. */
  private static long number(String text) {
    return text.matches("\\d{1,15}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  /** The lines of a file; none if the system has no such file. */
  private static List<String> lines(Path file) {
    try {
      return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }
}
