package dev.tutti.engine;

import dev.tutti.engine.MessageLowering.Lowered;
import dev.tutti.engine.message.RandomNetwork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs an all-reduce by processes that send each other messages, all in one thread. A caller
 * overwrites its buffers as soon as its process is done.
 */
final class MessageJob {

  private static final EngineConfig CONFIG =
      new EngineConfig(1, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

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
   * @param seed chooses who goes on when
   * @param eager how many messages leave before they are received; from 0 to 1
   * @param isLazy whether messages arrive only when nothing else can happen
   * @return the outputs of all ranks as they were when their process was done
   * @throws IllegalStateException if the processes are stuck, or leave messages behind
   */
  MemorySegment[] run(long seed, double eager, boolean isLazy) {
    MessagePlan plan = new MessagePlan(programs, processOf, lowered);
    RandomNetwork network = new RandomNetwork(processes(), seed, eager);
    List<MemorySegment> stagings = new ArrayList<>();
    List<MessageRun> runs = new ArrayList<>();
    for (int process = 0; process < processes(); process++) {
      MemorySegment staging = Arena.ofAuto().allocate(plan.stagingBytes(process), 64);
      staging.fill((byte) 77);
      stagings.add(staging);
      runs.add(plan.bind(process, work.memory(), staging, network.wire(process)));
      runs.getLast().begin();
    }
    MemorySegment[] outputs = new MemorySegment[processOf.length];
    network.run(
        process -> runs.get(process).advance(),
        process -> runs.get(process).isDone(),
        process -> {
          end(process, outputs);
          stagings.get(process).fill((byte) 88);
        },
        isLazy);
    return outputs;
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

  /** All ways to deal ranks to processes. */
  static List<int[]> splits(int ranks) {
    List<int[]> splits = new ArrayList<>();
    split(new int[ranks], 0, 0, splits);
    return splits;
  }

  private static void split(int[] processOf, int rank, int processes, List<int[]> splits) {
    if (rank == processOf.length) {
      splits.add(processOf.clone());
      return;
    }
    for (int process = 0; process <= processes; process++) {
      processOf[rank] = process;
      split(processOf, rank + 1, Math.max(processes, process + 1), splits);
    }
  }

  @Override
  public String toString() {
    return "processes of ranks " + Arrays.toString(processOf);
  }
}
