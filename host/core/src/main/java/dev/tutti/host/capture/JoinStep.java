package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.AgreedCapture;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.watch.Counters;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in a capture of ranks in several processes. The ranks join their recordings into
 * one plan and run it. They join at the end of the capture. They join again in the first run after
 * a rank has replaced buffers or a plugin is gone. Other runs need no agreement.
 */
public final class JoinStep implements JoinedStep {

  private final GroupCore core;
  private final CapturePlanning planning;
  private final RankBindings bindings;
  private final OperationQueues queues;
  private final UnaryOperator<MemorySegment> allocation;
  private final MemoryWindows windows;
  private final int rank;

  private List<RankEntry> entries;
  private RankBuffers buffers;

  /** The result of the last join; null before the end of the capture. */
  private @Nullable Joined joined;

  /** Whether this rank has replaced buffers since the last join. */
  private boolean isChanged;

  /** The draft of the current agreement. */
  private @Nullable Draft draft;

  /** Joined and bound calls. */
  private record Joined(
      SharedCalls calls,
      Map<CaptureOrder, Integer> places,
      AgreedCapture run,
      RankBinding binding) {}

  /** Joined calls that are not bound yet. */
  private record Draft(
      SharedCalls calls,
      Map<CaptureOrder, Integer> places,
      List<RankEntry> entries,
      @Nullable NativeMemory packed) {}

  JoinStep(
      GroupCore core,
      GroupPlans plans,
      RankBindings bindings,
      OperationQueues queues,
      UnaryOperator<MemorySegment> allocation,
      List<RankEntry> entries) {
    this.core = core;
    this.bindings = bindings;
    this.queues = queues;
    this.allocation = allocation;
    this.windows = Objects.requireNonNull(core.reach().windows());
    this.rank = Objects.requireNonNull(core.job()).rank();
    this.entries = entries;
    this.planning = new CapturePlanning(core, plans, rank);
    this.buffers = registered(entries);
  }

  private RankBuffers registered(List<RankEntry> some) {
    return new RankBuffers(some, rank, core.reach(), allocation);
  }

  private List<RankEntries> own() {
    return List.of(new RankEntries(rank, entries));
  }

  @Override
  public boolean isCurrent() {
    Joined known = joined;
    return known != null && !isChanged && known.run.isCurrent();
  }

  @Override
  public void propose(BodyWriter proposal) {
    MergedCalls.write(proposal, own(), buffers, OtherMemory.shared(windows));
  }

  @Override
  public void plan(List<BodyReader> proposals, BodyWriter plan) {
    List<byte[]> bodies = proposals.stream().map(BodyReader::rest).toList();
    bodies.forEach(plan::part);
    MergedCalls merged = merged(bodies.stream().map(BodyReader::new).toList());
    planning.choose(merged, plan);
  }

  private MergedCalls merged(List<BodyReader> bodies) {
    MergedCalls merged = new MergedCalls(bodies.size());
    for (int each = 0; each < bodies.size(); each++) {
      if (each == rank) {
        merged.addOwn(own(), buffers);
      } else {
        merged.addOther(bodies.get(each), OtherMemory.shared(windows));
      }
    }
    return merged;
  }

  @Override
  public void follow(BodyReader plan, BodyWriter ready) {
    List<BodyReader> bodies = new ArrayList<>();
    for (int each = 0; each < core.rankSize(); each++) {
      bodies.add(plan.part());
    }
    MergedCalls merged = merged(bodies);
    Map<CaptureOrder, Integer> places = new HashMap<>();
    List<RecordedCall> calls = planning.follow(merged, plan, places);
    drop(draft);
    Draft made = joined(calls, places, merged);
    draft = made;
    ready.text(made.calls.composite().plan().digest());
    windows.write(ready, made.packed == null ? null : made.packed.segment());
    @Nullable MemorySegment[] present = bindings.present(rank);
    ready.number(present.length);
    for (MemorySegment each : present) {
      windows.write(ready, each);
    }
  }

  private Draft joined(
      List<RecordedCall> calls, Map<CaptureOrder, Integer> places, MergedCalls merged) {
    CapturedMemory memory = new CapturedMemory(calls, merged::allocationOf);
    Composite composite =
        Composite.of("capture of " + calls.size(), memory.compose(core.rankSize(), calls));
    CaptureChecks.requireValid(composite.plan());
    CompiledPlan compiled = queues.compile(composite);
    bindings.prepare(composite);
    long bytes = PackedMemory.bytes(calls, rank);
    NativeMemory packed = bytes == 0 ? null : core.reach().allocate(bytes);
    SharedCalls shared =
        new SharedCalls(core.number(), calls, composite, memory, compiled, buffers.areStaged());
    List<RankEntry> own = new RankEntries(rank, entries).withPlans(calls, places).entries();
    return new Draft(shared, places, own, packed);
  }

  @Override
  public void complete(List<BodyReader> ready, BodyWriter commit) {
    String digest = "";
    commit.number(RankBinding.nextNumber());
    for (int each = 0; each < ready.size(); each++) {
      BodyReader body = ready.get(each);
      String own = body.text();
      digest = each == 0 ? own : digest;
      ChosenPlan.requireSame("capture as one plan", digest, own, core.names(), 0, each);
      commit.part(body.rest());
    }
  }

  @Override
  public @Nullable RankBinding commit(BodyReader commit) {
    Draft made = Objects.requireNonNull(draft);
    draft = null;
    long number = commit.number();
    MemorySegment[] packed = new MemorySegment[core.rankSize()];
    List<@Nullable MemorySegment @Nullable []> present = new ArrayList<>();
    for (int each = 0; each < packed.length; each++) {
      BodyReader body = commit.part();
      MemorySegment own = made.packed == null ? MemorySegment.NULL : made.packed.segment();
      MemorySegment other = each == rank ? null : windows.read(body, true);
      packed[each] = each == rank ? own : other == null ? MemorySegment.NULL : other;
      present.add(each == rank ? null : segments(body));
    }
    CapturedMemory memory = made.calls.memory();
    memory.usePacked(PackedMemory.ofRanks(made.calls.calls(), packed, made.packed));
    AgreedCapture run = new AgreedCapture(core, made.calls, buffers.scopes());
    RankBinding binding =
        bindings.complete(
            made.calls.composite(), made.calls.compiled(), memory.views(), run, number, present);
    Joined before = joined;
    joined = new Joined(made.calls, made.places, run, binding);
    entries = made.entries;
    isChanged = false;
    release(before);
    return before == null ? null : binding;
  }

  private @Nullable MemorySegment[] segments(BodyReader body) {
    @Nullable MemorySegment[] segments = new MemorySegment[body.count()];
    for (int column = 0; column < segments.length; column++) {
      segments[column] = windows.read(body, false);
    }
    return segments;
  }

  private static void release(@Nullable Joined before) {
    if (before != null) {
      before.run.settle();
      before.calls.close();
    }
  }

  /** Frees the draft of an agreement that failed. */
  private static void drop(@Nullable Draft before) {
    if (before != null && before.packed != null) {
      before.packed.close();
    }
  }

  private Joined present() {
    return Objects.requireNonNull(joined, "the capture has not ended");
  }

  @Override
  public RankBinding binding() {
    return present().binding;
  }

  @Override
  public List<CollectiveCall> calls() {
    return present().calls.calls().stream().map(call -> call.planned().key().call()).toList();
  }

  @Override
  public long deadlineNanos() {
    return CaptureChecks.deadlineNanos(core.settings(), present().calls.calls());
  }

  @Override
  public String explain() {
    return present().calls.explain();
  }

  @Override
  public boolean isStaged() {
    return buffers.areStaged();
  }

  @Override
  public void beforeRun() {
    buffers.beforeRun();
  }

  @Override
  public void afterRun() {
    buffers.afterRun();
  }

  @Override
  public void rebind(MemorySegment old, MemorySegment replacement) {
    CaptureChecks.requireAsLarge(old, replacement);
    List<RankEntry> rebound =
        entries.stream().map(entry -> entry.rebound(old, replacement)).toList();
    if (rebound.equals(entries)) {
      throw CaptureChecks.noSuchBuffer();
    }
    rebound.forEach(entry -> entry.check(core.names(), rank));
    RankBuffers made = registered(rebound);
    if (!buffers.areLike(made)) {
      made.close();
      throw CaptureChecks.overlapsOtherwise();
    }
    RankBuffers before = buffers;
    entries = rebound;
    buffers = made;
    isChanged = true;
    before.close();
  }

  @Override
  public CaptureStep recordedBy(RankRecording recording, int meeting) {
    RankEntries own = new RankEntries(rank, entries);
    Map<CaptureOrder, Integer> places = present().places;
    return new RecordReplayStep(recording, meeting, at -> own.partOf(at, places));
  }

  @Override
  public String toString() {
    return present().calls.toString();
  }

  @Override
  public void addTo(Counters counters) {
    Joined known = joined;
    if (known != null) {
      known.run.addTo(counters);
    }
  }

  @Override
  public void close() {
    drop(draft);
    release(joined);
    buffers.close();
  }
}
