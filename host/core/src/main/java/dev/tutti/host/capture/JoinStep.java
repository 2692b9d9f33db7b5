package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.group.AgreedCapture;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
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
public final class JoinStep extends JoinedStep {

  private final CapturePlanning planning;
  private final RankBindings bindings;
  private final OperationQueues queues;
  private final MemoryWindows windows;

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
      List<RankEntries> ranks,
      @Nullable NativeMemory packed) {}

  JoinStep(
      GroupCore core,
      GroupPlans plans,
      RankBindings bindings,
      OperationQueues queues,
      UnaryOperator<MemorySegment> allocation,
      List<RankEntry> entries) {
    super(core, ownRank(core), allocation, List.of(new RankEntries(ownRank(core), entries)));
    this.bindings = bindings;
    this.queues = queues;
    this.windows = Objects.requireNonNull(core.reach().windows());
    this.planning = new CapturePlanning(core, plans, rank);
  }

  private static int ownRank(GroupCore core) {
    return Objects.requireNonNull(core.job()).rank();
  }

  @Override
  public boolean isCurrent() {
    Joined known = joined;
    return known != null && !isChanged && known.run.isCurrent();
  }

  @Override
  public void propose(BodyWriter proposal) {
    MergedCalls.write(proposal, ranks, buffers, OtherMemory.shared(windows));
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
        merged.addOwn(ranks, buffers);
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
    List<RankEntries> own = ranks.stream().map(each -> each.withPlans(calls, places)).toList();
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
    ranks = made.ranks;
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
  JoinedCalls joinedCalls() {
    return present().calls;
  }

  @Override
  Map<CaptureOrder, Integer> places() {
    return present().places;
  }

  @Override
  @Nullable AgreedCapture run() {
    Joined known = joined;
    return known == null ? null : known.run;
  }

  @Override
  void useBuffers() {
    isChanged = true;
  }

  @Override
  public void close() {
    drop(draft);
    release(joined);
    buffers.close();
  }
}
