package dev.tutti.cli.options;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One request: an operation, its group, its size and how it is run. */
public final class RequestOptions {

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      description = "allreduce, broadcast, send, …, or one algorithm of it: allreduce/ring.")
  private RequestName name = RequestName.ALL_REDUCE;

  @Mixin private final RequestShape shape = new RequestShape();

  /** All of it, checked. */
  public OperationSpec spec() {
    return shape.spec(name);
  }

  /** The same in a job of so many ranks; 0 for none. */
  public OperationSpec spec(int ofJob) {
    return shape.spec(name, ofJob);
  }

  /** Whether a topology says how many ranks there are. */
  public boolean isShaped() {
    return shape.isShaped();
  }
}
