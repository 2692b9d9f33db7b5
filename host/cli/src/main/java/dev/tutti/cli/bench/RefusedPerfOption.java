package dev.tutti.cli.bench;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Optional;

/**
 * An option of nccl-tests that Tutti does not support.
 *
 * @param reason why Tutti does not support it
 */
record RefusedPerfOption(String shortName, String longName, String reason) {

  private static final String NOT_BACK_TO_BACK =
      "this command waits for each operation; 'tutti bench' also measures them back to back";

  private static final List<RefusedPerfOption> ALL =
      List.of(
          new RefusedPerfOption("-m", "--agg_iters", NOT_BACK_TO_BACK),
          new RefusedPerfOption("-z", "--blocking", NOT_BACK_TO_BACK),
          new RefusedPerfOption("-p", "--parallel_init", "ranks need no initialisation"),
          new RefusedPerfOption("-N", "--run_cycles", "start the command again for another cycle"),
          new RefusedPerfOption("-y", "--stream_null", "no CUDA stream is used"),
          new RefusedPerfOption("-G", "--cudagraph", "every operation is a compiled plan already"),
          new RefusedPerfOption("-C", "--report_cputime", "every time is processor time"),
          new RefusedPerfOption("-a", "--average", "a time is always that of the slowest rank"),
          new RefusedPerfOption(
              "-R",
              "--local_register",
              "buffers are registered; 'tutti bench --memory' has others"),
          new RefusedPerfOption("-x", "--cta_policy", "no GPU is used"),
          new RefusedPerfOption("-D", "--device_implementation", "no GPU is used"),
          new RefusedPerfOption("-V", "--device_cta_count", "no GPU is used"),
          new RefusedPerfOption("-M", "--memory", "no GPU is used"),
          new RefusedPerfOption("-S", "--report_timestamps", "rows have no timestamp"),
          new RefusedPerfOption("-J", "--output_file", "--csv writes a file for programs"));

  /** The error for an option as it was given, with or without its value. */
  static Optional<TuttiException> refusal(String given) {
    boolean isLong = given.startsWith("--");
    String name = isLong ? given.split("=", 2)[0] : given.substring(0, Math.min(2, given.length()));
    return ALL.stream()
        .filter(each -> name.equals(isLong ? each.longName : each.shortName))
        .findFirst()
        .map(
            each ->
                new TuttiException(
                    ErrorCode.UNSUPPORTED,
                    "%s (%s) of nccl-tests means nothing here: %s; leave it out",
                    each.shortName,
                    each.longName,
                    each.reason));
  }
}
