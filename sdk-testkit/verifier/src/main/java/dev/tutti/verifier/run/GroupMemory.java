package dev.tutti.verifier.run;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.data.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The memories of all ranks for one plan. Staging, scratch and AIV memory is only as large as the
 * part that the plan touches. In place, a rank's input and output are the same memory. {@link
 * PlanInterpreter#allocate} and {@link PlanInterpreter#bind} create it.
 */
public final class GroupMemory {

  private static final TransportMemType[] TYPES = TransportMemType.values();

  private final GroupPlan plan;
  private final MemorySegment[] segments;
  private final boolean ownsParams;

  private GroupMemory(GroupPlan plan, boolean ownsParams) {
    this.plan = plan;
    this.segments = new MemorySegment[plan.rankSize() * TYPES.length];
    this.ownsParams = ownsParams;
  }

  static GroupMemory allocate(FlatPlan flat) {
    GroupPlan plan = flat.plan();
    List<MemorySegment> inputs = new ArrayList<>();
    List<MemorySegment> outputs = new ArrayList<>();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      long input = plan.rank(rank).memSize(TransportMemType.PARAM_INPUT);
      long output = plan.rank(rank).memSize(TransportMemType.PARAM_OUTPUT);
      MemorySegment first = segment(plan.inPlace() ? Math.max(input, output) : input);
      inputs.add(first);
      outputs.add(plan.inPlace() ? first : segment(output));
    }
    return create(flat, inputs, outputs, true);
  }

  static GroupMemory bind(FlatPlan flat, List<MemorySegment> inputs, List<MemorySegment> outputs) {
    return create(flat, inputs, outputs, false);
  }

  private static GroupMemory create(
      FlatPlan flat, List<MemorySegment> inputs, List<MemorySegment> outputs, boolean ownsParams) {
    GroupPlan plan = flat.plan();
    GroupMemory memory = new GroupMemory(plan, ownsParams);
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        long size = plan.rank(rank).memSize(type);
        memory.segments[index(rank, type)] =
            switch (type) {
              case PARAM_INPUT -> part(inputs.get(rank), size);
              case PARAM_OUTPUT -> part(outputs.get(rank), size);
              case CCL_INPUT, CCL_OUTPUT, SCRATCH, AIV_INPUT, AIV_OUTPUT ->
                  segment(flat.extent(rank, type));
            };
      }
    }
    return memory;
  }

  private static MemorySegment part(MemorySegment whole, long size) {
    return size == 0 ? MemorySegment.NULL : whole.asSlice(0, size);
  }

  private static MemorySegment segment(long size) {
    return size <= Integer.MAX_VALUE - 16
        ? MemorySegment.ofArray(new byte[(int) size])
        : Arena.ofAuto().allocate(size, 64);
  }

  private static int index(int rank, TransportMemType type) {
    return rank * TYPES.length + type.ordinal();
  }

  /** A rank's memory of one kind. */
  public MemorySegment mem(int rank, TransportMemType type) {
    return segments[index(rank, type)];
  }

  /** A rank's input. */
  public MemorySegment input(int rank) {
    return mem(rank, TransportMemType.PARAM_INPUT);
  }

  /** A rank's output. */
  public MemorySegment output(int rank) {
    return mem(rank, TransportMemType.PARAM_OUTPUT);
  }

  /** The inputs of all ranks. */
  public List<MemorySegment> inputs() {
    return all(TransportMemType.PARAM_INPUT);
  }

  /** The outputs of all ranks. */
  public List<MemorySegment> outputs() {
    return all(TransportMemType.PARAM_OUTPUT);
  }

  private List<MemorySegment> all(TransportMemType type) {
    List<MemorySegment> list = new ArrayList<>();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      list.add(mem(rank, type));
    }
    return list;
  }

  /**
   * Fills all memory that is undefined at the start of a run: staging, scratch and AIV memory, and
   * also inputs and outputs unless the caller has bound them. The byte varies with the seed, the
   * rank and the kind of memory.
   */
  public void poison(long seed) {
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        boolean isParam =
            type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT;
        if (ownsParams || !isParam) {
          long mixed = TestData.mix(seed + 31L * index(rank, type) + 1);
          mem(rank, type).fill((byte) (mixed | 1));
        }
      }
    }
  }
}
