package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.FlightEntry;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The uses of captures of ranks in separate contexts, besides running them. */
@ParameterizedClass
@EnumSource(names = {"MEMORY", "MESSAGES"})
@Timeout(600)
final class JobRebindTest {

  @Parameter private Link link;

  private static final int COUNT = 6;

  private static MemorySegment ints(Context context) {
    return context.allocate(4L * COUNT).segment();
  }

  private static void fill(MemorySegment memory, int value) {
    for (int i = 0; i < COUNT; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, value);
    }
  }

  private static int[] values(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_INT);
  }

  private static void sum(RankHandle rank, MemorySegment in, MemorySegment out) {
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
  }

  private static int[] all(int value) {
    return new int[] {value, value, value, value, value, value};
  }

  /** Each rank replaces different buffers, or none, with memory of another kind. */
  @Test
  void ranksReplaceTheirBuffersOnTheirOwn() throws Exception {
    OneJvmJob.inGroup(
        link,
        3,
        (context, rank) -> {
          MemorySegment in = ints(context);
          MemorySegment out = ints(context);
          fill(in, 1 + rank.rank());
          Captured captured =
              rank.group()
                  .capture(
                      same -> {
                        sum(same, in, out);
                        sum(same, out, out);
                      });
          captured.run();
          assertThat(values(out)).isEqualTo(all(18));
          MemorySegment array = MemorySegment.ofArray(new int[COUNT]);
          MemorySegment other = ints(context);
          fill(other, 10);
          if (rank.rank() == 0) {
            captured.rebind(out, array);
          } else if (rank.rank() == 1) {
            captured.rebind(in, other);
          }
          for (int round = 0; round < 3; round++) {
            fill(out, 0);
            captured.run();
            assertThat(values(rank.rank() == 0 ? array : out)).isEqualTo(all(42));
          }
          assertThat(captured.isStaged()).isEqualTo(rank.rank() == 0);
          if (rank.rank() == 0) {
            assertThat(values(out)).as("it is used no more").isEqualTo(all(0));
            captured.rebind(array, out);
          }
          sum(rank, in, ints(context));
          captured.run();
          assertThat(values(out)).isEqualTo(all(42));
          return null;
        });
  }

  @Test
  void buffersThatCannotReplaceOthersAreRefusedAndTheCaptureGoesOn() throws Exception {
    OneJvmJob.inGroup(
        link,
        2,
        (context, rank) -> {
          MemorySegment in = ints(context);
          MemorySegment out = ints(context);
          fill(in, 3);
          Captured captured = rank.group().capture(same -> sum(same, in, out));
          assertThatThrownBy(() -> captured.rebind(ints(context), ints(context)))
              .hasMessageContaining("no captured operation uses that buffer");
          assertThatThrownBy(() -> captured.rebind(in, out.asSlice(4)))
              .hasMessageContaining("must have at least that size");
          assertThatThrownBy(() -> captured.rebind(in, out))
              .hasMessageContaining("overlaps other buffers differently");
          assertThatThrownBy(() -> captured.rebind(out, ints(context).asReadOnly()))
              .hasMessageContaining("is read-only; give a writable buffer");
          Arena arena = Arena.ofShared();
          MemorySegment gone = arena.allocate(4L * COUNT);
          arena.close();
          assertThatThrownBy(() -> captured.rebind(out, gone)).hasMessageContaining("was freed");
          captured.run();
          assertThat(values(out)).isEqualTo(all(6));
          captured.close();
          assertThatThrownBy(() -> captured.rebind(in, ints(context)))
              .hasMessageContaining("it is closed");
          return null;
        });
  }

  @Test
  void aReplayBecomesPartOfAnotherCapture() throws Exception {
    OneJvmJob.inGroup(
        link,
        3,
        (context, rank) -> {
          MemorySegment in = ints(context);
          MemorySegment between = MemorySegment.ofArray(new int[COUNT]);
          MemorySegment out = ints(context);
          int next = (rank.rank() + 1) % 3;
          Captured inner =
              rank.group()
                  .capture(
                      same -> {
                        sum(same, in, between);
                        if (rank.rank() == 0) {
                          same.send(between, DataType.INT32, 1);
                        } else if (rank.rank() == 1) {
                          same.receive(out, DataType.INT32, 0);
                        }
                      });
          Captured outer =
              rank.group()
                  .capture(
                      same -> {
                        inner.run();
                        inner.start();
                        inner.await();
                        sum(same, between, out);
                      });
          assertThat(values(out)).isEqualTo(all(0));
          assertThat(outer.calls()).hasSize(5);
          fill(in, 2 + rank.rank());
          outer.run();
          assertThat(values(between)).isEqualTo(all(9));
          assertThat(values(out)).isEqualTo(all(27));
          fill(in, next);
          inner.run();
          assertThat(values(between)).isEqualTo(all(3));
          assertThat(values(out)).isEqualTo(all(rank.rank() == 1 ? 3 : 27));
          return null;
        });
  }

  @Test
  void allRanksHaveTheSamePlanAndRunsAreCounted() throws Exception {
    List<String> explained =
        OneJvmJob.run(
            link,
            2,
            builder -> builder.flight(8),
            context -> {
              try (Group group = context.createGroup(2)) {
                RankHandle rank = group.rank(group.localRanks()[0]);
                MemorySegment in = ints(context);
                MemorySegment out = ints(context);
                Captured captured =
                    group.capture(
                        same -> {
                          sum(same, in, out);
                          sum(same, out, in);
                        });
                for (int run = 0; run < 5; run++) {
                  captured.run();
                }
                assertThat(captured).hasToString("capture of 2 operations");
                List<String> calls =
                    group.flight(rank.rank()).stream().map(FlightEntry::toString).toList();
                assertThat(calls).last().asString().contains("replay of capture 1");
                List<AlgorithmUse> before = context.algorithmUse();
                captured.close();
                assertThat(context.algorithmUse()).isEqualTo(before);
                assertThat(before)
                    .extracting(AlgorithmUse::operation, AlgorithmUse::calls)
                    .containsExactlyInAnyOrder(tuple("allreduce", 10L), tuple("capture", 5L));
                return captured.explain().replaceFirst("program of process \\d", "program");
              }
            });
    assertThat(explained.get(0))
        .contains("buffers: 4 memories in 4 allocations")
        .contains("order added between operations: 0")
        .isEqualTo(explained.get(1));
  }

  /** Closing the context ends captures that are open. */
  @Test
  void capturesEndWithTheirContext() throws Exception {
    OneJvmJob.run(
        link,
        2,
        builder -> builder,
        context -> {
          Group group = context.createGroup(2);
          MemorySegment array = MemorySegment.ofArray(new int[COUNT]);
          Captured captured = group.capture(same -> sum(same, array, array));
          captured.run();
          group.close();
          assertThatThrownBy(captured::run).hasMessageContaining("the group is closed");
          captured.close();
          return null;
        });
  }
}
