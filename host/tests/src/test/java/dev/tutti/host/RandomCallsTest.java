package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.job.OneJvmJob;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ranks start, test, await and cancel at random, several groups at once. Whatever happens, each
 * operation ends in the same way for all ranks, and results that were not cancelled are correct.
 */
@Timeout(600)
final class RandomCallsTest {

  private static final int OPERATIONS = 150;
  private static final int GROUPS = 3;
  private static final String DONE = "done";

  /** The outcome of each operation for one rank. */
  private static List<String> play(RankHandle rank, long seed) {
    Random shared = new Random(seed);
    Random own = new Random(31 * seed + rank.rank());
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      int[] in = {rank.rank(), i};
      int[] out = new int[2 * rank.rankSize()];
      int kind = shared.nextInt(4);
      RankRequest request = request(rank, kind, MemorySegment.ofArray(in), out);
      request.start();
      if (own.nextInt(12) == 0) {
        request.cancel();
      }
      String outcome = end(request, own.nextBoolean());
      if (outcome.equals(DONE)) {
        check(kind, rank, i, out);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private static RankRequest request(RankHandle rank, int kind, MemorySegment in, int[] result) {
    MemorySegment out = MemorySegment.ofArray(result);
    RankRequests requests = rank.requests();
    return switch (kind) {
      case 0 -> requests.barrier();
      case 1 -> requests.allReduce(in, out.asSlice(0, 8), DataType.INT32, ReduceOp.SUM);
      case 2 -> requests.broadcast(rank.rank() == 1 ? in : out.asSlice(0, 8), DataType.INT32, 1);
      default -> requests.allGather(in, out, DataType.INT32);
    };
  }

  private static String end(RankRequest request, boolean isPolled) {
    try {
      if (isPolled) {
        Await.spin(request::test);
      } else {
        request.await();
      }
      return DONE;
    } catch (TuttiException e) {
      assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.CANCELLED);
      return String.valueOf(e.getMessage());
    }
  }

  private static void check(int kind, RankHandle rank, int number, int[] out) {
    int ranks = rank.rankSize();
    int[] expected = new int[2 * ranks];
    switch (kind) {
      case 0 -> {}
      case 1 -> {
        expected[0] = ranks * (ranks - 1) / 2;
        expected[1] = ranks * number;
      }
      case 2 -> {
        expected[0] = rank.rank() == 1 ? 0 : 1;
        expected[1] = rank.rank() == 1 ? 0 : number;
      }
      default -> Arrays.setAll(expected, i -> i % 2 == 0 ? i / 2 : number);
    }
    assertThat(out).isEqualTo(expected);
  }

  @Test
  void everyOperationIsDoneOrCancelledInTheSameWayForAllRanks() throws InterruptedException {
    try (Context context = SampleAlgorithms.context()) {
      List<String> all = new ArrayList<>();
      for (long seed = 0; seed < 8; seed++) {
        List<List<String>> outcomes = playAll(context, seed);
        for (int first = 0; first < outcomes.size(); first += 3) {
          requireSameOutcomes(outcomes.subList(first, first + 3), seed);
        }
        outcomes.forEach(all::addAll);
      }
      assertThat(all).contains(DONE).anyMatch(outcome -> outcome.contains("cancelled operation"));
    }
  }

  private static void requireSameOutcomes(List<List<String>> ofGroup, long seed) {
    for (int i = 0; i < OPERATIONS; i++) {
      Set<String> ofRanks = new TreeSet<>();
      for (List<String> own : ofGroup) {
        ofRanks.add(own.get(i));
      }
      ofRanks.remove(DONE);
      assertThat(ofRanks).as("seed %d, operation %d", seed, i).hasSizeLessThan(2);
    }
  }

  @Test
  void theSameHoldsForRanksWithAContextEach() throws Exception {
    List<String> all = new ArrayList<>();
    for (long each = 0; each < 8; each++) {
      long seed = each;
      List<List<String>> outcomes = OneJvmJob.inGroup(3, (context, rank) -> play(rank, seed));
      requireSameOutcomes(outcomes, seed);
      outcomes.forEach(all::addAll);
    }
    assertThat(all).contains(DONE).anyMatch(outcome -> outcome.contains("cancelled operation"));
  }

  /** The outcomes for three ranks per group, group by group. */
  private static List<List<String>> playAll(Context context, long seed)
      throws InterruptedException {
    List<List<String>> outcomes = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < GROUPS; number++) {
      Group group = context.createGroup(3);
      for (int rank = 0; rank < 3; rank++) {
        RankHandle handle = group.rank(rank);
        List<String> own = new ArrayList<>();
        outcomes.add(own);
        long groupSeed = seed * GROUPS + number;
        threads.add(Thread.ofPlatform().start(() -> own.addAll(play(handle, groupSeed))));
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(outcomes).allSatisfy(own -> assertThat(own).hasSize(OPERATIONS));
    context.groups().forEach(Group::close);
    return outcomes;
  }
}
