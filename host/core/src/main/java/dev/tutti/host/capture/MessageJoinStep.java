package dev.tutti.host.capture;

import dev.tutti.engine.Composite;
import dev.tutti.engine.MessagePlan;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.group.AgreedCapture;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.JoinedMessages;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.GroupProcesses;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of one process in a capture of ranks in processes without shared memory. The processes
 * join the recordings of all ranks into one plan at the end of the capture, and again in the first
 * run after a plugin is gone. Each process joins the same operations over the buffers of its own
 * ranks and placeholders for all others. Other runs need no agreement, even after a process has
 * replaced its buffers: no other process knows them.
 */
public final class MessageJoinStep extends JoinedStep {

  private final MessageBindings bindings;
  private final GroupProcesses processes;
  private final String title;
  private final CapturePlanning planning;

  /** The result of the last join; null before the end of the capture. */
  private volatile @Nullable Joined joined;

  /** The draft of the current agreement. */
  private @Nullable Draft draft;

  /**
   * Joined and bound calls.
   *
   * @param bodies the operations of each process in the form of messages
   * @param packed the memory in which the ranks of this process pack data with gaps
   */
  private record Joined(
      List<byte[]> bodies,
      MessageCalls calls,
      Map<CaptureOrder, Integer> places,
      JoinedMessages agreed,
      AgreedCapture run,
      RankBinding binding,
      @Nullable NativeMemory packed) {

    SelectedPlan planned(CaptureOrder order) {
      return calls.calls().get(Objects.requireNonNull(places.get(order))).planned();
    }
  }

  /** Joined calls that are not bound yet. */
  private record Draft(
      List<byte[]> bodies,
      MessageCalls calls,
      Map<CaptureOrder, Integer> places,
      List<RankEntries> ranks) {}

  MessageJoinStep(
      GroupCore core,
      GroupPlans plans,
      MessageBindings bindings,
      UnaryOperator<MemorySegment> allocation,
      List<RankEntries> ranks,
      String title) {
    super(core, core.localRanks()[0], allocation, ranks);
    this.planning = new CapturePlanning(core, plans, rank);
    this.bindings = bindings;
    this.processes = Objects.requireNonNull(core.job()).processes();
    this.title = title;
  }

  @Override
  public boolean isCurrent() {
    Joined known = joined;
    return known != null && !known.agreed.isRetired();
  }

  /** The agreement of the last join; null before the end of the capture. */
  public @Nullable JoinedMessages agreed() {
    Joined known = joined;
    return known == null ? null : known.agreed;
  }

  /**
   * The binding of the last join, which other processes already run.
   *
   * @param number the number of their agreement
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} if it is not the last one here
   */
  public RankBinding agreed(long number) {
    Joined known = present();
    if (known.agreed.number() != number) {
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "the %s runs another plan in another process; close the group on all ranks, and create"
              + " another one",
          title);
    }
    return known.binding;
  }

  @Override
  public void propose(BodyWriter proposal) {
    MergedCalls.write(proposal, ranks, buffers, OtherMemory.absent(processes.own()));
  }

  @Override
  public void plan(List<BodyReader> proposals, BodyWriter plan) {
    List<byte[]> bodies = proposals.stream().map(BodyReader::rest).toList();
    bodies.forEach(plan::part);
    planning.choose(merged(bodies), plan);
  }

  /** Merges the operations of all processes, which are given in the order of their numbers. */
  private MergedCalls merged(List<byte[]> bodies) {
    MergedCalls merged = new MergedCalls(core.rankSize());
    for (int process = 0; process < bodies.size(); process++) {
      if (process == processes.own()) {
        merged.addOwn(ranks, buffers);
      } else {
        merged.addOther(new BodyReader(bodies.get(process)), OtherMemory.absent(process));
      }
    }
    return merged;
  }

  @Override
  public void follow(BodyReader plan, BodyWriter ready) {
    List<byte[]> bodies = new ArrayList<>();
    for (int process = 0; process < processes.count(); process++) {
      bodies.add(plan.part().rest());
    }
    MergedCalls merged = merged(bodies);
    Map<CaptureOrder, Integer> places = new HashMap<>();
    List<RecordedCall> calls = planning.follow(merged, plan, places);
    CapturedMemory memory = new CapturedMemory(calls, merged::allocationOf);
    Composite composite =
        Composite.of("capture of " + calls.size(), memory.compose(core.rankSize(), calls));
    CaptureChecks.requireValid(composite.plan());
    MessageCalls made = calls(calls, composite, memory, bindings.compile(composite));
    List<RankEntries> own = ranks.stream().map(each -> each.withPlans(calls, places)).toList();
    draft = new Draft(bodies, made, places, own);
    ready.number(rank).text(composite.plan().digest());
  }

  private MessageCalls calls(
      List<RecordedCall> calls, Composite composite, CapturedMemory memory, MessagePlan messages) {
    return new MessageCalls(
        core.number(), calls, composite, memory, messages, processes.own(), buffers.areStaged());
  }

  @Override
  public void complete(List<BodyReader> ready, BodyWriter commit) {
    String digest = "";
    for (BodyReader body : ready) {
      int other = body.count();
      String own = body.text();
      digest = digest.isEmpty() ? own : digest;
      ChosenPlan.requireSame("capture as one plan", digest, own, core.names(), 0, other);
    }
    commit.number(RankBinding.nextNumber());
  }

  @Override
  public @Nullable RankBinding commit(BodyReader commit) {
    Draft made = Objects.requireNonNull(draft);
    draft = null;
    MessageCalls calls = made.calls;
    JoinedMessages agreed =
        bindings.join(title, commit.number(), calls.composite(), calls.messages(), calls);
    NativeMemory packed = newPackedMemory(calls.calls());
    Joined before = joined;
    Joined now;
    try {
      now = bound(made.bodies, calls, made.places, agreed, packed);
    } catch (Throwable t) {
      free(packed);
      throw t;
    }
    joined = now;
    ranks = made.ranks;
    if (before == null) {
      return null;
    }
    before.run.settle();
    free(before.packed);
    return now.binding;
  }

  private Joined bound(
      List<byte[]> bodies,
      MessageCalls calls,
      Map<CaptureOrder, Integer> places,
      JoinedMessages agreed,
      @Nullable NativeMemory packed) {
    CapturedMemory memory = calls.memory();
    memory.usePacked(
        PackedMemory.ofRanks(calls.calls(), packedOfRanks(calls.calls(), packed), null));
    AgreedCapture run = new AgreedCapture(core, calls, buffers.scopes());
    RankBinding binding = bindings.bind(agreed, memory.views(), run);
    return new Joined(bodies, calls, places, agreed, run, binding, packed);
  }

  /** Allocates memory in which the ranks of this process pack data; null if they need none. */
  private @Nullable NativeMemory newPackedMemory(List<RecordedCall> calls) {
    long bytes = 0;
    for (int rank : core.localRanks()) {
      bytes += PackedMemory.bytes(calls, rank);
    }
    return bytes == 0 ? null : core.reach().allocate(bytes);
  }

  private MemorySegment[] packedOfRanks(List<RecordedCall> calls, @Nullable NativeMemory own) {
    MemorySegment[] packed = new MemorySegment[core.rankSize()];
    long at = 0;
    for (int rank = 0; rank < packed.length; rank++) {
      long bytes = PackedMemory.bytes(calls, rank);
      if (own != null && core.isLocal(rank)) {
        packed[rank] = own.segment().asSlice(at, bytes);
        at += bytes;
      } else {
        packed[rank] = NativeMemory.beyond(rank, bytes);
      }
    }
    return packed;
  }

  private void free(@Nullable NativeMemory memory) {
    if (memory != null) {
      core.reach().free(memory);
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

  /** Binds the joined plan to the present buffers. */
  @Override
  void useBuffers() {
    Joined before = present();
    MergedCalls merged = merged(before.bodies);
    List<RecordedCall> calls =
        planning.recorded(merged, new HashMap<>(), (order, call) -> before.planned(order));
    MessageCalls again =
        calls(
            calls,
            before.calls.composite(),
            new CapturedMemory(calls, merged::allocationOf),
            before.calls.messages());
    joined = bound(before.bodies, again, before.places, before.agreed, before.packed);
    before.run.settle();
  }

  @Override
  public void close() {
    Joined known = joined;
    if (known != null) {
      known.run.settle();
      free(known.packed);
    }
    buffers.close();
  }
}
