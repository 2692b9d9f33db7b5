package dev.tutti.cli.serve;

import dev.tutti.cli.control.RefusedClients;
import dev.tutti.cli.host.LiveHost;
import dev.tutti.cli.host.Load;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.host.Group;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.plugin.PluginStatus;
import java.util.List;

/** The counters of a host that serves, as metrics. Names and labels are a stable interface. */
final class HostMetrics {

  private static final double NANOS = 1e9;

  private HostMetrics() {}

  /** The current metrics. */
  static OpenMetrics of(LiveHost host) {
    OpenMetrics metrics = new OpenMetrics();
    metrics
        .info("tutti_build", "The version of Tutti.")
        .value(1, "version", TuttiVersion.number(), "jdk", Runtime.version().toString());
    addProcess(metrics, host);
    metrics
        .gauge("tutti_algorithms", "Algorithms that can be chosen.")
        .value(host.context().planPool().algorithms().size());
    metrics.gauge("tutti_groups", "Groups that are open.").value(host.context().groups().size());
    addPlugins(metrics, host.plugins().list());
    addUse(metrics, host.context().algorithmUse());
    addPlans(
        metrics,
        host.context().groups().stream()
            .map(Group::planCache)
            .reduce(PlanCacheStats.NONE, PlanCacheStats::plus));
    Load load = host.load();
    if (load != null) {
      addLoad(metrics, load.counts());
    }
    metrics
        .counter("tutti_refused_clients", "Clients of the control socket that the host refused.")
        .value(host.refused().summary().map(RefusedClients.Summary::count).orElse(0L));
    return metrics;
  }

  private static void addProcess(OpenMetrics metrics, LiveHost host) {
    ProcessFacts process = ProcessFacts.now();
    metrics
        .gauge("process_start_time_seconds", "When the host started, in seconds since 1970.")
        .value(host.start().toEpochMilli() / 1e3);
    metrics.gauge("tutti_heap_bytes", "Used heap.").value(process.heapBytes());
    metrics.gauge("tutti_heap_max_bytes", "The heap limit.").value(process.maxHeapBytes());
    metrics.gauge("tutti_threads", "Live threads.").value(process.threads());
    metrics.gauge("tutti_loaded_classes", "Loaded classes.").value(process.loadedClasses());
  }

  private static void addPlugins(OpenMetrics metrics, List<PluginStatus> plugins) {
    metrics.gauge("tutti_plugins", "Versions of plugins by state.");
    for (PluginStatus.State state : PluginStatus.State.values()) {
      metrics.value(
          plugins.stream().filter(each -> each.state() == state).count(), "state", state.label());
    }
    metrics.gauge("tutti_plugin_serving", "1 for each version of a plugin that serves.");
    plugins.stream()
        .filter(each -> each.state() == PluginStatus.State.SERVING)
        .forEach(each -> metrics.value(1, "plugin", each.id(), "version", each.version()));
  }

  private static void addUse(OpenMetrics metrics, List<AlgorithmUse> use) {
    metrics.counter("tutti_runs", "Complete runs.");
    use.forEach(each -> metrics.value(each.calls(), labels(each)));
    metrics.counter("tutti_run_bytes", "Bytes of one rank's messages of these runs.");
    use.forEach(each -> metrics.value(each.bytes(), labels(each)));
    metrics.counter("tutti_run_seconds", "Time of these runs; 0 without the flight record.");
    use.forEach(each -> metrics.value(each.nanos() / NANOS, labels(each)));
    metrics.counter(
        "tutti_rank_wait_seconds",
        "Time that calls of ranks waited for the last rank; 0 without the flight record.");
    use.forEach(each -> metrics.value(each.waitedNanos() / NANOS, labels(each)));
    metrics.counter("tutti_run_failures", "Runs that failed or missed their deadline.");
    use.forEach(each -> metrics.value(each.failures(), labels(each)));
  }

  private static String[] labels(AlgorithmUse use) {
    return new String[] {"operation", use.operation(), "algorithm", use.algorithm()};
  }

  private static void addPlans(OpenMetrics metrics, PlanCacheStats plans) {
    metrics.gauge("tutti_plans", "Plans that open groups keep.").value(plans.plans());
    metrics.gauge("tutti_plan_bytes", "The approximate heap of these plans.").value(plans.bytes());
  }

  private static void addLoad(OpenMetrics metrics, Load.Counts load) {
    metrics.counter("tutti_load_runs", "Runs of the load.").value(load.runs());
    metrics
        .counter("tutti_load_verified", "Runs of the load whose results were compared.")
        .value(load.verified());
    metrics
        .counter("tutti_load_wrong", "Runs of the load with a wrong result.")
        .value(load.wrong());
    metrics.counter("tutti_load_failures", "Runs of the load that failed.").value(load.failures());
  }
}
