package dev.tutti.host.planning;

import dev.tutti.engine.Composite;
import dev.tutti.engine.Composition;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.call.Layout;
import dev.tutti.host.call.LayoutBlocks;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A plan with additional steps. Copies before and after it convert between the callers' layouts and
 * contiguous memory, or a division after it turns sums into averages. All steps are joined into one
 * plan, and a rank continues as soon as the data that it reads is packed.
 *
 * <p>Packed memory belongs to the request. Immutable once made.
 */
public final class Packing {

  private static final long ALIGNMENT = 128;

  private final Layouts layouts;
  private final int elementSize;
  private final Composition composition;
  private final Composition.@Nullable Memory[] userInputs;
  private final Composition.@Nullable Memory[] userOutputs;
  private final Composition.@Nullable Memory[] inputs;
  private final Composition.@Nullable Memory[] outputs;
  private final List<Composition.Memory> packed = new ArrayList<>();
  private final Composite composite;

  /**
   * Wraps a plan.
   *
   * @param key the call, with checked layouts; a layout is not contiguous, or the call averages
   * @param params the operation as each rank sees it; null for ranks that take no part
   * @param plan a plan for contiguous data; it is not in place if a layout is not contiguous
   */
  Packing(PlanKey key, List<@Nullable OpParam> params, GroupPlan plan) {
    int ranks = params.size();
    this.layouts = key.layouts();
    this.elementSize = key.call().dataType().size();
    this.composition = new Composition(ranks);
    this.userInputs = new Composition.Memory[ranks];
    this.userOutputs = new Composition.Memory[ranks];
    this.inputs = new Composition.Memory[ranks];
    this.outputs = new Composition.Memory[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        declare(rank, param, key.inPlace());
      }
    }
    if (!layouts.input().isContiguous()) {
      composition.part(copies("pack", params, true), place(userInputs, inputs));
    }
    composition.part(plan, place(inputs, outputs));
    if (key.averages()) {
      composition.division(
          Average.ofOutputs(params, key.call().dataType()), place(outputs, outputs), ranks);
    }
    if (!layouts.output().isContiguous()) {
      composition.part(copies("unpack", params, false), place(outputs, userOutputs));
    }
    this.composite = Composite.of(plan.name(), composition);
  }

  private void declare(int rank, OpParam param, boolean inPlace) {
    long in = layouts.inputBytes(param, elementSize);
    long out = layouts.outputBytes(param, elementSize);
    boolean isShared = inPlace && in > 0 && out > 0;
    userInputs[rank] = in == 0 ? null : composition.memory(rank, isShared ? Math.max(in, out) : in);
    userOutputs[rank] =
        isShared ? userInputs[rank] : out == 0 ? null : composition.memory(rank, out);
    inputs[rank] =
        in == 0 || layouts.input().isContiguous()
            ? userInputs[rank]
            : packed(rank, param.inputBytes());
    outputs[rank] =
        out == 0 || layouts.output().isContiguous()
            ? userOutputs[rank]
            : packed(rank, param.outputBytes());
  }

  private Composition.Memory packed(int rank, long bytes) {
    Composition.Memory memory = composition.memory(rank, bytes);
    packed.add(memory);
    return memory;
  }

  private static Composition.Places place(
      Composition.@Nullable Memory[] inputs, Composition.@Nullable Memory[] outputs) {
    return (rank, type) -> {
      Composition.Memory memory =
          switch (type) {
            case PARAM_INPUT -> inputs[rank];
            case PARAM_OUTPUT -> outputs[rank];
            case CCL_INPUT, CCL_OUTPUT, SCRATCH, AIV_INPUT, AIV_OUTPUT -> null;
          };
      return memory == null ? null : new Composition.Place(memory, 0);
    };
  }

  /** A plan in which each rank copies between its own layout and contiguous memory. */
  private GroupPlan copies(String name, List<@Nullable OpParam> params, boolean isPacking) {
    List<RankPlan> plans = new ArrayList<>(params.size());
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      RankPlanBuilder builder = new RankPlanBuilder(rank);
      boolean hasResult = !(param instanceof ExclusiveScanParam) || rank > 0;
      if (param != null && (isPacking || hasResult)) {
        Layout layout = isPacking ? layouts.input() : layouts.output();
        long data = isPacking ? param.inputBytes() : param.outputBytes();
        long span =
            isPacking
                ? layouts.inputBytes(param, elementSize)
                : layouts.outputBytes(param, elementSize);
        builder
            .memSize(TransportMemType.PARAM_INPUT, isPacking ? span : data)
            .memSize(TransportMemType.PARAM_OUTPUT, isPacking ? data : span);
        copy(builder, rank, Layouts.blocks(layout, data, elementSize), isPacking);
      }
      plans.add(builder.build());
    }
    return new GroupPlan(name, false, plans);
  }

  private void copy(RankPlanBuilder builder, int rank, LayoutBlocks blocks, boolean isPacking) {
    long at = 0;
    for (int i = 0; i < blocks.size(); i++) {
      long bytes = blocks.length(i) * elementSize;
      long apart = blocks.start(i) * elementSize;
      builder.copy(
          0,
          new DeviceMem(rank, TransportMemType.PARAM_OUTPUT, isPacking ? at : apart, bytes),
          new DeviceMem(rank, TransportMemType.PARAM_INPUT, isPacking ? apart : at, bytes));
      at += bytes;
    }
  }

  /** The joined plan. */
  public Composite composite() {
    return composite;
  }

  /** The bytes of packed memory that a request needs. */
  public long packedBytes() {
    return packed.stream().mapToLong(memory -> room(memory.bytes())).sum();
  }

  private static long room(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Adds packing, plan and unpacking to a larger composition, with separate packed memory.
   *
   * @param buffer the place of a rank's input or output, if the rank has one
   */
  public void addTo(
      Composition whole, BiFunction<Integer, TransportMemType, Composition.Place> buffer) {
    IdentityHashMap<Composition.Memory, Composition.Place> places = new IdentityHashMap<>();
    for (int rank = 0; rank < userInputs.length; rank++) {
      if (userInputs[rank] != null) {
        places.put(userInputs[rank], buffer.apply(rank, TransportMemType.PARAM_INPUT));
      }
      if (userOutputs[rank] != null) {
        places.put(userOutputs[rank], buffer.apply(rank, TransportMemType.PARAM_OUTPUT));
      }
    }
    for (Composition.Memory memory : packed) {
      Composition.Memory own = whole.memory(memory.rank(), memory.bytes());
      places.put(memory, new Composition.Place(own, 0));
    }
    whole.parts(composition, memory -> Objects.requireNonNull(places.get(memory)));
  }

  /** The number of parts: the plan, and packing and unpacking if data is not contiguous. */
  public int parts() {
    return composite.parts().size();
  }

  /** The bytes of packed memory that a rank needs for a request. */
  public long packedBytes(int rank) {
    return packed.stream()
        .filter(memory -> memory.rank() == rank)
        .mapToLong(memory -> room(memory.bytes()))
        .sum();
  }

  /**
   * A placeholder for the packed memory of a rank in another process, which this process never
   * touches.
   */
  public MemorySegment absent(int rank) {
    return NativeMemory.beyond(rank, packedBytes(rank));
  }

  /**
   * The segments of packed memory.
   *
   * @param own memory for the segments of all ranks, of {@link #packedBytes()} bytes
   */
  public List<MemorySegment> packedViews(MemorySegment own) {
    MemorySegment[] ofRanks = new MemorySegment[userInputs.length];
    long at = 0;
    for (int rank = 0; rank < ofRanks.length; rank++) {
      long bytes = packedBytes(rank);
      ofRanks[rank] = own.asSlice(at, bytes);
      at += bytes;
    }
    return packedViews(ofRanks);
  }

  /** The same with separate packed memory of each rank. */
  public List<MemorySegment> packedViews(MemorySegment[] ofRanks) {
    List<MemorySegment> views = new ArrayList<>(packed.size());
    long[] at = new long[ofRanks.length];
    for (Composition.Memory memory : packed) {
      int rank = memory.rank();
      views.add(ofRanks[rank].asSlice(at[rank], memory.bytes()));
      at[rank] += room(memory.bytes());
    }
    return views;
  }

  /**
   * The segments of all views.
   *
   * @param in each rank's input, or null
   * @param out each rank's output, or null
   * @param own packed memory
   */
  public MemorySegment[] views(
      @Nullable MemorySegment[] in, @Nullable MemorySegment[] out, MemorySegment own) {
    return views(in, out, packedViews(own));
  }

  /** The same with separate packed memory of each rank. */
  public MemorySegment[] views(
      @Nullable MemorySegment[] in, @Nullable MemorySegment[] out, MemorySegment[] ofRanks) {
    return views(in, out, packedViews(ofRanks));
  }

  private MemorySegment[] views(
      @Nullable MemorySegment[] in,
      @Nullable MemorySegment[] out,
      List<MemorySegment> packedViews) {
    List<MemorySegment> views = new ArrayList<>();
    for (int rank = 0; rank < in.length; rank++) {
      add(views, userInputs[rank], in[rank]);
      add(views, userOutputs[rank], out[rank]);
    }
    for (int i = 0; i < packed.size(); i++) {
      add(views, packed.get(i), packedViews.get(i));
    }
    return views.toArray(MemorySegment[]::new);
  }

  private static void add(
      List<MemorySegment> views, Composition.@Nullable Memory memory, @Nullable MemorySegment to) {
    if (memory != null && to != null) {
      while (views.size() <= memory.firstView()) {
        views.add(MemorySegment.NULL);
      }
      views.set(memory.firstView(), to);
    }
  }

  /** The view of a rank's input or output; -1 if there is none. */
  public int view(int rank, TransportMemType type) {
    Composition.Memory memory =
        type == TransportMemType.PARAM_INPUT ? userInputs[rank] : userOutputs[rank];
    return memory == null ? -1 : memory.firstView();
  }
}
