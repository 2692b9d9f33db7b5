package dev.tutti.host.cli;

import dev.tutti.host.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the plugins are and what the engine may use. */
final class HostOptions {

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description = "A directory of plugin jars; may be given several times. Default: Tutti's own.")
  private List<Path> plugins = new ArrayList<>();

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      description = "Threads of the engine, the calling one included. Default: one per processor.")
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
          "The longest a plugin may take to plan: 500ms, 2m, or 10 for seconds. Default: 10s.")
  private @Nullable Duration planningLimit;

  /** Loads the plugins and starts the engine; problems with plugins go to {@code terminal.err}. */
  Context open(Hosts hosts, Terminal terminal) {
    Context.Builder builder = hosts.builder(plugins);
    if (planningLimit != null) {
      builder.planningLimit(planningLimit);
    }
    if (workers != null) {
      builder.workers(workers);
    }
    if (cclBufferSize != null) {
      builder.cclBufferSize(cclBufferSize);
    }
    Context context = builder.open();
    context
        .plugins()
        .problems()
        .forEach(problem -> terminal.err().println("tutti: plugin problem: " + problem));
    return context;
  }
}
