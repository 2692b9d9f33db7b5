package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups that are made from a group whose ranks have a context each. */
@Timeout(600)
@ParameterizedClass
@EnumSource
final class JobSplitTest {

  @Parameter private Link link;

  /** Adds up a number of each rank. */
  private static int sum(Context context, RankHandle rank, int own) {
    try (var memory = context.allocate(8)) {
      MemorySegment in = memory.segment().asSlice(0, 4);
      MemorySegment out = memory.segment().asSlice(4, 4);
      in.set(ValueLayout.JAVA_INT, 0, own);
      rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
      return out.get(ValueLayout.JAVA_INT, 0);
    }
  }

  private static RankHandle own(Group group) {
    return group.rank(group.localRanks()[0]);
  }

  @Test
  void ranksOfOneColourGetAGroupInTheOrderOfTheirKeys() throws Exception {
    List<List<Integer>> results =
        OneJvmJob.inGroup(
            link,
            5,
            (context, rank) -> {
              int number = rank.rank();
              RankHandle half = rank.split(number % 2, -number).orElseThrow();
              return List.of(
                  half.rank(),
                  half.rankSize(),
                  sum(context, half, 1 << number),
                  sum(context, rank, 1 << number));
            });
    assertThat(results)
        .containsExactly(
            List.of(2, 3, 0b10101, 0b11111),
            List.of(1, 2, 0b01010, 0b11111),
            List.of(1, 3, 0b10101, 0b11111),
            List.of(0, 2, 0b01010, 0b11111),
            List.of(0, 3, 0b10101, 0b11111));
  }

  @Test
  void groupsOfGroupsWorkSideBySide() throws Exception {
    OneJvmJob.inGroup(
        link,
        4,
        (context, rank) -> {
          for (int round = 0; round < 30; round++) {
            int seed = round;
            int[] colours = new Random(seed).ints(4, 0, 2).toArray();
            int colour = colours[rank.rank()];
            RankHandle part = rank.split(colour, 0).orElseThrow();
            int members = (int) IntStream.of(colours).filter(each -> each == colour).count();
            assertThat(part.rankSize()).isEqualTo(members);
            assertThat(sum(context, part, 1)).isEqualTo(members);
            // A split of a part: each rank alone, in an operation of one.
            RankHandle alone = part.split(part.rank(), 0).orElseThrow();
            assertThat(sum(context, alone, rank.rank())).isEqualTo(rank.rank());
            assertThat(sum(context, rank, seed)).isEqualTo(4 * seed);
          }
          return null;
        });
  }

  /** Its group needs no agreement, although other processes are in the job. */
  @Test
  void aRankAloneInItsGroupCaptures() throws Exception {
    OneJvmJob.inGroup(
        link,
        3,
        (context, rank) -> {
          RankHandle alone = rank.split(rank.rank(), 0).orElseThrow();
          MemorySegment data = context.allocate(4).segment();
          try (Captured captured =
              alone.group().capture(same -> same.broadcast(data, DataType.INT32, 0))) {
            captured.run();
            captured.run();
          }
          assertThat(sum(context, rank, 1)).isEqualTo(3);
          return null;
        });
  }

  @Test
  void aTransferNamesRanksOfItsOwnGroup() throws Exception {
    List<Integer> got =
        OneJvmJob.inGroup(
            link,
            4,
            (context, rank) -> {
              RankHandle half = rank.split(rank.rank() / 2, -rank.rank()).orElseThrow();
              MemorySegment data = context.allocate(4).segment();
              if (half.rank() == 0) {
                data.set(ValueLayout.JAVA_INT, 0, rank.rank());
                half.send(data, DataType.INT32, 1);
              } else {
                half.receive(data, DataType.INT32, 0);
              }
              return data.get(ValueLayout.JAVA_INT, 0);
            });
    assertThat(got).containsExactly(1, 1, 3, 3);
  }

  @Test
  void aGroupOfSomeRanksCapturesAndReplays() throws Exception {
    assumeThat(link).isEqualTo(Link.MEMORY);
    OneJvmJob.inGroup(
        link,
        4,
        (context, rank) -> {
          // Neither group has its ranks in the order of the job, and one has no rank 0.
          RankHandle half = rank.split(rank.rank() % 2, -rank.rank()).orElseThrow();
          MemorySegment own = context.allocate(4).segment();
          MemorySegment all = context.allocate(8).segment();
          int[] array = new int[1];
          Captured captured =
              half.group()
                  .capture(
                      same -> {
                        same.allGather(own, all, DataType.INT32);
                        same.reduce(
                            own, MemorySegment.ofArray(array), DataType.INT32, ReduceOp.SUM, 0);
                      });
          for (int i = 0; i < 20; i++) {
            own.set(ValueLayout.JAVA_INT, 0, rank.rank() + i);
            captured.run();
            int low = rank.rank() % 2 + i;
            assertThat(all.toArray(ValueLayout.JAVA_INT)).containsExactly(low + 2, low);
            assertThat(array[0]).isEqualTo(half.rank() == 0 ? 2 * low + 2 : 0);
          }
          captured.close();
          return null;
        });
  }

  @Test
  void aRankWithoutAColourGetsNoGroup() throws Exception {
    List<Boolean> results =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              int colour = rank.rank() == 0 ? Group.NO_COLOUR : 4;
              Optional<RankHandle> part = rank.split(colour, 0);
              part.ifPresent(made -> assertThat(sum(context, made, 1)).isEqualTo(2));
              return part.isPresent();
            });
    assertThat(results).containsExactly(false, true, true);
  }

  @Test
  void membersMakeASubGroupByThemselves() throws Exception {
    OneJvmJob.run(
        link,
        4,
        builder -> builder,
        context -> {
          try (Group group = context.createGroup(4)) {
            int rank = group.localRanks()[0];
            if (rank == 2) {
              assertThatThrownBy(() -> group.subGroup(3, 1))
                  .isInstanceOfSatisfying(
                      TuttiException.class,
                      e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_RANK))
                  .hasMessageContaining("this is rank 2");
            }
            for (int round = 0; round < 3 && rank % 2 == 1; round++) {
              try (Group pair = group.subGroup(3, 1)) {
                assertThat(pair.worldRank(pair.localRanks()[0])).isEqualTo(rank);
                assertThat(pair.localRanks()).containsExactly(rank == 3 ? 0 : 1);
                assertThat(sum(context, own(pair), rank)).isEqualTo(4);
              }
            }
            assertThat(sum(context, own(group), 1)).isEqualTo(4);
            return null;
          }
        });
  }

  @Test
  void allProcessesMaySplitWithTheSameColours() throws Exception {
    OneJvmJob.run(
        link,
        3,
        builder -> builder,
        context -> {
          try (Group group = context.createGroup(3)) {
            Map<Integer, Group> parts = group.split(new int[] {7, 5, 7}, new int[] {2, 0, 1});
            int rank = group.localRanks()[0];
            assertThat(parts).containsOnlyKeys(rank == 1 ? 5 : 7);
            Group part = parts.values().iterator().next();
            assertThat(sum(context, own(part), rank)).isEqualTo(rank == 1 ? 1 : 2);
            return null;
          }
        });
  }

  @Test
  void aSplitThatNotAllMakeIsAMismatchAndTheGroupGoesOn() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              TuttiException error =
                  JobMistakesTest.errorOf(
                      () -> {
                        if (rank.rank() == 1) {
                          sum(context, rank, 1);
                        } else {
                          rank.split(0, 0);
                        }
                      });
              assertThat(rank.split(0, 0).orElseThrow().rankSize()).isEqualTo(3);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("rank 1 differs from rank 0 in its operation")
                    .hasMessageContaining("expected split, actual allreduce"));
  }

  @Test
  void whoeverWaitsInVainForTheOthersOfASubGroupGoesOn() throws Exception {
    OneJvmJob.run(
        link,
        2,
        builder -> builder.deadline(Duration.ofSeconds(2)),
        context -> {
          try (Group group = context.createGroup(2)) {
            if (group.localRanks()[0] == 0) {
              assertThatThrownBy(() -> group.subGroup(1, 0))
                  .isInstanceOfSatisfying(
                      TuttiException.class,
                      e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
                  .hasMessageContaining("sub-group 1 of ranks [1, 0] of group 1");
            }
            // Meanwhile, the other rank waits as long as necessary.
            sum(
                context,
                own(group).with(CallOptions.defaults().withDeadline(Duration.ofMinutes(1))),
                1);
            return null;
          }
        });
  }
}
