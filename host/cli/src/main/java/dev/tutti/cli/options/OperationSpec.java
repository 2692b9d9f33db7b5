package dev.tutti.cli.options;

import dev.tutti.host.Group;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.topology.Topology;

/**
 * An operation that a command requests from a group.
 *
 * @param name the operation
 * @param topology the group
 * @param call the operation with its counts
 * @param options its options
 * @param isInPlace whether input and output are the same memory
 */
public record OperationSpec(
    OperationName name,
    Topology topology,
    CollectiveCall call,
    CallOptions options,
    boolean isInPlace) {

  /** The same with another topology. */
  public OperationSpec at(Topology other) {
    return new OperationSpec(name, other, call, options, isInPlace);
  }

  /** The same with other options. */
  public OperationSpec with(CallOptions newOptions) {
    return new OperationSpec(name, topology, call, newOptions, isInPlace);
  }

  /** A request without buffers. */
  public RequestBuilder request(Group group) {
    return group.request(call).options(options).inPlace(isInPlace);
  }
}
