package dev.tutti.engine;

import dev.tutti.engine.MessageLowering.Lowered;
import dev.tutti.engine.message.RandomNetwork;
import dev.tutti.engine.message.Wire;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs an all-reduce by processes that send each other messages, all in one thread. A caller
 * overwrites its buffers as soon as its process is done.
 */
final class MessageJob {

  private static final EngineConfig CONFIG =
      new EngineConfig(1, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  private static final MemorySegment[] NO_VIEWS = {};

  private final AllReduceCase work;
  private final int[] processOf;
  private final UnrolledPrograms programs;
  private final List<Lowered> lowered;

  /**
   * A job.
   *
   * @param processOf the process of each rank
   * @param piece the most bytes of a message
   */
  MessageJob(AllReduceCase work, int[] processOf, long piece) {
    this.work = work;
    this.processOf = processOf;
    this.programs = PlanCompiler.programs(work.plan(), CONFIG);
    this.lowered = new ArrayList<>(MessageLowering.lower(programs.whole(), processOf, piece));
  }

  int processes() {
    return lowered.size();
  }

  TaskArrays tasks(int process) {
    return lowered.get(process).tasks();
  }

  /** Replaces the program of a process. */
  void change(int process, UnaryOperator<TaskArrays> change) {
    Lowered before = lowered.get(process);
    lowered.set(process, new Lowered(change.apply(before.tasks()), before.stagingBytes()));
  }

  /**
   * Runs it once.
   *
   * @param seed the seed of the order of processes
   * @param eager the share of messages that leave before they are received; from 0 to 1
   * @param isLazy whether messages arrive only when nothing else can happen
   * @return the outputs of all ranks as they were when their process was done
   * @throws IllegalStateException if the processes are stuck, or leave messages behind
   */
  MemorySegment[] run(long seed, double eager, boolean isLazy) {
    MessagePlan plan = new MessagePlan(programs, processOf, lowered);
    RandomNetwork network = new RandomNetwork(processes(), seed, eager);
    MemorySegment[] outputs = new MemorySegment[processOf.length];
    run(plan, work.memory(), NO_VIEWS, network, process -> end(process, outputs), isLazy);
    return outputs;
  }

  /**
   * Runs the programs of all processes once, with staging memory that has arbitrary contents before
   * and after.
   *
   * @param memory the memory of all ranks
   * @param views the views of a composition
   * @param ended gets each process once when it has ended
   */
  static void run(
      MessagePlan plan,
      @Nullable MemorySegment[] @Nullable [] memory,
      MemorySegment[] views,
      RandomNetwork network,
      IntConsumer ended,
      boolean isLazy) {
    List<MemorySegment> stagings = new ArrayList<>();
    List<MessageRun> runs = new ArrayList<>();
    for (int process = 0; process < plan.processes(); process++) {
      stagings.add(Arena.ofAuto().allocate(plan.stagingBytes(process), 64).fill((byte) 77));
      Wire wire = network.wire(process);
      runs.add(plan.bind(process, memory, views, stagings.get(process), wire, 0, 0, "a test"));
      runs.getLast().begin();
    }
    network.run(
        process -> runs.get(process).advance(),
        process -> runs.get(process).isDone(),
        process -> {
          ended.accept(process);
          stagings.get(process).fill((byte) 88);
        },
        isLazy);
  }

  private void end(int process, MemorySegment[] outputs) {
    for (int rank = 0; rank < processOf.length; rank++) {
      if (processOf[rank] == process) {
        MemorySegment output = work.output(rank);
        outputs[rank] = Arena.ofAuto().allocate(output.byteSize()).copyFrom(output);
        output.fill((byte) 55);
        work.input(rank).fill((byte) 66);
      }
    }
  }

  @Override
  public String toString() {
    return "processes of ranks " + Arrays.toString(processOf);
  }
}
