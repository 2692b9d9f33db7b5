package dev.tutti.host.job;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tutti.host.Await;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.Rte;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One rank of a job in a separate process. It adds up numbers with the others until an error
 * occurs, which it reports, or until it reaches the step at which it is killed or stopped.
 */
public final class JobChild {

  /** The steps at which a rank can end. */
  enum Step {
    START,
    JOINED,
    GROUP,
    PROPOSAL,
    OPERATION,
    INSIDE,
    ABANDON,
    SPLIT,
    CAPTURE,
    REPLAY,
    CLOSE,
    LEAVE;

    /** Whether all ranks go on with operations until one is gone. */
    boolean isEndless() {
      return this == PROPOSAL || this == OPERATION || this == CAPTURE || this == REPLAY;
    }

    /** Whether a rank gets its signal inside an operation. */
    boolean isInside() {
      return this == INSIDE || this == ABANDON;
    }

    /** Whether all ranks do something else than usual. */
    boolean isOfAll() {
      return isEndless() || isInside() || this == SPLIT;
    }
  }

  private static final int ROUNDS = 4;
  private static final int SIGKILL = 9;
  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;
  private static final Pattern PROCESS = Pattern.compile("rank 1 \\(process (\\d+)");

  /** The longest start of processes if all ranks come. */
  private static final Duration LONG = Duration.ofMinutes(2);

  /** The commands that send signals to a process. */
  private static final Map<String, String> COMMANDS =
      Map.of(
          "KILL", "kill -KILL $1",
          "STOP", "kill -STOP $1",
          "STOP, KILL", "kill -STOP $1; sleep 2; kill -KILL $1");

  private final Rte rte;
  private final Duration patience;
  private final Step last;
  private final String signal;

  private JobChild(Rte rte, String... arguments) {
    this.rte = rte;
    this.patience = Duration.ofSeconds(Long.parseLong(arguments[0]));
    this.last = arguments.length > 1 ? Step.valueOf(arguments[1]) : Step.LEAVE;
    this.signal = arguments.length > 2 ? arguments[2] : "";
  }

  /**
   * Runs ranks. Each is given the seconds to wait for others; where something special is done, the
   * step at which; and if this process gets a signal there, its name.
   */
  public static void main(String[] arguments) throws IOException {
    RankProcesses.serve((rte, words) -> new JobChild(rte, words).run());
  }

  private void run() throws IOException {
    at(Step.START);
    try (Context context =
        SampleAlgorithms.addTo(Context.builder())
            .workers(1)
            .rte(rte)
            .joinDeadline(last.isOfAll() ? LONG : patience)
            .deadline(patience)
            .open()) {
      at(Step.JOINED);
      try (Group group = context.createGroup(context.rte().ranks())) {
        at(Step.GROUP);
        RankHandle rank = group.rank(group.localRanks()[0]);
        Random counts = new Random(7);
        for (int round = 0; round < ROUNDS || last.isEndless(); round++) {
          int count = 1 + counts.nextInt(5000);
          MemorySegment in = context.allocate(4L * count).segment();
          MemorySegment out = Arena.ofAuto().allocate(4L * count, 8);
          for (int i = 0; i < 50; i++) {
            sum(rank, in, out, i);
            if (round > 0 && i == 0) {
              at(Step.PROPOSAL);
            }
          }
          if (round > 1) {
            at(Step.OPERATION);
          }
          capture(rank, in, out, round > 1);
        }
        if (last.isInside()) {
          waitInside(context, rank);
        } else if (last == Step.SPLIT) {
          goOnWithoutRankZero(context, rank);
        }
        at(Step.CLOSE);
      }
      at(Step.LEAVE);
    }
  }

  /**
   * Ranks 0 and 1 are in an operation that rank 2 does not start: it waits for something else. When
   * rank 1 has got its signal there, rank 0 may end its body without waiting, and then closes the
   * group before and after rank 1 goes on.
   */
  private void waitInside(Context context, RankHandle rank) {
    MemorySegment data = context.allocate(400).segment();
    long own = ProcessHandle.current().pid();
    data.set(JAVA_LONG, 0, own);
    RankHandle _ = rank.broadcast(data, DataType.INT64, 1);
    long process = data.get(JAVA_LONG, 0);
    RankRequest sum = rank.requests().allReduce(data, data, DataType.INT32, ReduceOp.SUM);
    if (rank.rank() == 2) {
      awaitSignal(process);
      RankHandle _ = rank.receive(data, DataType.INT32, 0);
    }
    if (rank.rank() == 0 && last == Step.ABANDON) {
      rank.group()
          .run(
              _ -> {
                RankRequest _ = sum.start();
                awaitSignal(process);
              });
      closeOnceRankOneGoesOn(rank.group());
      return;
    }
    RankRequest _ = sum.start();
    if (process == own) {
      send(signal.equals("STOP") ? SIGSTOP : SIGKILL, own);
    } else {
      awaitSignal(process);
    }
    sum.await();
  }

  private static void awaitSignal(long process) {
    Await.until(() -> ProcessState.of(process) != ProcessState.ALIVE);
  }

  /**
   * Ranks other than 0 have their own group. Known calls go on there without rank 0, and unknown
   * ones do not.
   */
  private void goOnWithoutRankZero(Context context, RankHandle rank) throws IOException {
    RankHandle part = rank.split(Math.min(1, rank.rank()), 0).orElseThrow();
    MemorySegment known = context.allocate(400).segment();
    sum(part, known.asSlice(0, 200), known.asSlice(200, 200), 1);
    rank.barrier();
    if (rank.rank() == 0) {
      at(Step.SPLIT);
      while (true) {
        LockSupport.park();
      }
    }
    try {
      for (int bytes = 4; ; bytes += 4) {
        MemorySegment unknown = context.allocate(bytes).segment();
        part.allReduce(unknown, unknown, DataType.INT32, ReduceOp.SUM);
      }
    } catch (TuttiException e) {
      System.out.println("CUT OFF " + e.code().name() + " " + e.getMessage());
    }
    for (int i = 0; i < 1000; i++) {
      sum(part, known.asSlice(0, 200), known.asSlice(200, 200), i);
    }
    System.out.println("WENT ON");
    sum(part, known.asSlice(0, 4), known.asSlice(200, 4), 1);
  }

  /** Adds up twice in a capture, and replays that. */
  private void capture(RankHandle rank, MemorySegment in, MemorySegment out, boolean isLate)
      throws IOException {
    Captured captured =
        rank.group()
            .capture(
                same -> {
                  same.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
                  if (isLate) {
                    atUnchecked(Step.CAPTURE);
                  }
                  same.allReduce(out, out, DataType.INT32, ReduceOp.MAX);
                });
    if (isLate) {
      at(Step.REPLAY);
    }
    for (int i = 0; i < 30; i++) {
      fill(in, i + rank.rank());
      captured.run();
      check(rank, out, i);
    }
    captured.close();
  }

  private void atUnchecked(Step step) {
    try {
      at(step);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sum(RankHandle rank, MemorySegment in, MemorySegment out, int base) {
    fill(in, base + rank.rank());
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
    check(rank, out, base);
  }

  private static void fill(MemorySegment in, int value) {
    for (long i = 0; i < in.byteSize() / 4; i++) {
      in.setAtIndex(JAVA_INT, i, value);
    }
  }

  private static void check(RankHandle rank, MemorySegment out, int base) {
    int ranks = rank.rankSize();
    int expected = ranks * base + ranks * (ranks - 1) / 2;
    for (long i = 0; i < out.byteSize() / 4; i++) {
      int actual = out.getAtIndex(JAVA_INT, i);
      if (actual != expected) {
        throw new AssertionError("expected " + expected + ", actual " + actual + " at " + i);
      }
    }
  }

  /** Lets a signal come soon after a step, while the process goes on. */
  private void at(Step step) throws IOException {
    if (step == last && !signal.isEmpty()) {
      String process = String.valueOf(ProcessHandle.current().pid());
      new ProcessBuilder("sh", "-c", COMMANDS.get(signal).replace("$1", process)).start();
    }
  }

  private static void closeOnceRankOneGoesOn(Group group) {
    boolean isClosed = false;
    while (!isClosed) {
      try {
        group.close();
        isClosed = true;
      } catch (TuttiException e) {
        System.out.println("NOT CLOSED " + e.code().name() + " " + e.getMessage());
        Matcher stopped = PROCESS.matcher(String.valueOf(e.getMessage()));
        if (stopped.find()) {
          send(SIGCONT, Long.parseLong(stopped.group(1)));
        }
      }
    }
  }

  /** Sends a process a signal without the delay of another process. */
  private static void send(int code, long process) {
    Linker linker = Linker.nativeLinker();
    try {
      int _ =
          (int)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("kill"),
                      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT))
                  .invokeExact((int) process, code);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
