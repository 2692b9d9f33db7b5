package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** An all-reduce of int32 sums on its own memory: a plan, its buffers and its expected result. */
public final class AllReduceCase implements AutoCloseable {

  private static final int INPUT = TransportMemType.PARAM_INPUT.ordinal();
  private static final int OUTPUT = TransportMemType.PARAM_OUTPUT.ordinal();

  private final Arena arena = Arena.ofShared();
  private final GroupPlan plan;
  private final @Nullable MemorySegment[][] memory;
  private final long count;

  public AllReduceCase(GroupPlan plan, long count) {
    this.plan = plan;
    this.count = count;
    this.memory = new MemorySegment[plan.rankSize()][TransportMemType.values().length];
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        long size = plan.rank(rank).memSize(type);
        if (type != TransportMemType.CCL_INPUT && type != TransportMemType.CCL_OUTPUT) {
          memory[rank][type.ordinal()] = arena.allocate(size, 64);
        }
      }
      if (plan.inPlace()) {
        memory[rank][OUTPUT] = memory[rank][INPUT];
      }
    }
  }

  public static AllReduceParam param(int ranks, long count) {
    return new AllReduceParam(
        CommInfo.of(0, Topology.flat(ranks)), DataType.INT32, ReduceOp.SUM, count);
  }

  public static GroupPlan plan(CollExecutorBase<AllReduceParam> executor, int ranks, long count) {
    return new PlanRecorder().record("test", executor, param(ranks, count));
  }

  public static AllReduceCase of(CollExecutorBase<AllReduceParam> executor, int ranks, long count) {
    return new AllReduceCase(plan(executor, ranks, count), count);
  }

  public GroupPlan plan() {
    return plan;
  }

  public @Nullable MemorySegment[][] memory() {
    return memory;
  }

  /** Fills the inputs with values that depend on rank, place and round, and spoils the outputs. */
  public AllReduceCase fill(int round) {
    for (int rank = 0; rank < memory.length; rank++) {
      fill(rank, round);
    }
    return this;
  }

  /** The same for one rank. */
  public void fill(int rank, int round) {
    for (long i = 0; i < count; i++) {
      output(rank).setAtIndex(ValueLayout.JAVA_INT, i, -1);
      input(rank).setAtIndex(ValueLayout.JAVA_INT, i, value(rank, i, round));
    }
  }

  private static int value(int rank, long i, int round) {
    return (int) (i * 7 + rank * 1000L + round * 13L);
  }

  public MemorySegment input(int rank) {
    return segment(rank, INPUT);
  }

  public MemorySegment output(int rank) {
    return segment(rank, OUTPUT);
  }

  private MemorySegment segment(int rank, int type) {
    MemorySegment segment = memory[rank][type];
    return segment == null ? MemorySegment.NULL : segment;
  }

  /**
   * The place where the outputs differ from the sums of the inputs of {@link #fill}; empty if there
   * is none.
   */
  public String mismatch(int round) {
    String found = "";
    for (int rank = 0; rank < memory.length && found.isEmpty(); rank++) {
      found = mismatch(rank, round);
    }
    return found;
  }

  /** The same for the output of one rank. */
  public String mismatch(int rank, int round) {
    for (long i = 0; i < count; i++) {
      int expected = 0;
      for (int each = 0; each < memory.length; each++) {
        expected += value(each, i, round);
      }
      int actual = output(rank).getAtIndex(ValueLayout.JAVA_INT, i);
      if (actual != expected) {
        return "rank %d element %d: expected %d, actual %d".formatted(rank, i, expected, actual);
      }
    }
    return "";
  }

  /** The outputs that the testkit's interpreter gives for the inputs of {@link #fill}. */
  public MemorySegment[] interpreted(int round) {
    fill(round);
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory allocated = interpreter.allocate();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      allocated.input(rank).copyFrom(input(rank));
      allocated.output(rank).copyFrom(output(rank));
    }
    assertThat(interpreter.run(round, allocated).findings()).isEmpty();
    return allocated.outputs().toArray(MemorySegment[]::new);
  }

  @Override
  public void close() {
    arena.close();
  }
}
