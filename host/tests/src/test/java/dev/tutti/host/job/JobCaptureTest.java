package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.capture.CaptureProgram;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A capture of ranks in separate contexts gives the same bits as the calls one by one. */
@ParameterizedClass
@EnumSource(names = {"MEMORY", "MESSAGES"})
@Timeout(600)
final class JobCaptureTest {

  @Parameter private Link link;

  private static final int PROGRAMS = 12;

  /** Runs a body in a group of all ranks, with more algorithms to choose from. */
  private <T> List<T> inGroup(int ranks, OneJvmJob.Body<T> body) throws Exception {
    return OneJvmJob.run(
        link,
        ranks,
        builder ->
            builder
                .algorithm("staged", new CaptureProgram.StagedAllReduce())
                .cclBufferSize(4096)
                .workers(2),
        context -> {
          try (Group group = context.createGroup(ranks)) {
            return body.run(context, group.rank(group.localRanks()[0]));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void replayingGivesTheBitsOfCallingOneByOne(int ranks) throws Exception {
    List<CaptureProgram> programs =
        IntStream.range(0, PROGRAMS).mapToObj(seed -> new CaptureProgram(seed, ranks)).toList();
    inGroup(
        ranks,
        (context, rank) -> {
          for (CaptureProgram program : programs) {
            replay(context, rank, program);
          }
          return null;
        });
  }

  /** Replays four times, with an eager run in between. */
  private static void replay(Context context, RankHandle rank, CaptureProgram program) {
    try (Arena arena = Arena.ofShared()) {
      CaptureProgram.Memories eager = CaptureProgram.Memories.of(context, arena);
      CaptureProgram.Memories mine = CaptureProgram.Memories.of(context, arena);
      eager.fill(-1 - rank.rank());
      mine.fill(-1 - rank.rank());
      Captured captured = rank.group().capture(same -> program.run(same, mine));
      assertThat(mine.hasBitsOf(eager)).as("nothing moves while recording").isTrue();
      for (int round = 0; round < 5; round++) {
        eager.fill(100L * round + rank.rank());
        mine.fill(100L * round + rank.rank());
        program.run(rank, eager);
        if (round == 1) {
          program.run(rank, mine);
        } else {
          captured.run();
        }
        assertThat(mine.hasBitsOf(eager))
            .as("rank %d, round %d, %s%n%s", rank.rank(), round, program, captured.explain())
            .isTrue();
      }
      captured.close();
    }
  }

  private static MemorySegment ints(Context context, int count, int first) {
    MemorySegment memory = context.allocate(4L * count).segment();
    for (int i = 0; i < count; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, first + i);
    }
    return memory;
  }

  private static void sum(RankHandle rank, MemorySegment in, MemorySegment out) {
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
  }

  /** Replays and ordinary calls are started without a wait, and end in the order of their start. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void replaysAndOrdinaryCallsAreInFlightTogether(int ranks) throws Exception {
    // A process that is alone in a job without shared memory replays like one without a job.
    assumeThat(ranks > 1 || link == Link.MEMORY).isTrue();
    List<Integer> results =
        inGroup(
            ranks,
            (context, rank) -> {
              MemorySegment a = ints(context, 3, 1);
              MemorySegment b = ints(context, 3, 0);
              Captured first = rank.group().capture(same -> sum(same, a, b));
              Captured second = rank.group().capture(same -> sum(same, b, a));
              RankRequest largest = rank.requests().allReduce(a, a, DataType.INT32, ReduceOp.MAX);
              for (int round = 0; round < 200; round++) {
                a.setAtIndex(ValueLayout.JAVA_INT, 0, round % 100 + rank.rank());
                first.start();
                second.start();
                largest.start();
                largest.await();
                assertThat(first.test()).isTrue();
                second.await();
                int sum = ranks * (round % 100) + ranks * (ranks - 1) / 2;
                assertThat(a.getAtIndex(ValueLayout.JAVA_INT, 0)).isEqualTo(ranks * sum);
              }
              return b.getAtIndex(ValueLayout.JAVA_INT, 0);
            });
    assertThat(results).allMatch(each -> each.equals(results.getFirst()));
  }

  /** Nothing moves, although the ranks know how to run the call. */
  @Test
  void aCallThatWasRunBeforeIsRecordedToo() throws Exception {
    inGroup(
        2,
        (context, rank) -> {
          MemorySegment in = ints(context, 3, rank.rank());
          MemorySegment out = ints(context, 3, 0);
          RankRequest request = rank.requests().allReduce(in, out, DataType.INT32, ReduceOp.SUM);
          for (int round = 0; round < 3; round++) {
            sum(rank, in, out);
            request.start().await();
            assertThat(out.getAtIndex(ValueLayout.JAVA_INT, 1)).isEqualTo(3);
            out.fill((byte) 0);
            Captured captured =
                rank.group()
                    .capture(
                        same -> {
                          sum(same, in, out);
                          request.start().await();
                        });
            assertThat(out.getAtIndex(ValueLayout.JAVA_INT, 1)).isZero();
            assertThat(captured.calls()).hasSize(2);
            captured.run();
            assertThat(out.getAtIndex(ValueLayout.JAVA_INT, 1)).isEqualTo(3);
          }
          return null;
        });
  }

  /** Rank 1 hands on what rank 0 sends, while rank 2 does something else, in any order. */
  @Test
  void transfersComeInTheOrderInWhichRanksMadeThem() throws Exception {
    inGroup(
        3,
        (context, rank) -> {
          MemorySegment data = ints(context, 4, 0);
          MemorySegment other = ints(context, 4, 0);
          Captured captured =
              rank.group()
                  .capture(
                      same -> {
                        for (int round = 0; round < 4; round++) {
                          if (rank.rank() > 0) {
                            same.receive(data, DataType.INT32, rank.rank() - 1);
                          }
                          if (rank.rank() < 2) {
                            same.send(data, DataType.INT32, rank.rank() + 1);
                          }
                          sum(same, data, other);
                          sum(same, other, data);
                        }
                      });
          assertThat(captured.calls()).hasSize(16);
          for (int run = 0; run < 3; run++) {
            data.setAtIndex(ValueLayout.JAVA_INT, 2, rank.rank() == 0 ? 1 + run : -7);
            captured.run();
            assertThat(data.getAtIndex(ValueLayout.JAVA_INT, 2))
                .isEqualTo((1 + run) * 9 * 9 * 9 * 9);
          }
          return null;
        });
  }

  @Test
  void manyReplaysAreInFlight() throws Exception {
    inGroup(
        3,
        (context, rank) -> {
          List<Captured> all = new ArrayList<>();
          List<MemorySegment> outputs = new ArrayList<>();
          for (int i = 0; i < 40; i++) {
            MemorySegment in = ints(context, 5, i + rank.rank());
            MemorySegment between = MemorySegment.ofArray(new int[5]);
            MemorySegment out = MemorySegment.ofArray(new int[5]);
            outputs.add(out);
            all.add(
                rank.group()
                    .capture(
                        same -> {
                          sum(same, in, between);
                          sum(same, between, out);
                        }));
          }
          for (int round = 0; round < 5; round++) {
            all.forEach(Captured::start);
            for (int i = 0; i < all.size(); i++) {
              all.get(i).await();
              assertThat(outputs.get(i).getAtIndex(ValueLayout.JAVA_INT, 4))
                  .isEqualTo(3 * (3 * (i + 4) + 3));
              outputs.get(i).fill((byte) 0);
            }
          }
          assertThat(all).allMatch(each -> each.isStaged() && each.calls().size() == 2);
          return null;
        });
  }
}
