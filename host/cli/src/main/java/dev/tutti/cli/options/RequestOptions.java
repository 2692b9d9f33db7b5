package dev.tutti.cli.options;

import dev.tutti.host.call.Protocols;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The options of one request: an operation, its group, its size and its options. */
public final class RequestOptions {

  /** The forms of a {@link RequestTarget}, for help texts. */
  public static final String TARGETS =
      "allreduce, broadcast, send, …; one algorithm of it: allreduce/ring; or an algorithm: ring.";

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfTargets.class,
      description = RequestOptions.TARGETS)
  private RequestTarget target = RequestTarget.ALL_REDUCE;

  @Mixin private final RequestShape shape = new RequestShape();

  /** Registers the converters for the values of these options. */
  public static CommandLine register(CommandLine parser) {
    return parser
        .registerConverter(RequestTarget.class, RequestTarget::of)
        .registerConverter(DataType.class, DataTypeName::of)
        .registerConverter(Reduction.class, Reduction::fromLabel)
        .registerConverter(WorkflowMode.class, WorkflowMode::fromLabel)
        .registerConverter(Protocols.class, Protocols::parse)
        .registerConverter(Determinism.class, Determinism::fromLabel)
        .registerConverter(Topology.class, new Topologies())
        .registerConverter(Duration.class, new Durations());
  }

  /** The target of the request. */
  public RequestTarget target() {
    return target;
  }

  /**
   * Refuses conflicting options, as far as the conflicts are known before the plugins are loaded.
   *
   * @param ofJob the number of ranks of this process's job; 0 if there is none
   */
  public void check(int ofJob) {
    if (target.known() != null) {
      OperationSpec _ = shape.spec(target.known(), ofJob);
    }
  }

  /** The topology in a job with a number of ranks; 0 for none. */
  public Topology topology(int ofJob) {
    return shape.topology(ofJob);
  }

  /**
   * The request as words that {@link RequestWords} reads.
   *
   * @param spec the specification of these options, as it was planned
   */
  public String words(OperationSpec spec) {
    return RequestWords.of(spec, shape.count(spec));
  }

  /** The longest time of one run; null for the default. */
  public @Nullable Duration deadline() {
    return shape.deadline();
  }

  /** The whole specification, checked, in a job with a number of ranks; 0 for none. */
  public OperationSpec spec(RequestName name, int ofJob) {
    return shape.spec(name, ofJob);
  }

  /** Whether a topology gives the number of ranks. */
  public boolean isShaped() {
    return shape.isShaped();
  }
}
