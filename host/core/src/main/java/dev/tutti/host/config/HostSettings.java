package dev.tutti.host.config;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values a context was configured with.
 *
 * @param cclBufferSize bytes of each staging buffer
 * @param deadline the longest time of a run
 * @param determinism the required reproducibility
 * @param planningLimit the longest time for an executor to answer or to plan
 * @param sourceLinesUpTo the largest group whose plans keep source lines, in ranks
 * @param machine the machine model that chooses algorithms
 * @param machineOrigin the source of the machine model, in words
 * @param network the model of the network between nodes, which chooses algorithms for groups of
 *     several nodes
 * @param networkOrigin the source of the network model, in words
 * @param rules the rules and measurements that choose algorithms
 * @param profile which runs are traced; null if no runs are
 * @param observer observes the operations; null if there is none
 */
public record HostSettings(
    long cclBufferSize,
    Duration deadline,
    Determinism determinism,
    Duration planningLimit,
    int sourceLinesUpTo,
    MachineModel machine,
    String machineOrigin,
    NetworkModel network,
    String networkOrigin,
    Rules rules,
    @Nullable ProfileSettings profile,
    @Nullable OperationObserver observer) {

  /** The source of the models that nobody has given. */
  static final String BUILT_IN = "built in";

  public static final HostSettings DEFAULTS =
      new HostSettings(
          CommInfo.DEFAULT_CCL_BUFFER_SIZE,
          Duration.ofSeconds(30),
          Determinism.NONE,
          Duration.ofSeconds(10),
          64,
          MachineModel.defaults(),
          BUILT_IN,
          NetworkModel.cluster(),
          BUILT_IN,
          Rules.none(),
          null,
          null);

  /** Checks the ranges. */
  public HostSettings {
    if (cclBufferSize < CommInfo.MIN_CCL_BUFFER_SIZE) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "CCL buffer size must be at least %d bytes. Actual: %d",
          CommInfo.MIN_CCL_BUFFER_SIZE,
          cclBufferSize);
    }
    Deadlines.check(deadline);
    Deadlines.check(planningLimit);
    if (sourceLinesUpTo < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "sourceLinesUpTo must be 0 or more ranks. Actual: %d",
          sourceLinesUpTo);
    }
  }

  /**
   * These settings with some values changed.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if one is out of range
   */
  public HostSettings with(Consumer<Values> change) {
    Values values = new Values(this);
    change.accept(values);
    return values.settings();
  }

  /**
   * The settings of a process of a job. If its ranks are on several machines, and no network model
   * was given, the network cards of this machine are the model.
   *
   * @param topology has a node for each machine of the job; empty if it has only one
   */
  public HostSettings onMachines(Optional<Topology> topology) {
    return topology.isPresent() && networkOrigin.equals(BUILT_IN)
        ? NetworkCards.found()
            .map(cards -> withNetwork(cards.model(), cards.toString()))
            .orElse(this)
        : this;
  }

  /** The same with a machine model, and the source of the model in words. */
  public HostSettings withMachine(MachineModel model, String origin) {
    return with(
        values -> {
          values.machine = model;
          values.machineOrigin = origin;
        });
  }

  /** The same with a network model, and the source of the model in words. */
  public HostSettings withNetwork(NetworkModel model, String origin) {
    return with(
        values -> {
          values.network = model;
          values.networkOrigin = origin;
        });
  }

  /** The longest time of a run of a call. */
  public long deadlineNanos(CallOptions options) {
    return Deadlines.nanos(options.deadline() == null ? deadline : options.deadline());
  }

  /** Settings that can be changed; they are not checked yet. */
  public static final class Values {

    public long cclBufferSize;
    public Duration deadline;
    public Determinism determinism;
    public Duration planningLimit;
    public int sourceLinesUpTo;
    public MachineModel machine;
    public String machineOrigin;
    public NetworkModel network;
    public String networkOrigin;
    public Rules rules;
    public @Nullable ProfileSettings profile;
    public @Nullable OperationObserver observer;

    private Values(HostSettings settings) {
      cclBufferSize = settings.cclBufferSize;
      deadline = settings.deadline;
      determinism = settings.determinism;
      planningLimit = settings.planningLimit;
      sourceLinesUpTo = settings.sourceLinesUpTo;
      machine = settings.machine;
      machineOrigin = settings.machineOrigin;
      network = settings.network;
      networkOrigin = settings.networkOrigin;
      rules = settings.rules;
      profile = settings.profile;
      observer = settings.observer;
    }

    private HostSettings settings() {
      return new HostSettings(
          cclBufferSize,
          deadline,
          determinism,
          planningLimit,
          sourceLinesUpTo,
          machine,
          machineOrigin,
          network,
          networkOrigin,
          rules,
          profile,
          observer);
    }
  }
}
