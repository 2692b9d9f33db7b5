package dev.tutti.sdk.param;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;

/**
 * Barrier: no rank leaves before every rank has entered. It has no data.
 *
 * @param comm the group, and this rank in it
 * @param tag the caller's name for this operation; may be empty
 * @param options values for the algorithm's parameters
 */
public record BarrierParam(CommInfo comm, String tag, AlgOptions options) implements OpParam {
  /** Checks that nothing is null. */
  public BarrierParam {
    Arguments.require(comm, "comm");
    Arguments.require(tag, "tag");
    Arguments.require(options, "options");
  }

  /** The same with an empty tag and no options. */
  public BarrierParam(CommInfo comm) {
    this(comm, "", AlgOptions.none());
  }

  @Override
  public BarrierParam withComm(CommInfo newComm) {
    Arguments.require(newComm, "newComm");
    return new BarrierParam(newComm, tag, options);
  }

  @Override
  public BarrierParam withOptions(AlgOptions newOptions) {
    Arguments.require(newOptions, "newOptions");
    return new BarrierParam(comm, tag, newOptions);
  }

  @Override
  public Operation operation() {
    return Operation.BARRIER;
  }

  @Override
  public long inputBytes() {
    return 0;
  }

  @Override
  public long outputBytes() {
    return 0;
  }

  @Override
  public long messageBytes() {
    return 0;
  }
}
