package dev.tutti.host.soak;

import static dev.tutti.host.soak.Calls.expect;
import static dev.tutti.host.soak.Calls.require;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The life of a group whose ranks call for themselves: agreed calls, many in flight, mismatches,
 * mistakes, cancels, interrupts, splits, ranks that end early.
 */
final class Ranks implements Soak.Actor {

  static final int FEW = 8;
  static final int MOST_ROUNDS = 40;

  private static final int STEPS = 20;

  /** Ends a rank's body early. */
  private static final class Gone extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Context context;

  Ranks(Context context) {
    this.context = context;
  }

  @Override
  public void turn(Random random) {
    long seed = random.nextLong();
    try (Group group = context.createGroup(2 + random.nextInt(3))) {
      group.run(rank -> live(rank, new Random(seed), new Random(seed + 1 + rank.rank())));
      try {
        group.run(rank -> leaveOne(rank));
        throw new AssertionError("nobody is missed");
      } catch (Gone e) {
        // Expected: the body's exception is thrown here.
      }
      group.run(RankHandle::barrier);
    }
  }

  /** Makes the same decisions on all ranks, except its own ones. */
  private static void live(RankHandle rank, Random shared, Random own) {
    for (int step = 0; step < STEPS; step++) {
      int count = 1 + shared.nextInt(500);
      switch (shared.nextInt(10)) {
        case 0 -> mismatch(rank, count, shared.nextInt(rank.rankSize()));
        case 1 -> cancel(rank, count, own);
        case 2 -> {
          RankHandle half = rank.split(rank.rank() % 2, -rank.rank()).orElseThrow();
          sum(half, count);
        }
        case 3 -> gather(rank, step);
        case 4 -> mistake(rank, count, shared.nextInt(rank.rankSize()));
        case 5 -> manyInFlight(rank, 1 + shared.nextInt(70), own);
        case 6 -> interrupt(rank, count, own);
        case 7 -> again(rank, 1 + count % FEW, shared, own);
        default -> sum(rank, count);
      }
    }
  }

  private static void sum(RankHandle rank, int count) {
    int[] data = new int[count];
    Arrays.fill(data, count);
    rank.allReduce(data, data, ReduceOp.SUM);
    for (int each : data) {
      require(each == count * rank.rankSize(), "a wrong sum " + each);
    }
  }

  private static void gather(RankHandle rank, int step) {
    int[] out = new int[rank.rankSize()];
    rank.allGather(new int[] {step + rank.rank()}, out);
    for (int each = 0; each < out.length; each++) {
      require(out[each] == step + each, "a wrong element " + out[each]);
    }
  }

  static void mismatch(RankHandle rank, int count, int odd) {
    int[] data = new int[rank.rank() == odd ? count + 1 : count];
    try {
      rank.allReduce(data, data, ReduceOp.SUM);
      throw new AssertionError("counts that differ were accepted");
    } catch (TuttiException e) {
      expect(e, ErrorCode.CALL_MISMATCH);
    }
  }

  static void mistake(RankHandle rank, int count, int odd) {
    boolean isOdd = rank.rank() == odd;
    try {
      rank.allReduce(new int[count], new int[isOdd ? count - 1 : count], ReduceOp.SUM);
      throw new AssertionError("an output that is too short was accepted");
    } catch (TuttiException e) {
      expect(e, isOdd ? ErrorCode.BUFFER_TOO_SMALL : ErrorCode.CALL_MISMATCH);
    }
  }

  private static void manyInFlight(RankHandle rank, int operations, Random own) {
    List<int[]> sums = new ArrayList<>();
    List<RankRequest> started = new ArrayList<>();
    List<CompletableFuture<Void>> told = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      int[] sum = {i, rank.rank()};
      sums.add(sum);
      RankRequest request = rank.requests().allReduce(sum, sum, ReduceOp.SUM).start();
      if (own.nextInt(3) == 0) {
        told.add(request.completion().toCompletableFuture());
      } else {
        started.add(request);
      }
    }
    started.forEach(RankRequest::await);
    told.forEach(CompletableFuture::join);
    int ranks = rank.rankSize();
    for (int i = 0; i < operations; i++) {
      boolean isRight = sums.get(i)[0] == i * ranks && sums.get(i)[1] == ranks * (ranks - 1) / 2;
      require(isRight, "a wrong sum of operation " + i);
    }
  }

  /** The wait may be over before the interrupt is noticed. */
  private static void interrupt(RankHandle rank, int count, Random own) {
    int[] data = new int[count];
    Arrays.fill(data, count);
    RankRequest request = rank.requests().allReduce(data, data, ReduceOp.SUM).start();
    if (own.nextBoolean()) {
      Thread.currentThread().interrupt();
    }
    try {
      request.await();
    } catch (TuttiException e) {
      expect(e, ErrorCode.INTERRUPTED);
      require(Thread.interrupted(), "the interrupt is kept");
      request.await();
    }
    boolean ignored = Thread.interrupted();
    require(data[count - 1] == count * rank.rankSize(), "a wrong sum " + data[count - 1]);
  }

  static void cancel(RankHandle rank, int count, Random own) {
    int[] data = new int[count];
    MemorySegment memory = MemorySegment.ofArray(data);
    RankRequest request =
        rank.requests().allReduce(memory, memory, DataType.INT32, ReduceOp.SUM).start();
    if (own.nextInt(4) == 0) {
      request.cancel();
    }
    try {
      if (own.nextBoolean()) {
        Await.spin(request::test);
      } else {
        request.await();
      }
    } catch (TuttiException e) {
      expect(e, ErrorCode.CANCELLED);
    }
  }

  /** Makes a call of few bytes in memory that is freed afterwards. */
  private static void again(RankHandle rank, int count, Random shared, Random own) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment in = arena.allocate(4L * count, 4);
      MemorySegment out = shared.nextBoolean() ? in : arena.allocate(4L * count, 4);
      again(rank, in, out, shared.nextInt(MOST_ROUNDS), true, own);
    }
  }

  /** Makes a call with the same buffers again and again; some of these calls may be cancelled. */
  static void again(
      RankHandle rank,
      MemorySegment in,
      MemorySegment out,
      int rounds,
      boolean mayCancel,
      Random own) {
    int ranks = rank.rankSize();
    RankRequest request = rank.requests().allReduce(in, out, DataType.INT32, ReduceOp.SUM);
    for (int round = 0; round < rounds; round++) {
      for (long at = 0; at < in.byteSize(); at += 4) {
        in.set(ValueLayout.JAVA_INT, at, rank.rank() + round);
      }
      if (isDone(request, mayCancel, own)) {
        for (long at = 0; at < out.byteSize(); at += 4) {
          int sum = out.get(ValueLayout.JAVA_INT, at);
          require(sum == ranks * round + ranks * (ranks - 1) / 2, "a wrong sum " + sum);
        }
      }
    }
  }

  private static boolean isDone(RankRequest request, boolean mayCancel, Random own) {
    try {
      request.start();
      if (mayCancel && own.nextInt(10) == 0) {
        request.cancel();
      }
      if (own.nextInt(10) == 0) {
        LockSupport.parkNanos(own.nextInt(100_000));
      }
      if (own.nextInt(4) == 0) {
        Await.spin(request::test);
      } else {
        request.await();
      }
      return true;
    } catch (TuttiException e) {
      if (!mayCancel) {
        throw e;
      }
      expect(e, ErrorCode.CANCELLED);
      return false;
    }
  }

  /** Rank 0 ends its body while the others wait for it. */
  private static void leaveOne(RankHandle rank) {
    if (rank.rank() == 0) {
      throw new Gone();
    }
    try {
      rank.barrier();
      throw new AssertionError("a barrier without rank 0");
    } catch (TuttiException e) {
      expect(e, ErrorCode.INVALID_STATE);
    }
  }
}
