package dev.tutti.host.group;

import dev.tutti.engine.memory.FileMappings;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.WorkflowChoice;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Workflow;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.planning.GroupPlanner;
import dev.tutti.host.planning.PlanCache;
import dev.tutti.host.planning.PlanKey;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.host.topology.RankNames;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds the plans of a group's calls, and keeps them for later calls. Thread-safe. */
public final class GroupPlans {

  private final GroupPlanner planner;
  private final HostSettings settings;
  private final FileMappings mappings;
  private final RankNames names;
  private final RunSlot slot;

  /** Held while a plan is made, so that no other thread makes the same plan. */
  private final ReentrantLock lock = new ReentrantLock();

  private final PlanCache cache = new PlanCache();

  public GroupPlans(GroupCore core) {
    this.planner = core.planner();
    this.settings = core.settings();
    this.names = core.names();
    this.slot = core.slot();
    this.mappings = core.mappings();
  }

  /** The choice of an algorithm for a call. */
  public Choice explain(CollectiveCall call, CallOptions options, boolean inPlace) {
    return planner.choose(PlanKey.of(settings, call, options, inPlace));
  }

  /** The choice of an algorithm for a request with buffers, in the mode that suits the buffers. */
  public Choice explain(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    CallerBuffers buffers = check(call, options, inputs, outputs);
    WorkflowMode mode = WorkflowChoice.wanted(options, buffers);
    Choice choice = planner.choose(PlanKey.of(settings, call, options, buffers.inPlace(), mode));
    if (options.mode() == null && !choice.isPossible()) {
      mode = WorkflowMode.GRAPH;
      choice = planner.choose(PlanKey.of(settings, call, options, buffers.inPlace(), mode));
    }
    Workflow workflow = WorkflowChoice.of(options, mode, buffers, names);
    String request =
        String.format(
            Locale.ROOT, "%s\n  mode %s: %s", choice.request(), mode.label(), workflow.reason());
    return new Choice(request, choice.candidates());
  }

  /** Checks the buffers of a call. */
  public CallerBuffers check(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    PlanKey key = PlanKey.of(settings, call, options, false);
    return CallerBuffers.check(planner.params(key), inputs, outputs, key, names, mappings);
  }

  /**
   * The same if only the buffers of some ranks are known; placeholders of the right size represent
   * the other buffers.
   *
   * @param isKnown whether the buffers of a rank are known
   * @param knownInputs one entry per rank
   * @param knownOutputs one entry per rank
   * @param inPlace whether the inputs of the other ranks are their outputs
   */
  public CallerBuffers checkOwn(
      CollectiveCall call,
      CallOptions options,
      IntPredicate isKnown,
      @Nullable MemorySegment[] knownInputs,
      @Nullable MemorySegment[] knownOutputs,
      boolean inPlace) {
    PlanKey key = PlanKey.of(settings, call, options, false);
    List<@Nullable OpParam> params = planner.params(key);
    @Nullable MemorySegment[] inputs = new MemorySegment[params.size()];
    @Nullable MemorySegment[] outputs = new MemorySegment[params.size()];
    int size = call.dataType().size();
    for (int rank = 0; rank < inputs.length; rank++) {
      OpParam param = params.get(rank);
      if (isKnown.test(rank)) {
        inputs[rank] = knownInputs[rank];
        outputs[rank] = knownOutputs[rank];
      } else if (param != null) {
        inputs[rank] = NativeMemory.beyond(2 * rank, key.layouts().inputBytes(param, size));
        int number = inPlace ? 2 * rank : 2 * rank + 1;
        outputs[rank] = NativeMemory.beyond(number, key.layouts().outputBytes(param, size));
      }
    }
    return CallerBuffers.check(params, inputs, outputs, key, names, mappings);
  }

  /** The plan of a call whose buffers all ranks can reach. */
  public GroupPlan plan(CollectiveCall call, CallOptions options, boolean inPlace) {
    return planned(call, options, inPlace).plan();
  }

  /** The same plan together with the call and its algorithm. */
  public SelectedPlan planned(CollectiveCall call, CallOptions options, boolean inPlace) {
    return planned(PlanKey.of(settings, call, options, inPlace));
  }

  /** The plan of a call, in the mode that suits its buffers. */
  public SelectedPlan planned(CollectiveCall call, CallOptions options, CallerBuffers buffers) {
    WorkflowMode wanted = WorkflowChoice.wanted(options, buffers);
    if (options.mode() == null && wanted == WorkflowMode.OP_BASE) {
      try {
        SelectedPlan staged =
            planned(PlanKey.of(settings, call, options, buffers.inPlace(), wanted));
        if (buffers.areTakenBy(staged)) {
          return staged;
        }
      } catch (TuttiException e) {
        if (e.code() != ErrorCode.UNSUPPORTED) {
          throw e;
        }
      }
    }
    return planned(PlanKey.of(settings, call, options, buffers.inPlace()));
  }

  /** A plan for a request whose plan belongs to a retired generation. */
  public SelectedPlan planAgain(SelectedPlan old) {
    return planned(old.key());
  }

  private SelectedPlan planned(PlanKey key) {
    lock.lock();
    try {
      slot.requireUsable();
      SelectedPlan found = cache.find(key, planner.catalogueNumber());
      if (found == null) {
        found = planner.plan(key);
        cache.add(found);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  public PlanCacheStats stats() {
    lock.lock();
    try {
      return cache.stats(planner.structures(), planner.structureBytes());
    } finally {
      lock.unlock();
    }
  }

  /** Releases the plans; called when the group is closed. */
  public void close() {
    lock.lock();
    try {
      cache.clear();
    } finally {
      lock.unlock();
    }
  }
}
