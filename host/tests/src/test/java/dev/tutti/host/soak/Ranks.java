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
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * The life of a group whose ranks call for themselves: agreed calls, mismatches, cancels, splits,
 * ranks that end early.
 */
final class Ranks implements Soak.Actor {

  private static final int STEPS = 20;

  /** What ends a rank's body early. */
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
        // As it must be: what the body throws comes out.
      }
      group.run(RankHandle::barrier);
    }
  }

  /** The same decisions on all ranks, but for those of its own. */
  private static void live(RankHandle rank, Random shared, Random own) {
    for (int step = 0; step < STEPS; step++) {
      int count = 1 + shared.nextInt(500);
      switch (shared.nextInt(6)) {
        case 0 -> mismatch(rank, count, shared.nextInt(rank.rankSize()));
        case 1 -> cancel(rank, count, own);
        case 2 -> {
          RankHandle half = rank.split(rank.rank() % 2, -rank.rank()).orElseThrow();
          sum(half, count);
        }
        case 3 -> gather(rank, step);
        default -> sum(rank, count);
      }
    }
  }

  private static void sum(RankHandle rank, int count) {
    int[] data = new int[count];
    java.util.Arrays.fill(data, count);
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

  private static void mismatch(RankHandle rank, int count, int odd) {
    int[] data = new int[rank.rank() == odd ? count + 1 : count];
    try {
      rank.allReduce(data, data, ReduceOp.SUM);
      throw new AssertionError("counts that differ were accepted");
    } catch (TuttiException e) {
      expect(e, ErrorCode.CALL_MISMATCH);
    }
  }

  private static void cancel(RankHandle rank, int count, Random own) {
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
