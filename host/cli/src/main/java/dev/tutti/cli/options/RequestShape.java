package dev.tutti.cli.options;

import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One request except its operation: its group, its size and its options. */
public final class RequestShape {

  @Mixin private final GroupOptions group = new GroupOptions();
  @Mixin private final SizeOptions size = new SizeOptions();
  @Mixin private final CallSelection selection = new CallSelection();

  @Option(names = "--in-place", description = "Uses the same memory for input and output.")
  private boolean isInPlace;

  /** The elements as the operation counts them. */
  long count(OperationSpec spec) {
    return size.count(spec.name(), selection.type(), spec.topology().rankSize());
  }

  /** The longest time of one run; null for the default. */
  @Nullable Duration deadline() {
    return selection.deadline();
  }

  /** The whole specification for an operation, checked. */
  public OperationSpec spec(RequestName name) {
    return spec(name, 0);
  }

  /** The number of ranks. */
  public int ranks() {
    return group.topology().rankSize();
  }

  /** The topology in a job with a number of ranks; 0 for none. */
  public Topology topology(int ofJob) {
    return group.topology(ofJob);
  }

  /** Whether a topology gives the number of ranks. */
  public boolean isShaped() {
    return group.isShaped();
  }

  /** The same in a job with a number of ranks; 0 for none. */
  public OperationSpec spec(RequestName name, int ofJob) {
    OperationName operation = name.operation();
    selection.check(operation);
    CallSelection.require(operation.canBeInPlace() || !isInPlace, "--in-place", operation);
    Topology topology = group.topology(ofJob);
    long count = size.count(operation, selection.type(), topology.rankSize());
    return selection.spec(name, topology, count, isInPlace);
  }
}
