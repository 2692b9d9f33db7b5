package dev.tutti.host.job;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.call.CallOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls of one rank with a plugin that is being replaced; every result is checked. */
final class SwapLoad {

  private static final int KEPT = 64;

  /** New counts are planned anew. */
  private static final int COUNTS = 97;

  private final RankHandle summing;
  private final RankHandle moving;
  private final MemorySegment keptIn;
  private final MemorySegment keptOut;
  private final MemorySegment capturedIn;
  private final MemorySegment capturedOut;
  private final int ranks;
  private final int own;
  private final boolean captures;

  /**
   * Makes the load of a rank.
   *
   * @param captures whether it replays a captured call, too
   */
  SwapLoad(Context context, RankHandle rank, boolean captures) {
    this.captures = captures;
    this.summing = rank.with(CallOptions.defaults().withAlgorithm(SwapJars.SUM));
    this.moving = rank.with(CallOptions.defaults().withAlgorithm(SwapJars.MOVE));
    this.keptIn = context.allocate(4L * KEPT).segment();
    this.keptOut = context.allocate(4L * KEPT).segment();
    this.capturedIn = context.allocate(4L * KEPT).segment();
    this.capturedOut = context.allocate(4L * KEPT).segment();
    this.ranks = rank.rankSize();
    this.own = rank.rank();
  }

  /** Whether this is the rank whose process decides which plugins serve. */
  boolean isFirst() {
    return own == 0;
  }

  /**
   * Calls until rank 0 has had enough.
   *
   * @param isOver whether it has; not asked in other ranks
   * @return the number of rounds
   */
  long run(BooleanSupplier isOver) {
    if (!captures) {
      return run(isOver, null);
    }
    CallOptions options = CallOptions.defaults().withAlgorithm(SwapJars.SUM);
    try (Captured captured =
        summing
            .group()
            .capture(
                same ->
                    same.with(options)
                        .allReduce(capturedIn, capturedOut, DataType.INT32, ReduceOp.SUM))) {
      return run(isOver, captured);
    }
  }

  private long run(BooleanSupplier isOver, @Nullable Captured captured) {
    long rounds = 0;
    boolean goesOn = true;
    while (goesOn) {
      int round = (int) rounds;
      keptIn.setAtIndex(ValueLayout.JAVA_INT, 0, own == 0 && isOver.getAsBoolean() ? 1 : 0);
      sum(keptIn, keptOut, round, 1);
      goesOn = keptOut.getAtIndex(ValueLayout.JAVA_INT, 0) == 0;
      if (round % 4 == 0) {
        int count = 1 + round / 4 % COUNTS;
        sum(ints(count), ints(count), round, 0);
      }
      if (round % 5 == 0 && captured != null) {
        fill(capturedIn, round, 0);
        captured.run();
        check(capturedOut, round, 0);
      }
      if (round % 3 == 0) {
        move(round % ranks, (round + 1) % ranks, 1 + round % 50);
      }
      rounds++;
    }
    return rounds;
  }

  private static MemorySegment ints(int count) {
    return MemorySegment.ofArray(new int[count]);
  }

  /** Adds up numbers that all ranks know, from an index on. */
  void sum(MemorySegment in, MemorySegment out, int base, int from) {
    fill(in, base, from);
    summing.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
    check(out, base, from);
  }

  /** Starts what {@link #sum} does; the result is to be checked when it has ended. */
  RankRequest start(MemorySegment in, MemorySegment out, int base) {
    fill(in, base, 0);
    return summing.requests().allReduce(in, out, DataType.INT32, ReduceOp.SUM).start();
  }

  void checkSum(MemorySegment out, int base) {
    check(out, base, 0);
  }

  private void fill(MemorySegment in, int base, int from) {
    for (long i = from; i < in.byteSize() / 4; i++) {
      in.setAtIndex(ValueLayout.JAVA_INT, i, base + own + (int) i);
    }
  }

  private void check(MemorySegment out, int base, int from) {
    for (long i = from; i < out.byteSize() / 4; i++) {
      int expected = ranks * (base + (int) i) + ranks * (ranks - 1) / 2;
      require(expected, out.getAtIndex(ValueLayout.JAVA_INT, i), "sum in round " + base);
    }
  }

  /** Sends numbers from one rank to another; does nothing in all others. */
  void move(int source, int destination, int count) {
    int first = 1000 * source + count;
    MemorySegment data = ints(count);
    if (own == source) {
      for (int i = 0; i < count; i++) {
        data.setAtIndex(ValueLayout.JAVA_INT, i, first + i);
      }
      moving.send(data, DataType.INT32, destination);
    } else if (own == destination) {
      moving.receive(data, DataType.INT32, source);
      for (int i = 0; i < count; i++) {
        require(first + i, data.getAtIndex(ValueLayout.JAVA_INT, i), "sent by " + source);
      }
    }
  }

  private void require(int expected, int actual, String what) {
    if (expected != actual) {
      throw new AssertionError(
          "rank %d: expected %d, actual %d, %s".formatted(own, expected, actual, what));
    }
  }
}
