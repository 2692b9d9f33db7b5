package dev.tutti.host.pool.rules;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measured times of algorithms on this machine. Immutable.
 *
 * <p>They were measured with float32 and sum on memory that all ranks reach, and stand for every
 * type and reduction: that changes times, and rarely which algorithm is the fastest.
 *
 * @param series one for each operation, number of ranks, algorithm and choice of parameters
 */
public record Profile(List<Series> series) {

  /** Nothing was measured. */
  public static final Profile EMPTY = new Profile(List.of());

  /** Takes an immutable copy. */
  public Profile {
    series = List.copyOf(series);
  }

  /** The measured time of an algorithm for a request, in seconds; empty if there is none. */
  public OptionalDouble seconds(OpParam param, Algorithm algorithm, AlgOptions parameters) {
    return series.stream()
        .filter(each -> isFor(each, param, algorithm) && each.parameters().equals(parameters))
        .mapToDouble(each -> each.seconds(param.messageBytes()))
        .findFirst();
  }

  /** The choices of parameters, beside the defaults, with which an algorithm was measured. */
  public List<AlgOptions> variants(OpParam param, Algorithm algorithm) {
    return series.stream()
        .filter(each -> isFor(each, param, algorithm))
        .map(Series::parameters)
        .filter(parameters -> !parameters.values().isEmpty())
        .toList();
  }

  private static boolean isFor(Series series, OpParam param, Algorithm algorithm) {
    CommInfo comm = param.comm();
    return series.isOf(algorithm)
        && series.ranks() == comm.rankSize()
        && series.inPlace() == param.inPlace()
        && comm.topology().nodeCount() == 1
        && comm.mode() == WorkflowMode.GRAPH
        && comm.protocol() == Protocol.DIRECT;
  }
}
