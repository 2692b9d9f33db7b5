package dev.tutti.engine;

import dev.tutti.engine.MessageLowering.Lowered;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan for processes that reach only their own memory: a program for each of them, and messages
 * between the programs. Its results equal those of the plan, bit for bit. Immutable.
 */
public final class MessagePlan {

  /** The arguments of a run that no ranks have agreed on. */
  private static final long NUMBER_OF_NONE = 0;

  private static final Object NOBODY = new Object();

  private final MemorySlots slots;
  private final ReduceKernel[] kernels;
  private final Frame.OfPlan frames;
  private final int[] processOf;
  private final List<Lowered> programs;

  /**
   * A plan whose programs are made.
   *
   * @param from the plan and its order of tasks
   */
  MessagePlan(UnrolledPrograms from, int[] processOf, List<Lowered> programs) {
    this.slots = from.slots();
    this.kernels = from.kernels();
    this.frames = from.frames();
    this.processOf = processOf.clone();
    this.programs = List.copyOf(programs);
  }

  /**
   * Compiles a plan.
   *
   * @param processOf the process of each rank; processes are numbered from 0
   */
  static MessagePlan compile(UnrolledPrograms from, int[] processOf) {
    check(processOf, from.ranks());
    return new MessagePlan(
        from, processOf, MessageLowering.lower(from.whole(), processOf, MessageLowering.PIECE));
  }

  private static void check(int[] processOf, int ranks) {
    int[] sorted = Arrays.stream(processOf).sorted().distinct().toArray();
    boolean isWhole =
        sorted.length > 0 && sorted[0] == 0 && sorted[sorted.length - 1] == sorted.length - 1;
    if (processOf.length != ranks || !isWhole) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "each of %d ranks must have a process, and processes are numbered from 0 without a gap."
              + " Actual: %s",
          ranks,
          Arrays.toString(processOf));
    }
  }

  /** The number of processes. */
  public int processes() {
    return programs.size();
  }

  /** The memory that a process needs besides that of its ranks, in bytes. */
  public long stagingBytes(int process) {
    return programs.get(process).stagingBytes();
  }

  /** How many messages a process sends and receives in a run. */
  public int messages(int process) {
    TaskArrays tasks = programs.get(process).tasks();
    int messages = 0;
    for (int task = 0; task < tasks.size; task++) {
      messages += tasks.op[task] == TaskArrays.AWAIT ? 1 : 0;
    }
    return messages;
  }

  /**
   * Binds the program of a process to memory. Messages go to and from this memory, so it must be
   * off-heap and stay alive while the run is used.
   *
   * @param memory for each rank of the process one segment per kind of memory, at the kind's
   *     ordinal; null for other ranks, and null or absent where the plan touches nothing
   * @param staging at least {@link #stagingBytes} bytes
   * @param wire carries the messages of the process
   * @throws TuttiException with {@link ErrorCode#BUFFER_TOO_SMALL} or {@link
   *     ErrorCode#BUFFER_UNAVAILABLE}
   */
  public MessageRun bind(
      int process,
      @Nullable MemorySegment[] @Nullable [] memory,
      MemorySegment staging,
      Wire wire) {
    return bind(process, memory, new MemorySegment[0], staging, wire, 0, NUMBER_OF_NONE, NOBODY);
  }

  /**
   * The same for a composition.
   *
   * @param memory as for a plan, without the callers' memory
   * @param views a segment for each view of the composition's memories, by its number; those of
   *     other processes are ignored; empty for a plan
   * @param queue the queue of the process that runs it; see {@link
   *     dev.tutti.engine.queue.OperationQueues}
   * @param number see {@link RankBinding#number}
   * @param owner see {@link RankBinding#owner}
   */
  public MessageRun bind(
      int process,
      @Nullable MemorySegment[] @Nullable [] memory,
      @Nullable MemorySegment[] views,
      MemorySegment staging,
      Wire wire,
      int queue,
      long number,
      Object owner) {
    Lowered program = programs.get(process);
    if (staging.byteSize() < program.stagingBytes()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "staging memory of process %d needs %d bytes. Actual: %d bytes",
          process,
          program.stagingBytes(),
          staging.byteSize());
    }
    MemorySegment[] bound = new MemorySegment[slots.count() + 1];
    Arrays.fill(bound, MemorySegment.NULL);
    for (int rank = 0; rank < processOf.length; rank++) {
      if (processOf[rank] == process) {
        @Nullable MemorySegment[] own = memory[rank];
        for (TransportMemType type : MemorySlots.TYPES) {
          int kind = type.ordinal();
          slots.set(bound, rank, type, own == null ? MemorySegment.NULL : reachable(own, kind));
        }
      }
    }
    for (int view = 0; view < slots.views(); view++) {
      if (processOf[slots.rankOfView(view)] == process) {
        slots.setView(bound, view, reachable(views, view));
      }
    }
    bound[slots.count()] = staging;
    TaskRunner runner = new TaskRunner(program.tasks(), kernels, bound, false);
    int[] processes = processOf;
    return new MessageRun(
        program.tasks(),
        runner,
        bound,
        frames,
        wire,
        rank -> processes[rank] == process,
        queue,
        number,
        owner);
  }

  /** The segment at an index, which must be off-heap; {@code NULL} if there is none. */
  private static MemorySegment reachable(@Nullable MemorySegment[] all, int index) {
    MemorySegment segment = index < all.length ? all[index] : null;
    if (segment != null && !segment.isNative()) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "memory that messages go to and from must be off-heap; copy heap arrays to native memory"
              + " first. Actual: %s",
          segment);
    }
    return segment == null ? MemorySegment.NULL : segment;
  }
}
