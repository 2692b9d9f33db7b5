package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;

/**
 * What a process of a job reports about itself.
 *
 * @param start the start of its JVM
 * @param heapBytes used heap
 * @param threads live threads
 * @param plugins the plugins that it serves
 * @param groups the activity of its groups, in the order in which they were made. If ranks of a
 *     group are in several processes, each process reports the activity of its own ranks
 */
public record ProcessReport(
    Instant start,
    long heapBytes,
    int threads,
    List<ServedPlugin> plugins,
    List<GroupStatus> groups) {

  /**
   * A plugin that a process serves.
   *
   * @param id its stable name
   * @param version its version
   * @param algorithms the number of its algorithms
   */
  public record ServedPlugin(String id, String version, int algorithms) {

    /** Checks the texts. */
    public ServedPlugin {
      Arguments.require(id, "id");
      Arguments.require(version, "version");
    }
  }

  /** Takes immutable copies. */
  public ProcessReport {
    Arguments.require(start, "start");
    Arguments.require(plugins, "plugins");
    Arguments.require(groups, "groups");
    plugins = List.copyOf(plugins);
    groups = List.copyOf(groups);
  }

  /** The report of this process, with its plugins and groups. */
  public static ProcessReport here(List<ServedPlugin> plugins, List<GroupStatus> groups) {
    return new ProcessReport(
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        plugins,
        groups);
  }
}
