package dev.tutti.host;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.pool.Choice;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Builds a request of all ranks from a call, buffers and options. Not thread-safe.
 *
 * <pre>{@code
 * try (Request request =
 *     group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).algorithm("ring").build()) {
 *   for (int step = 0; step < steps; step++) {
 *     request.run();
 *   }
 * }
 * }</pre>
 */
public final class RequestBuilder {

  private final GroupPlans plans;
  private final GroupBindings bindings;
  private final CollectiveCall call;
  private CallOptions options = CallOptions.defaults();
  private boolean isInPlace;
  private @Nullable MemorySegment @Nullable [] inputs;
  private @Nullable MemorySegment @Nullable [] outputs;

  RequestBuilder(GroupPlans plans, GroupBindings bindings, CollectiveCall call) {
    this.plans = plans;
    this.bindings = bindings;
    this.call = call;
  }

  /**
   * The buffers of all ranks. An entry may be null if the operation has no data on that rank, and a
   * buffer may be larger than needed. Input and output of a rank may be the same memory for
   * all-reduce, scan and exclusive scan (on all ranks or on none), and on the root for reduce and
   * broadcast.
   *
   * @param inputs one entry per rank
   * @param outputs one entry per rank
   */
  public RequestBuilder buffers(
      @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Arguments.require(inputs, "inputs");
    Arguments.require(outputs, "outputs");
    this.inputs = inputs.clone();
    this.outputs = outputs.clone();
    return this;
  }

  /**
   * Whether {@link #plan} and {@link #explain} assume that input and output are the same memory.
   */
  public RequestBuilder inPlace(boolean isInPlace) {
    this.isInPlace = isInPlace;
    return this;
  }

  /** All options at once. */
  public RequestBuilder options(CallOptions options) {
    Arguments.require(options, "options");
    this.options = options;
    return this;
  }

  /** The algorithm by name, {@code "ring"} or {@code "plugin-id:ring"}; null chooses the best. */
  public RequestBuilder algorithm(@Nullable String name) {
    return options(options.withAlgorithm(name));
  }

  /** Values for the algorithm's parameters. */
  public RequestBuilder parameters(AlgOptions values) {
    Arguments.require(values, "values");
    return options(options.withParameters(values));
  }

  /** One more value for the algorithm's parameters. */
  public RequestBuilder parameter(String name, Object value) {
    Arguments.require(name, "name");
    Arguments.require(value, "value");
    return options(options.withParameters(options.parameters().with(name, value)));
  }

  /**
   * How ranks reach the buffers. By default, OP_BASE if a buffer is a large array and an algorithm
   * supports this mode, else GRAPH.
   */
  public RequestBuilder mode(WorkflowMode mode) {
    Arguments.require(mode, "mode");
    return options(options.withMode(mode));
  }

  /** How bytes cross the links of all planes; DIRECT unless set. */
  public RequestBuilder protocol(Protocol protocol) {
    Arguments.require(protocol, "protocol");
    return options(options.withProtocol(protocol));
  }

  /** How bytes cross the links of one plane. */
  public RequestBuilder protocol(CommPlane plane, Protocol protocol) {
    Arguments.require(plane, "plane");
    Arguments.require(protocol, "protocol");
    return options(options.withProtocol(plane, protocol));
  }

  /** The least reproducibility; the context's default unless set. */
  public RequestBuilder determinism(Determinism least) {
    Arguments.require(least, "least");
    return options(options.withDeterminism(least));
  }

  /** The longest time of a run; by default that of the context. */
  public RequestBuilder deadline(Duration longest) {
    Arguments.require(longest, "longest");
    return options(options.withDeadline(longest));
  }

  /**
   * The layouts of each rank's input and output in its buffer; contiguous by default. Buffers are
   * as large as the layouts span, but counts are still numbers of elements, so use {@link
   * Group#request} with explicit counts.
   */
  public RequestBuilder layouts(Layout input, Layout output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    return options(options.withLayouts(input, output));
  }

  /** The caller's name for the operation, used in messages. */
  public RequestBuilder tag(String tag) {
    Arguments.require(tag, "tag");
    return options(options.withTag(tag));
  }

  /**
   * Explains the choice of the algorithm, with the reason for each rejection. Needs no buffers. If
   * buffers are set, it also explains the mode in which the request runs.
   *
   * @throws dev.tutti.sdk.TuttiException with code UNKNOWN_NAME or PLUGIN_DUPLICATE if the
   *     requested name is not known or not unique, or with the code of a failed check of the call
   */
  public Choice explain() {
    return inputs == null || outputs == null
        ? plans.explain(call, options, isInPlace)
        : plans.explain(call, options, inputs, outputs);
  }

  /**
   * The plan that a request would run; needs no buffers.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link #build}
   */
  public GroupPlan plan() {
    return plans.plan(call, options, isInPlace);
  }

  /**
   * Checks everything, chooses the algorithm, compiles its plan and binds the buffers.
   *
   * @throws dev.tutti.sdk.TuttiException with the code of the check that failed: arguments and
   *     buffers (101 to 109), algorithms and plans (201 to 206), state (302, 303)
   */
  public Request build() {
    return new Request(bindings.build(call, options, inputs, outputs));
  }

  /** Builds, runs once and closes. */
  public void run() {
    try (Request request = build()) {
      request.run();
    }
  }
}
