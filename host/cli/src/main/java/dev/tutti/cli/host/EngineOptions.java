package dev.tutti.cli.host;

import dev.tutti.cli.options.Sizes;
import dev.tutti.engine.EngineConfig;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.pool.rules.Rules;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The limits of the engine and the plugins, and the choice of algorithms. */
public final class EngineOptions {

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      description = "Threads of the engine, including the calling one. Default: one per processor.")
  private @Nullable Integer workers;

  @Option(
      names = "--ccl-buffer",
      paramLabel = "<size>",
      converter = Sizes.Converter.class,
      description = "Bytes of each rank's two staging buffers. Default: 4M.")
  private @Nullable Long cclBufferSize;

  @Option(
      names = "--planning-limit",
      paramLabel = "<time>",
      description =
          "The longest time a plugin may take to plan: 500ms, 2m, or 10 for seconds. Default: 10s.")
  private @Nullable Duration planningLimit;

  @Option(
      names = "--rules",
      paramLabel = "<file>",
      description =
          "The file with rules and measurements for choosing algorithms; see 'tutti tune'.")
  private @Nullable Path rules;

  @Option(
      names = "--machine",
      paramLabel = "<file>",
      description =
          "The file with the costs of this machine, for choosing algorithms; see 'tutti"
              + " tune --model'.")
  private @Nullable Path machine;

  @Option(
      names = "--network",
      paramLabel = "<file>",
      description =
          "The file with the costs of the network between nodes, for choosing algorithms; see"
              + " docs/simulator.md. Default: the network cards of this machine, for a job on several"
              + " machines; else a card of 200 Gbit/s in each node.")
  private @Nullable Path network;

  /** The configuration of the requested engine, without its memory. */
  EngineConfig config() {
    EngineConfig usual = EngineConfig.defaults();
    return workers == null ? usual : usual.withWorkers(workers);
  }

  boolean areGiven() {
    return rules != null
        || machine != null
        || network != null
        || workers != null
        || cclBufferSize != null
        || planningLimit != null;
  }

  public void applyTo(ContextBuilder builder) {
    if (rules != null) {
      builder.rules(Rules.read(rules));
    }
    if (machine != null) {
      builder.machine(machine);
    }
    if (network != null) {
      builder.network(network);
    }
    if (planningLimit != null) {
      builder.planningLimit(planningLimit);
    }
    if (workers != null) {
      builder.workers(workers);
    }
    if (cclBufferSize != null) {
      builder.cclBufferSize(cclBufferSize);
    }
  }
}
