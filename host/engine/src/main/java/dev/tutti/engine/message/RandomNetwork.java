package dev.tutti.engine.message;

import dev.tutti.base.text.Sentence;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Wires between processes of one JVM, for tests. They use all the freedom that a network has.
 * Messages of different pairs overtake each other. Some bytes are read when they are sent, others
 * when they arrive. Memory that receives bytes has other contents until they arrive. One thread at
 * a time may use it.
 */
public final class RandomNetwork {

  /** The message is already done for its sender. */
  private static final int LEFT = -1;

  private final int processes;
  private final SplittableRandom random;
  private final double eager;

  /** The messages that one end has begun, or both, by pair. */
  private final List<Pair> pairs = new ArrayList<>();

  /** The messages of each process that are on their way. */
  private final List<BitSet> open = new ArrayList<>();

  /** The messages of each process that it has begun and not found done. */
  private final List<BitSet> kept = new ArrayList<>();

  private record End(int message, MemorySegment memory) {}

  private record Pair(int from, int to, Queue<End> sent, Queue<End> received) {}

  /**
   * Makes a network.
   *
   * @param processes the number of processes
   * @param seed chooses the order
   * @param eager the share of messages that are done for their sender before their receipt; from 0
   *     to 1
   */
  public RandomNetwork(int processes, long seed, double eager) {
    this.processes = processes;
    this.random = new SplittableRandom(seed);
    this.eager = eager;
    for (int from = 0; from < processes; from++) {
      open.add(new BitSet());
      kept.add(new BitSet());
      for (int to = 0; to < processes; to++) {
        pairs.add(new Pair(from, to, new ArrayDeque<>(), new ArrayDeque<>()));
      }
    }
  }

  /**
   * All ways to divide ranks among processes.
   *
   * @return the process of each rank; all ranks in one process come first, and one in each last
   */
  public static List<int[]> splits(int ranks) {
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

  /** The wire of a process. */
  public Wire wire(int process) {
    return new Wire() {
      @Override
      public void send(int message, int to, MemorySegment memory, long offset, long bytes) {
        MemorySegment sent = memory.asSlice(offset, bytes);
        begin(process, message);
        if (random.nextDouble() < eager) {
          open.get(process).clear(message);
          pair(process, to).sent.add(new End(LEFT, Arena.ofAuto().allocate(bytes).copyFrom(sent)));
        } else {
          pair(process, to).sent.add(new End(message, sent));
        }
      }

      @Override
      public void receive(int message, int from, MemorySegment memory, long offset, long bytes) {
        MemorySegment received = memory.asSlice(offset, bytes);
        begin(process, message);
        received.fill((byte) random.nextInt());
        pair(from, process).received.add(new End(message, received));
      }

      @Override
      public boolean isDone(int message) {
        boolean isDone = !open.get(process).get(message);
        kept.get(process).set(message, !isDone);
        return isDone;
      }
    };
  }

  private void begin(int process, int message) {
    if (kept.get(process).get(message)) {
      throw new IllegalStateException(
          "process " + process + " begins message " + message + " twice");
    }
    open.get(process).set(message);
    kept.get(process).set(message);
  }

  private Pair pair(int from, int to) {
    return pairs.get(from * processes + to);
  }

  /**
   * Runs processes, each for a while, in a random order, until all have ended and all messages have
   * arrived.
   *
   * @param advance runs a process until it has to wait; returns whether it made progress
   * @param isDone whether a process has ended
   * @param ended receives each process once when it has ended
   * @param isLazy whether messages arrive only when nothing else can happen
   * @throws IllegalStateException if processes wait for each other forever, only one end has begun
   *     a message, or a process ends before it has found all of its messages done
   */
  public void run(IntPredicate advance, IntPredicate isDone, IntConsumer ended, boolean isLazy) {
    BitSet running = new BitSet();
    running.set(0, processes);
    while (!running.isEmpty()) {
      boolean getsOn = !isLazy && random.nextBoolean() && deliver();
      int first = random.nextInt(processes);
      for (int i = 0; i < processes && !getsOn; i++) {
        int process = (first + i) % processes;
        if (running.get(process)) {
          getsOn = advance.test(process);
          if (isDone.test(process)) {
            getsOn = true;
            running.clear(process);
            ended.accept(process);
            requireNoneKept(process);
          }
        }
      }
      if (!getsOn && !deliver()) {
        throw new IllegalStateException("processes " + running + " wait for each other");
      }
    }
    while (deliver()) {
      // Messages that no process waited for arrive late.
    }
    for (Pair pair : pairs) {
      if (!pair.sent.isEmpty() || !pair.received.isEmpty()) {
        throw new IllegalStateException(
            Sentence.of(
                "%d messages from process %d to process %d are not received, and %d not sent",
                pair.sent.size(), pair.from, pair.to, pair.received.size()));
      }
    }
  }

  private void requireNoneKept(int process) {
    if (!kept.get(process).isEmpty()) {
      throw new IllegalStateException(
          "process " + process + " ends without messages " + kept.get(process) + " being done");
    }
  }

  /** Lets one message arrive, if both of its ends have begun it. */
  private boolean deliver() {
    List<Pair> ready =
        pairs.stream().filter(p -> !p.sent.isEmpty() && !p.received.isEmpty()).toList();
    if (ready.isEmpty()) {
      return false;
    }
    Pair pair = ready.get(random.nextInt(ready.size()));
    End sent = pair.sent.remove();
    End received = pair.received.remove();
    if (sent.memory.byteSize() != received.memory.byteSize()) {
      throw new IllegalStateException(
          Sentence.of(
              "process %d sends %d bytes to process %d, which receives %d bytes",
              pair.from, sent.memory.byteSize(), pair.to, received.memory.byteSize()));
    }
    received.memory.copyFrom(sent.memory);
    if (sent.message != LEFT) {
      open.get(pair.from).clear(sent.message);
    }
    open.get(pair.to).clear(received.message);
    return true;
  }
}
