package dev.tutti.cli.options;

import picocli.CommandLine.Option;

/** The options of measurements and their output. */
public final class MeasurementOptions {

  @Option(
      names = "--memory",
      paramLabel = "<kind>",
      description = "The memory of the buffers: registered (default), native or heap.")
  private MemoryKind memory = MemoryKind.REGISTERED;

  @Option(
      names = "--no-verify",
      negatable = true,
      description = "Whether results are compared with independently computed ones. Default: yes.")
  private boolean isVerified = true;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "The seed of the input data. Default: ${DEFAULT-VALUE}.")
  private long seed = 42;

  @Option(names = "--json", description = "Prints one JSON object per measurement and line.")
  private boolean isJson;

  /** The options of a command. */
  public MeasurementOptions() {}

  /** The defaults, with or without a comparison of results. */
  public MeasurementOptions(boolean isVerified) {
    this.isVerified = isVerified;
  }

  public long seed() {
    return seed;
  }

  public boolean isJson() {
    return isJson;
  }

  public MemoryKind memory() {
    return memory;
  }

  public boolean isVerified() {
    return isVerified;
  }
}
