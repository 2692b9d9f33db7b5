package dev.tutti.host.group;

import dev.tutti.engine.Binding;
import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.Engine;
import dev.tutti.engine.MemoryUse;
import dev.tutti.host.buffers.BoundBuffers;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.MessageLinks;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Binds the plans of a group to buffers and to the group's own memory, and holds the open requests.
 * Thread-safe.
 */
public final class GroupBindings {

  private final GroupCore core;
  private final Engine engine;
  private final GroupPlans plans;
  private final RunSlot slot;

  /** Guards the memory and the requests; never held during a run. */
  private final ReentrantLock lock = new ReentrantLock();

  private final PlanMemory memory;
  private final Set<RequestOperation> requests = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<RunTally> tallies = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<PlanMemory> memoryOfPairs = new ArrayList<>();

  public GroupBindings(GroupCore core, Engine engine, GroupPlans plans) {
    this.core = core;
    this.engine = engine;
    this.plans = plans;
    this.slot = core.slot();
    this.memory = newMemory();
  }

  private PlanMemory newMemory() {
    return new PlanMemory(core.rankSize(), core.reach(), core::isLocal);
  }

  /** The bindings of operations of all ranks. */
  public RankBindings forRanks() {
    return bindings(memory, core.localRanks()[0], false);
  }

  /**
   * The bindings of transfers of one pair of ranks, which run concurrently with all other
   * operations.
   *
   * @param source the rank that sends
   * @param destination the rank that receives
   */
  public RankBindings forPair(int source, int destination) {
    lock.lock();
    try {
      PlanMemory own = newMemory();
      memoryOfPairs.add(own);
      boolean isSource = core.isLocal(source);
      // A pair of this process needs no messages.
      return isSource && core.isLocal(destination)
          ? new RankBindings(core, engine, plans, this, own, null)
          : bindings(own, isSource ? 0 : 1, true);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes bindings with separate memory.
   *
   * @param queue the queue of the rank of this process that runs messages
   */
  private RankBindings bindings(PlanMemory own, int queue, boolean isTransfer) {
    JobGroup job = core.job();
    MessageLinks links = job == null ? null : job.links();
    MessageBindings messages =
        job == null || links == null
            ? null
            : new MessageBindings(
                core,
                engine,
                plans,
                providerOf(own),
                new MessageBindings.Route(job.processes(), links, queue, isTransfer));
    return new RankBindings(core, engine, plans, this, own, messages);
  }

  private MessageBindings.Provider providerOf(PlanMemory own) {
    return new MessageBindings.Provider() {
      @Override
      public @Nullable MemorySegment[][] memories(SelectedPlan planned) {
        return provide(own, planned);
      }

      @Override
      public @Nullable MemorySegment[][] memories(MemoryUse use) {
        return provide(own, use);
      }

      @Override
      public MemorySegment staging(long bytes) {
        lock.lock();
        try {
          slot.requireUsable();
          return own.provideReceived(core.localRanks()[0], bytes);
        } finally {
          lock.unlock();
        }
      }

      @Override
      public MemorySegment[] packed() {
        return GroupBindings.this.packed(own);
      }

      @Override
      public RunTally tally(SelectedPlan planned) {
        return GroupBindings.this.tally(planned);
      }

      @Override
      public void settle(RunTally tally) {
        GroupBindings.this.settle(tally);
      }
    };
  }

  /** The group's memory that a plan of ranks needs. */
  @Nullable MemorySegment[][] provide(PlanMemory from, SelectedPlan planned) {
    lock.lock();
    try {
      slot.requireUsable();
      Packing packing = planned.packing();
      if (packing != null && core.job() != null) {
        for (int rank : core.localRanks()) {
          from.providePacked(rank, packing.packedBytes(rank));
        }
      }
      return from.provide(planned.use());
    } finally {
      lock.unlock();
    }
  }

  /** The group's memory that captured plans of ranks need. */
  @Nullable MemorySegment[][] provide(PlanMemory from, MemoryUse use) {
    lock.lock();
    try {
      slot.requireUsable();
      return from.provide(use);
    } finally {
      lock.unlock();
    }
  }

  /** The memory that a rank of this process has for plans. */
  @Nullable MemorySegment[] present(PlanMemory from, int rank) {
    lock.lock();
    try {
      return from.present(rank);
    } finally {
      lock.unlock();
    }
  }

  /** Sets the memory of ranks of other processes; null for ranks of this process. */
  void tell(PlanMemory to, List<@Nullable MemorySegment @Nullable []> present) {
    lock.lock();
    try {
      for (int rank = 0; rank < present.size(); rank++) {
        @Nullable MemorySegment[] own = present.get(rank);
        if (own != null) {
          to.tell(rank, own);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The memory in which each rank packs data with gaps. */
  MemorySegment[] packed(PlanMemory from) {
    lock.lock();
    try {
      MemorySegment[] ofRanks = new MemorySegment[core.rankSize()];
      Arrays.setAll(ofRanks, from::packed);
      return ofRanks;
    } finally {
      lock.unlock();
    }
  }

  /** Counts the runs of a plan by ranks. */
  RunTally tally(SelectedPlan planned) {
    lock.lock();
    try {
      RunTally tally = new RunTally(planned, core.counters());
      tallies.add(tally);
      return tally;
    } finally {
      lock.unlock();
    }
  }

  /** Adds the runs of a plan that is no longer kept to the counters. */
  void settle(RunTally tally) {
    lock.lock();
    try {
      if (tallies.remove(tally)) {
        tally.settle();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A request with the plan that is chosen now. */
  public RequestOperation build(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment @Nullable [] inputs,
      @Nullable MemorySegment @Nullable [] outputs) {
    slot.requireUsable();
    int ranks = core.rankSize();
    @Nullable MemorySegment[] in = inputs == null ? new MemorySegment[ranks] : inputs;
    @Nullable MemorySegment[] out = outputs == null ? new MemorySegment[ranks] : outputs;
    CallerBuffers buffers = plans.check(call, options, in, out);
    return open(plans.planned(call, options, buffers), options, buffers, in, out);
  }

  /** A request with the plan of another request, or with the plan that replaces it now. */
  RequestOperation copy(
      SelectedPlan planned,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    SelectedPlan usable = planned.generation().isRetired() ? planAgain(planned) : planned;
    CallerBuffers buffers =
        BoundBuffers.check(usable, inputs, outputs, core.names(), core.mappings());
    return open(usable, options, buffers, inputs, outputs);
  }

  private RequestOperation open(
      SelectedPlan planned,
      CallOptions options,
      CallerBuffers buffers,
      @Nullable MemorySegment[] in,
      @Nullable MemorySegment[] out) {
    lock.lock();
    try {
      BoundBuffers bound = bind(planned, buffers, in, out);
      RequestOperation request =
          new RequestOperation(
              core, this, planned, options, core.settings().deadlineNanos(options), bound);
      requests.add(request);
      return request;
    } finally {
      lock.unlock();
    }
  }

  /** A new plan for a request whose plan belongs to a retired generation. */
  SelectedPlan planAgain(SelectedPlan old) {
    return plans.planAgain(old);
  }

  /** The same buffers bound to another plan of the same call; the old binding does not change. */
  BoundBuffers bindAgain(BoundBuffers old, SelectedPlan fresh) {
    return bind(fresh, old.buffers(), old.givenInputs(), old.givenOutputs());
  }

  /** Removes a closed request. */
  void closed(RequestOperation request) {
    lock.lock();
    try {
      requests.remove(request);
    } finally {
      lock.unlock();
    }
  }

  BoundBuffers bind(
      SelectedPlan planned,
      CallerBuffers buffers,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    lock.lock();
    try {
      slot.requireUsable();
      HostEvents.Bind event = HostEvents.begin(HostEvents.Bind::new);
      BoundBuffers bound =
          new BoundBuffers(
              engine,
              core.names(),
              core.mappings(),
              planned,
              buffers,
              memory.provide(planned.use()),
              inputs,
              outputs);
      HostEvents.end(event, () -> planned.facts(core.number()), null);
      return bound;
    } finally {
      lock.unlock();
    }
  }

  public CompiledPlan compile(Composite composite) {
    HostEvents.Compile event = HostEvents.begin(HostEvents.Compile::new);
    CompiledPlan compiled = engine.compile(composite, CompileOptions.defaults());
    HostEvents.end(event, () -> facts(composite), null);
    return compiled;
  }

  /**
   * Binds joined plans.
   *
   * @param views a segment for each view of the composition, by its number
   * @param holdsFiles whether the plan itself touches mapped files
   */
  public Binding bind(
      CompiledPlan compiled, Composite composite, MemorySegment[] views, boolean holdsFiles) {
    MemoryUse use = MemoryUse.of(composite.plan());
    lock.lock();
    try {
      slot.requireUsable();
      HostEvents.Bind event = HostEvents.begin(HostEvents.Bind::new);
      Binding binding = engine.bind(compiled, memory.provide(use), views);
      binding.guard(holdsFiles);
      HostEvents.end(event, () -> facts(composite), null);
      return binding;
    } finally {
      lock.unlock();
    }
  }

  private RunFacts facts(Composite composite) {
    String name = composite.plan().name();
    return RunFacts.ofCapture(core.number(), name, 0, core.rankSize(), "");
  }

  /** Adds the runs of requests that have not been counted yet. */
  public void addTo(Counters counters) {
    lock.lock();
    try {
      requests.forEach(request -> request.addTo(counters));
      tallies.forEach(tally -> tally.addTo(counters));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the slot, then the requests, and frees the memory. A second call does nothing.
   *
   * @param others closes the other users of the memory
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way; then
   *     nothing is closed
   */
  public void close(Runnable others) {
    lock.lock();
    try {
      if (slot.close()) {
        List.copyOf(requests).forEach(RequestOperation::close);
        others.run();
        List.copyOf(tallies).forEach(this::settle);
        memory.close();
        memoryOfPairs.forEach(PlanMemory::close);
      }
    } finally {
      lock.unlock();
    }
  }
}
