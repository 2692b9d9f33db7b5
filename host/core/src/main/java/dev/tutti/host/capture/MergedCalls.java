package dev.tutti.host.capture;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The captured operations of all ranks, combined from the calls that each process has reported.
 * Buffers are segments as this process sees them. Not thread-safe.
 */
final class MergedCalls {

  private static final int NO_BUFFER = 0;

  /** The ranks of a transfer. */
  private static final int ENDS = 2;

  private final int ranks;
  private final NavigableMap<CaptureOrder, Merged> calls = new TreeMap<>();

  /** The allocations that hold the buffers, by address. */
  private final NavigableMap<Long, MemorySegment> allocations = new TreeMap<>();

  /** One operation. */
  static final class Merged {
    private final @Nullable MemorySegment[] inputs;
    private final @Nullable MemorySegment[] outputs;
    private final BitSet present = new BitSet();
    private @Nullable RankEntry own;
    private @Nullable CallDescription described;

    private Merged(int ranks) {
      this.inputs = new MemorySegment[ranks];
      this.outputs = new MemorySegment[ranks];
    }

    @Nullable MemorySegment[] inputs() {
      return inputs;
    }

    @Nullable MemorySegment[] outputs() {
      return outputs;
    }

    CollectiveCall call() {
      return own != null ? own.call() : describedCall().call();
    }

    /** The options of the operation, without the choices that were made for it. */
    CallOptions options() {
      return own != null ? own.options() : describedCall().options();
    }

    /** The plan, if a rank of this process took part. */
    @Nullable SelectedPlan planned() {
      return own == null ? null : own.planned();
    }

    /** The plan that was chosen when the operation was captured. */
    ChosenPlan chosen() {
      return own != null ? ChosenPlan.of(own.planned()) : describedCall().chosen();
    }

    private CallDescription describedCall() {
      return Objects.requireNonNull(described);
    }

    /** Whether a rank of this process took part, or the source has sent a description. */
    private boolean isKnown() {
      return own != null || described != null;
    }

    /** Whether all ranks of the operation have captured it. */
    private boolean isComplete() {
      return isKnown() && present.cardinality() == (call().isTransfer() ? ENDS : inputs.length);
    }
  }

  MergedCalls(int ranks) {
    this.ranks = ranks;
  }

  /** Writes the operations that the ranks of this process have captured. */
  static void write(BodyWriter body, List<RankEntries> ranks, RankBuffers own, OtherMemory memory) {
    body.number(own.reachable().size());
    own.reachable().forEach(segment -> memory.write(segment, body));
    body.number(ranks.size());
    for (RankEntries each : ranks) {
      body.number(each.rank()).number(each.entries().size());
      for (RankEntry entry : each.entries()) {
        entry.order().write(body);
        write(body, entry.input(), own);
        write(body, entry.output(), own);
        boolean isDescribed = entry.call().isTransfer() && entry.call().root() == each.rank();
        body.number(isDescribed ? 1 : 0);
        if (isDescribed) {
          CallDescription.of(entry).write(body);
        }
      }
    }
  }

  private static void write(BodyWriter body, @Nullable MemorySegment buffer, RankBuffers own) {
    if (buffer == null) {
      body.number(NO_BUFFER);
    } else {
      RankBuffers.Place place = own.place(buffer);
      body.number(1 + place.region()).number(place.offset()).number(place.bytes());
    }
  }

  /** Adds the operations that the ranks of another process have captured. */
  void addOther(BodyReader body, OtherMemory memory) {
    List<MemorySegment> regions = new ArrayList<>();
    for (int left = body.count(); left > 0; left--) {
      OtherMemory.Found found = memory.read(body);
      addAllocation(found.allocation());
      regions.add(found.segment());
    }
    for (int left = body.count(); left > 0; left--) {
      addRank(body.count(), body, regions);
    }
  }

  private void addRank(int rank, BodyReader body, List<MemorySegment> regions) {
    for (int left = body.count(); left > 0; left--) {
      Merged call = at(CaptureOrder.read(body), rank);
      call.inputs[rank] = buffer(body, regions);
      call.outputs[rank] = buffer(body, regions);
      if (body.number() != 0) {
        call.described = CallDescription.read(body);
      }
    }
  }

  private static @Nullable MemorySegment buffer(BodyReader body, List<MemorySegment> regions) {
    int number = body.count();
    return number == NO_BUFFER
        ? null
        : regions.get(number - 1).asSlice(body.number(), body.number());
  }

  /** Adds the operations that the ranks of this process have captured. */
  void addOwn(List<RankEntries> ranks, RankBuffers own) {
    own.allocations().forEach(this::addAllocation);
    for (RankEntries each : ranks) {
      for (RankEntry entry : each.entries()) {
        Merged call = at(entry.order(), each.rank());
        call.own = call.own == null ? entry : call.own;
        call.inputs[each.rank()] = reachable(entry.input(), own);
        call.outputs[each.rank()] = reachable(entry.output(), own);
      }
    }
  }

  private static @Nullable MemorySegment reachable(
      @Nullable MemorySegment buffer, RankBuffers own) {
    if (buffer == null) {
      return null;
    }
    RankBuffers.Place place = own.place(buffer);
    return own.reachable().get(place.region()).asSlice(place.offset(), place.bytes());
  }

  private Merged at(CaptureOrder order, int rank) {
    Merged call = calls.computeIfAbsent(order, key -> new Merged(ranks));
    call.present.set(rank);
    return call;
  }

  private void addAllocation(MemorySegment memory) {
    allocations.put(memory.address(), memory);
  }

  /** The allocation that holds a buffer. */
  MemorySegment allocationOf(MemorySegment buffer) {
    Map.@Nullable Entry<Long, MemorySegment> found = allocations.floorEntry(buffer.address());
    return found == null ? buffer : found.getValue();
  }

  /**
   * All operations in their order.
   *
   * @throws TuttiException with {@link ErrorCode#CAPTURE_ABANDONED} if a rank has not captured an
   *     operation that others have; {@link ErrorCode#INVALID_STATE} if there are no operations
   */
  Map<CaptureOrder, Merged> all(RankNames names) {
    if (calls.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "nothing was captured: the body must run an operation of this group");
    }
    for (Merged call : calls.values()) {
      if (!call.isComplete()) {
        throw new TuttiException(
            ErrorCode.CAPTURE_ABANDONED,
            "the capture was abandoned on all ranks, because only %s captured %s; the group is"
                + " still usable",
            call.present.stream().mapToObj(names::name).collect(Collectors.joining(", ")),
            call.isKnown() ? call.call() : "an operation that other ranks did not");
      }
    }
    return calls;
  }
}
