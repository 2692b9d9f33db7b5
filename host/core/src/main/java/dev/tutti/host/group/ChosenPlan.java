package dev.tutti.host.group;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import org.jspecify.annotations.Nullable;

/**
 * The choice of one process for a call, in the form that it sends to the others, which then make
 * the same plan.
 *
 * @param algorithm the qualified name
 * @param version the version of the plugin
 * @param parameters the parameters of the plan
 * @param mode the mode in which the buffers are used
 * @param digest the digest of the plan
 */
public record ChosenPlan(
    String algorithm, String version, AlgOptions parameters, WorkflowMode mode, String digest) {

  public static ChosenPlan of(SelectedPlan planned) {
    Packing packing = planned.packing();
    return new ChosenPlan(
        planned.algorithm().qualifiedName(),
        planned.algorithm().version(),
        parameters(planned),
        planned.key().mode(),
        packing == null ? planned.plan().digest() : packing.composite().plan().digest());
  }

  /** The parameter values that a plan was made with. */
  private static AlgOptions parameters(SelectedPlan planned) {
    for (OpParam param : planned.params()) {
      if (param != null) {
        return param.options();
      }
    }
    return AlgOptions.none();
  }

  /** Adds the choice to a message. */
  public void write(BodyWriter body) {
    body.text(algorithm).text(version).texts(parameters.values()).text(mode.name()).text(digest);
  }

  /** Reads what {@link #write} has written. */
  public static ChosenPlan read(BodyReader body) {
    return new ChosenPlan(
        body.text(),
        body.text(),
        new AlgOptions(body.texts()),
        WorkflowMode.valueOf(body.text()),
        body.text());
  }

  /** The options with which other processes make the same plan. */
  public CallOptions options(CallOptions ofCall) {
    return ofCall.withAlgorithm(algorithm).withParameters(parameters).withMode(mode);
  }

  /**
   * Checks the plan of another process.
   *
   * @param planned the plan; null if there is no plan that leaves private buffers to their ranks
   * @param first the rank that has chosen
   * @param rank the rank that has planned
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH}
   */
  public void requireSame(@Nullable SelectedPlan planned, RankNames names, int first, int rank) {
    if (planned == null) {
      String none = "none that leaves buffers to their ranks";
      requireSame("plan of " + algorithm, digest, none, names, first, rank);
      return;
    }
    ChosenPlan own = of(planned);
    requireSame("version of " + algorithm, version, own.version, names, first, rank);
    requireSame("plan of " + algorithm, digest, own.digest, names, first, rank);
  }

  /** Checks any other result that the processes derive from the same choice. */
  public static void requireSame(
      String what, String expected, String actual, RankNames names, int first, int rank) {
    if (!expected.equals(actual)) {
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "all ranks must have the same %s, but %s differs from %s: expected %s, actual %s",
          what,
          names.name(rank),
          names.name(first),
          expected,
          actual);
    }
  }
}
