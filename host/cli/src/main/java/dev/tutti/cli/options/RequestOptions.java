package dev.tutti.cli.options;

import dev.tutti.sdk.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One request: an operation, its group, its size and how it is run. */
public final class RequestOptions {

  /** The forms of a {@link RequestTarget}, for help texts. */
  public static final String TARGETS =
      "allreduce, broadcast, send, …; one algorithm of it: allreduce/ring; or an algorithm: ring.";

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      description = RequestOptions.TARGETS)
  private RequestTarget target = RequestTarget.ALL_REDUCE;

  @Mixin private final RequestShape shape = new RequestShape();

  /** What the request is for. */
  public RequestTarget target() {
    return target;
  }

  /**
   * Refuses what does not go together, as far as it is known before the plugins are.
   *
   * @param ofJob the number of ranks of the job that this process is one of; 0 if it is of none
   */
  public void check(int ofJob) {
    if (target.known() != null) {
      OperationSpec _ = shape.spec(target.known(), ofJob);
    }
  }

  /** The ranks in a job of so many; 0 for none. */
  public Topology topology(int ofJob) {
    return shape.topology(ofJob);
  }

  /** All of it, checked, in a job of so many ranks; 0 for none. */
  public OperationSpec spec(RequestName name, int ofJob) {
    return shape.spec(name, ofJob);
  }

  /** Whether a topology says how many ranks there are. */
  public boolean isShaped() {
    return shape.isShaped();
  }
}
