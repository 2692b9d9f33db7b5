package dev.tutti.host.call;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.CommPlane;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for running an operation. They are the same on every rank, except for the deadline and
 * whether buffers may be longer. Immutable.
 *
 * @param algorithm the algorithm's name, {@code "ring"} or qualified {@code "plugin-id:ring"}, or
 *     null for the best one that supports the request
 * @param parameters values for the algorithm's parameters
 * @param mode how ranks reach the callers' buffers, or null to choose by the buffers of all ranks
 * @param protocols how bytes cross links
 * @param determinism the required reproducibility, or null for the context's default
 * @param deadline the longest time of a run, or null for the context's default
 * @param tag the caller's name for the operation, used in messages; may be empty
 * @param inputLayout the positions of the elements of each rank's input in its buffer
 * @param outputLayout the positions of the elements of each rank's output in its buffer
 * @param averages whether a sum is divided by the number of ranks. Integer sums wrap around and the
 *     quotient is rounded towards zero, as in NCCL; float sums are rounded before the division
 * @param allowsLongerBuffers whether a buffer may be longer than needed if the count of a rank's
 *     call follows from its buffers. If not, a longer buffer is refused, because it is usually a
 *     mistake. With explicit counts, and in requests of a whole group, buffers may always be longer
 */
public record CallOptions(
    @Nullable String algorithm,
    AlgOptions parameters,
    @Nullable WorkflowMode mode,
    Protocols protocols,
    @Nullable Determinism determinism,
    @Nullable Duration deadline,
    String tag,
    Layout inputLayout,
    Layout outputLayout,
    boolean averages,
    boolean allowsLongerBuffers) {

  private static final CallOptions DEFAULTS =
      new CallOptions(
          null,
          AlgOptions.none(),
          null,
          Protocols.DIRECT,
          null,
          null,
          "",
          Layout.contiguous(),
          Layout.contiguous(),
          false,
          false);

  /**
   * Checks the deadline.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public CallOptions {
    Arguments.require(parameters, "parameters");
    Arguments.require(protocols, "protocols");
    Arguments.require(tag, "tag");
    Arguments.require(inputLayout, "inputLayout");
    Arguments.require(outputLayout, "outputLayout");
    if (deadline != null) {
      Deadlines.check(deadline);
    }
  }

  /**
   * The best algorithm, the mode that suits the buffers, direct links, and the context's defaults.
   */
  public static CallOptions defaults() {
    return DEFAULTS;
  }

  /** The same with an algorithm; null means the best one. */
  public CallOptions withAlgorithm(@Nullable String name) {
    return with(draft -> draft.algorithm = name);
  }

  /** The same with values for the algorithm's parameters. */
  public CallOptions withParameters(AlgOptions values) {
    Arguments.require(values, "values");
    return with(draft -> draft.parameters = values);
  }

  /** The same with another workflow mode; null chooses the mode by the buffers. */
  public CallOptions withMode(@Nullable WorkflowMode newMode) {
    return with(draft -> draft.mode = newMode);
  }

  /** The name of the workflow mode, for messages. */
  public String modeLabel() {
    return mode == null ? "chosen by the buffers" : mode.label();
  }

  /** The same with another protocol in all planes. */
  public CallOptions withProtocol(Protocol newProtocol) {
    Arguments.require(newProtocol, "newProtocol");
    return withProtocols(Protocols.of(newProtocol));
  }

  /** The same with another protocol in one plane. */
  public CallOptions withProtocol(CommPlane plane, Protocol newProtocol) {
    Arguments.require(plane, "plane");
    Arguments.require(newProtocol, "newProtocol");
    return withProtocols(protocols.with(plane, newProtocol));
  }

  /** The same with other protocols. */
  public CallOptions withProtocols(Protocols newProtocols) {
    Arguments.require(newProtocols, "newProtocols");
    return with(draft -> draft.protocols = newProtocols);
  }

  /** The same with another required reproducibility. */
  public CallOptions withDeterminism(@Nullable Determinism least) {
    return with(draft -> draft.determinism = least);
  }

  /** The same with another deadline. */
  public CallOptions withDeadline(@Nullable Duration longest) {
    return with(draft -> draft.deadline = longest);
  }

  /** The same with another tag. */
  public CallOptions withTag(String newTag) {
    Arguments.require(newTag, "newTag");
    return with(draft -> draft.tag = newTag);
  }

  /** The same with layouts of each rank's input and output. */
  public CallOptions withLayouts(Layout input, Layout output) {
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    return with(
        draft -> {
          draft.inputLayout = input;
          draft.outputLayout = output;
        });
  }

  /**
   * The same, but the sum of an all-reduce, reduce or reduce-scatter is divided by the number of
   * ranks, or is not.
   */
  public CallOptions withAverage(boolean isWanted) {
    return with(draft -> draft.averages = isWanted);
  }

  /** The same with another value of {@code allowsLongerBuffers}. */
  public CallOptions withLongerBuffers(boolean areAllowed) {
    return with(draft -> draft.allowsLongerBuffers = areAllowed);
  }

  /** The options that must be the same on all ranks. */
  public CallOptions ofAllRanks() {
    return with(
        draft -> {
          draft.deadline = null;
          draft.allowsLongerBuffers = false;
        });
  }

  private CallOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.made();
  }

  /** Options that can still be changed. */
  private static final class Draft {
    private @Nullable String algorithm;
    private AlgOptions parameters;
    private @Nullable WorkflowMode mode;
    private Protocols protocols;
    private @Nullable Determinism determinism;
    private @Nullable Duration deadline;
    private String tag;
    private Layout inputLayout;
    private Layout outputLayout;
    private boolean averages;
    private boolean allowsLongerBuffers;

    Draft(CallOptions from) {
      algorithm = from.algorithm;
      parameters = from.parameters;
      mode = from.mode;
      protocols = from.protocols;
      determinism = from.determinism;
      deadline = from.deadline;
      tag = from.tag;
      inputLayout = from.inputLayout;
      outputLayout = from.outputLayout;
      averages = from.averages;
      allowsLongerBuffers = from.allowsLongerBuffers;
    }

    CallOptions made() {
      return new CallOptions(
          algorithm,
          parameters,
          mode,
          protocols,
          determinism,
          deadline,
          tag,
          inputLayout,
          outputLayout,
          averages,
          allowsLongerBuffers);
    }
  }
}
