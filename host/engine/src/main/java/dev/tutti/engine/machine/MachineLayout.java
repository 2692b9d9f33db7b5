package dev.tutti.engine.machine;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The processors that this process may use, and what they share: cores, last-level caches, memory
 * domains (NUMA nodes). Linux reports this below {@code /sys/devices/system}. Without that report,
 * all processors share everything. Immutable.
 *
 * @param processors in the order of their numbers
 * @param caches the data caches of the first processor, level by level
 */
public record MachineLayout(List<Processor> processors, List<Cache> caches) {

  private static final Path SYSTEM = Path.of("/sys/devices/system");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final int UNKNOWN = 0;

  /**
   * A processor.
   *
   * @param number its number in the operating system
   * @param core the first processor of its core
   * @param cache the first processor that shares its last-level cache
   * @param domain its memory domain
   */
  public record Processor(int number, int core, int cache, int domain) {}

  /**
   * A cache.
   *
   * @param level 1 for the one nearest to the processor
   * @param bytes its size
   * @param processors how many processors share it
   */
  public record Cache(int level, long bytes, int processors) {}

  /** Copies the lists. */
  public MachineLayout {
    Arguments.require(processors, "processors");
    Arguments.require(caches, "caches");
    processors = List.copyOf(processors);
    caches = List.copyOf(caches);
  }

  /** The layout of this machine. */
  public static MachineLayout found() {
    return read(SYSTEM, STATUS, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Reads the layout that Linux reports.
   *
   * @param system the directory that describes the processors
   * @param status the file that lists the processors that this process may use
   * @param available the number of processors, if Linux reports no layout
   */
  static MachineLayout read(Path system, Path status, int available) {
    try {
      SortedSet<Integer> allowed = allowed(status);
      Map<Integer, Integer> domains = domains(system.resolve("node"));
      List<Processor> found = new ArrayList<>();
      for (int number : allowed) {
        Path processor = system.resolve("cpu").resolve("cpu" + number);
        if (Files.isDirectory(processor.resolve("topology"))) {
          int core = first(processor.resolve("topology/thread_siblings_list"));
          List<Path> caches = caches(processor);
          int cache =
              caches.isEmpty() ? UNKNOWN : first(caches.getLast().resolve("shared_cpu_list"));
          found.add(new Processor(number, core, cache, domains.getOrDefault(number, UNKNOWN)));
        }
      }
      if (!found.isEmpty()) {
        Path first = system.resolve("cpu").resolve("cpu" + found.getFirst().number());
        List<Cache> levels = new ArrayList<>();
        for (Path cache : caches(first)) {
          levels.add(
              new Cache(
                  Integer.parseInt(text(cache.resolve("level"))),
                  bytes(text(cache.resolve("size"))),
                  numbers(text(cache.resolve("shared_cpu_list"))).size()));
        }
        return new MachineLayout(found, levels);
      }
    } catch (IOException | IllegalArgumentException e) {
      // Another system, or a container that hides these files.
    }
    return alike(available);
  }

  private static MachineLayout alike(int available) {
    List<Processor> processors = new ArrayList<>();
    for (int number = 0; number < available; number++) {
      processors.add(new Processor(number, number, UNKNOWN, UNKNOWN));
    }
    return new MachineLayout(processors, List.of());
  }

  private static SortedSet<Integer> allowed(Path status) throws IOException {
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(ALLOWED)) {
        return numbers(line.substring(ALLOWED.length()).strip());
      }
    }
    throw new IOException("nothing is said about processors");
  }

  private static Map<Integer, Integer> domains(Path nodes) throws IOException {
    Map<Integer, Integer> domains = new TreeMap<>();
    if (Files.isReadable(nodes.resolve("online"))) {
      for (int node : numbers(text(nodes.resolve("online")))) {
        for (int each : numbers(text(nodes.resolve("node" + node).resolve("cpulist")))) {
          domains.put(each, node);
        }
      }
    }
    return domains;
  }

  /** The caches that hold data, the nearest first. */
  private static List<Path> caches(Path processor) throws IOException {
    SortedMap<Integer, Path> byLevel = new TreeMap<>();
    for (int index = 0; Files.isDirectory(processor.resolve("cache/index" + index)); index++) {
      Path cache = processor.resolve("cache/index" + index);
      if (!text(cache.resolve("type")).equals("Instruction")) {
        byLevel.put(Integer.parseInt(text(cache.resolve("level"))), cache);
      }
    }
    return List.copyOf(byLevel.values());
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  private static int first(Path file) throws IOException {
    SortedSet<Integer> numbers = numbers(text(file));
    if (numbers.isEmpty()) {
      throw new IOException(file + " is empty");
    }
    return numbers.first();
  }

  /** Numbers such as {@code 0-3,8}; none for an empty text. */
  private static SortedSet<Integer> numbers(String text) {
    SortedSet<Integer> numbers = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      if (!part.isBlank()) {
        int dash = part.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? part.strip() : part.substring(0, dash).strip());
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1).strip());
        for (int number = first; number <= last; number++) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }

  private static long bytes(String text) {
    int shift = text.endsWith("K") ? 10 : text.endsWith("M") ? 20 : 0;
    return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
  }

  /** The number of cores. */
  public int cores() {
    return (int) processors.stream().map(Processor::core).distinct().count();
  }

  /** The number of memory domains. */
  public int domains() {
    return (int) processors.stream().map(Processor::domain).distinct().count();
  }

  /** The number of last-level caches. */
  public int lastLevelCaches() {
    return (int) processors.stream().map(Processor::cache).distinct().count();
  }

  /**
   * The topology to assume for ranks: a node for each memory domain, or, if there is only one
   * domain, for each last-level cache. The nodes get blocks of ranks in proportion to their
   * processors.
   *
   * @param ranks 1 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if {@code ranks} is less than 1
   */
  public Topology topology(int ranks) {
    if (ranks < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "there must be one rank or more. Actual: %d", ranks);
    }
    boolean isByDomain = domains() > 1;
    SortedMap<Integer, Long> sizes =
        processors.stream()
            .collect(
                Collectors.groupingBy(
                    each -> isByDomain ? each.domain() : each.cache(),
                    TreeMap::new,
                    Collectors.counting()));
    List<Integer> nodes = new ArrayList<>();
    long before = 0;
    for (long size : sizes.values()) {
      long first = before * ranks / processors.size();
      before += size;
      int own = (int) (before * ranks / processors.size() - first);
      if (own > 0) {
        nodes.add(own);
      }
    }
    return Topology.nodes(nodes.stream().mapToInt(Integer::intValue).toArray());
  }

  /** In words: processors, cores, domains, caches. */
  @Override
  public String toString() {
    String levels =
        caches.stream()
            .map(
                each ->
                    Sentence.of(
                        ", L%d %d KiB for %d", each.level(), each.bytes() >> 10, each.processors()))
            .collect(Collectors.joining());
    return Sentence.of(
        "%d processors on %d cores, %d memory domains, %d last-level caches%s",
        processors.size(), cores(), domains(), lastLevelCaches(), levels);
  }
}
