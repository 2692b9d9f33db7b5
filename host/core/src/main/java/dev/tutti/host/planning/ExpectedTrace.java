package dev.tutti.host.planning;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.config.HostSettings;
import dev.tutti.plan.ActionRef;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Computes when each action of a plan should run, with the models that choose algorithms: the
 * machine model if the group is on one node, else the network model.
 */
public final class ExpectedTrace {

  private static final long PICOS_PER_NANO = 1000;

  private final List<RunTrace.Action> actions = new ArrayList<>();
  private final List<RunTrace.Wait> waits = new ArrayList<>();

  private ExpectedTrace() {}

  /** The trace that the models of the settings predict. */
  public static RunTrace of(SelectedPlan planned, Topology topology, HostSettings settings) {
    return topology.nodeCount() == 1
        ? planned.compiled().expected(settings.machine())
        : onNetwork(planned, settings.network().withTopology(topology));
  }

  private static RunTrace onNetwork(SelectedPlan planned, NetworkModel network) {
    Simulation simulation = Simulator.of(network).run(planned.plan());
    ExpectedTrace trace = new ExpectedTrace();
    simulation.forEachAction(trace::add);
    trace.actions.sort(Comparator.comparingInt(action -> action.ref().rank()));
    trace.waits.sort(Comparator.comparingInt(RunTrace.Wait::rank));
    return new RunTrace(simulation.time() / PICOS_PER_NANO, trace.actions, trace.waits);
  }

  private void add(ActionRef ref, boolean isAwait, long fromPicos, long toPicos) {
    long from = fromPicos / PICOS_PER_NANO;
    long to = toPicos / PICOS_PER_NANO;
    if (!isAwait) {
      actions.add(new RunTrace.Action(ref, ref.rank(), "rank " + ref.rank(), from, to));
    } else if (to > from) {
      waits.add(new RunTrace.Wait(ref.rank(), ref.stream(), List.of(ref), from, to));
    }
  }
}
