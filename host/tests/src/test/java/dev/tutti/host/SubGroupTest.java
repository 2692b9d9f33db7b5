package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.status.RankStatus.State;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class SubGroupTest {

  private final Context context = SampleAlgorithms.context();
  private final Group world = context.createGroup(Topology.parse("4+3|2+3"));

  @AfterEach
  void close() {
    context.close();
  }

  /** The world ranks of a group, in its order. */
  private static List<Integer> members(Group group) {
    Integer[] members = new Integer[group.rankSize()];
    Arrays.setAll(members, group::worldRank);
    return List.of(members);
  }

  @Test
  void keepsNodesAndPodsWhateverTheirSizes() {
    assertThat(world.subGroup(0, 3, 4, 5, 6, 7, 11).topology()).hasToString("2+3 | 1+1");
    assertThat(world.subGroup(8, 7, 2, 1).topology()).hasToString("2 | 2");
    assertThat(world.subGroup(0, 4, 1).topology()).as("left and come back").hasToString("1+1+1");
    assertThat(world.subGroup(9).topology()).hasToString("1");
  }

  @Test
  void runsOperationsAmongItsOwnRanksOnly() {
    Group odd = world.subGroup(11, 5, 1);
    MemorySegment[] buffers = Floats.heap(3, 2);
    odd.allReduce(buffers, buffers, DataType.FLOAT32, ReduceOp.SUM).run();
    assertThat(Floats.values(buffers[2])).isEqualTo(Floats.sums(3, 2));
    int[][] gathered = new int[3][3];
    odd.run(rank -> rank.allGather(new int[] {rank.worldRank()}, gathered[rank.rank()]));
    assertThat(gathered[1]).containsExactly(11, 5, 1);
  }

  @Test
  void splitsByColourAndOrdersByKeyThenByRank() {
    int none = Group.NO_COLOUR;
    int[] colours = {1, 0, 1, none, 0, 1, 1, none, 0, 1, 1, 0};
    int[] keys = {5, 0, 5, 0, 0, -3, 4, 0, 0, 5, Integer.MIN_VALUE, Integer.MAX_VALUE};
    SortedMap<Integer, Group> groups = world.split(colours, keys);
    assertThat(groups).containsOnlyKeys(0, 1);
    assertThat(members(groups.get(0))).containsExactly(1, 4, 8, 11);
    assertThat(members(groups.get(1))).containsExactly(10, 5, 6, 0, 2, 9);
  }

  /** The thread of the other one may not have seen the end yet, and has to copy the result. */
  @Test
  void aRankMayCloseItsGroupWhenTheOperationsOfAllHaveEnded() {
    try (Group pair = context.createGroup(2)) {
      for (int round = 1; round <= 50; round++) {
        byte sent = (byte) round;
        pair.run(
            rank -> {
              Group part = rank.split(0, rank.rank()).orElseThrow().group();
              try (Arena arena = Arena.ofConfined()) {
                MemorySegment data = arena.allocate(1000);
                if (rank.rank() == 0) {
                  data.fill(sent);
                  Await.until(() -> isAnyWaiting(part));
                }
                part.rank(rank.rank()).broadcast(data, DataType.INT8, 0);
                if (rank.rank() == 0) {
                  Await.spin(() -> isClosed(part));
                }
                assertThat(data.toArray(ValueLayout.JAVA_BYTE)).containsOnly(sent);
              }
            });
      }
    }
  }

  private static boolean isAnyWaiting(Group group) {
    return group.status().ranks().stream().anyMatch(each -> each.state() == State.WAITING);
  }

  private static boolean isClosed(Group group) {
    try {
      group.close();
      return true;
    } catch (TuttiException e) {
      assertThat(e.code()).as("something runs").isEqualTo(ErrorCode.INVALID_STATE);
      return false;
    }
  }

  @Test
  void ranksSplitTheirGroupTogether() {
    Map<Integer, List<Integer>> found = new ConcurrentHashMap<>();
    Map<Integer, Integer> sums = new ConcurrentHashMap<>();
    world.run(
        rank -> {
          int r = rank.rank();
          Optional<RankHandle> part = rank.split(r == 7 ? Group.NO_COLOUR : r % 2, -r);
          assertThat(part.isPresent()).isEqualTo(r != 7);
          part.ifPresent(
              own -> {
                assertThat(own.worldRank()).isEqualTo(r);
                found.put(r, members(own.group()));
                int[] sum = {r};
                own.allReduce(sum, sum, ReduceOp.SUM);
                sums.put(r, sum[0]);
              });
          rank.barrier();
        });
    assertThat(found.get(0)).containsExactly(10, 8, 6, 4, 2, 0);
    assertThat(found.get(9)).containsExactly(11, 9, 5, 3, 1);
    assertThat(sums.get(2)).isEqualTo(30);
    assertThat(sums.get(5)).isEqualTo(29);
  }

  @Test
  void randomSplitsOfSplitsHoldEveryRankOnceInOrder() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Group group = world;
      List<Integer> expected = members(world);
      for (int depth = 0; depth < 3; depth++) {
        int[] colours = random.ints(group.rankSize(), -1, 3).toArray();
        int[] keys = random.ints(group.rankSize(), 0, 3).toArray();
        SortedMap<Integer, Group> groups = group.split(colours, keys);
        List<Integer> before = expected;
        for (int colour : groups.keySet()) {
          Integer[] order =
              IntStream.range(0, colours.length)
                  .filter(rank -> colours[rank] == colour)
                  .boxed()
                  .sorted((a, b) -> Integer.compare(keys[a], keys[b]))
                  .map(before::get)
                  .toArray(Integer[]::new);
          assertThat(members(groups.get(colour))).as("seed %d", seed).containsExactly(order);
        }
        if (groups.isEmpty()) {
          break;
        }
        group = groups.get(groups.firstKey());
        expected = members(group);
      }
    }
    world.close();
    assertThat(context.groups()).isEmpty();
  }

  @Test
  void refusesWhatIsNoSubset() {
    assertThat(Errors.message(ErrorCode.INVALID_RANK, () -> world.subGroup(3, 12)))
        .isEqualTo("a sub-group takes ranks 0 to 11 of its parent. Actual: 12");
    Errors.message(ErrorCode.INVALID_RANK, () -> world.subGroup());
    Errors.message(ErrorCode.INVALID_RANK, () -> world.subGroup(1, 1));
    Errors.message(ErrorCode.INVALID_RANK, () -> world.subGroup(-1));
    assertThat(
            Errors.message(ErrorCode.INVALID_ARGUMENT, () -> world.split(new int[3], new int[12])))
        .isEqualTo("colours must have one entry per rank. Actual: 3 entries, 12 ranks");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> world.split(new int[12], new int[0]));
    int[] wrong = new int[12];
    wrong[4] = -2;
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> world.split(wrong, new int[12])))
        .isEqualTo(
            "the colour of rank 4 must be 0 or more, or Group.NO_COLOUR to take no part."
                + " Actual: -2");
    assertThat(context.groups()).containsExactly(world);
  }

  @Test
  void aSplitIsNoBarrier() {
    Map<Integer, String> messages = new ConcurrentHashMap<>();
    world.run(
        rank ->
            messages.put(
                rank.rank(),
                Errors.message(
                    ErrorCode.CALL_MISMATCH,
                    () -> {
                      if (rank.rank() == 5) {
                        rank.split(0, 0);
                      } else {
                        rank.barrier();
                      }
                    })));
    assertThat(messages.values())
        .containsOnly(
            "all ranks must make the same call as operation 1, but rank 5 differs from rank 0 in"
                + " its operation: expected barrier, actual split (rank 0: barrier; rank 5:"
                + " split)");
  }

  @Test
  void messagesSayBothNumbersOfARank() {
    Group group = world.subGroup(8, 3, 10).subGroup(2, 0);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] in = Floats.zeros(arena, 2, 2);
      MemorySegment[] out = {in[0], arena.allocate(4)};
      assertThat(
              Errors.message(
                  ErrorCode.BUFFER_TOO_SMALL,
                  group.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM)::build))
          .isEqualTo("the output of rank 1 (world rank 8) must have 8 bytes. Actual: 4 bytes");
      MemorySegment shared = arena.allocate(8);
      MemorySegment[] same = {shared, shared};
      assertThat(
              Errors.message(
                  ErrorCode.BUFFER_OVERLAP,
                  group.allReduce(in, same, DataType.INT32, ReduceOp.MAX)::build))
          .startsWith("the output of rank 0 (world rank 10) and");
    }
    assertThat(group.rank(1)).hasToString("rank 1 (world rank 8) of 2");
    Map<Integer, String> messages = new ConcurrentHashMap<>();
    group.run(
        rank ->
            messages.put(
                rank.rank(),
                Errors.message(
                    ErrorCode.CALL_MISMATCH, () -> rank.broadcast(new int[1], rank.rank()))));
    assertThat(messages.get(1))
        .contains("but rank 1 (world rank 8) differs from rank 0 (world rank 10) in its root");
  }

  @Test
  void closingAGroupClosesItsSubGroups() {
    Group child = world.subGroup(0, 1);
    Group grandchild = child.subGroup(1);
    Group other = world.subGroup(2);
    child.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, grandchild.barrier()::build))
        .isEqualTo("the group is closed; create another one");
    other.barrier().run();
    world.close();
    Errors.message(ErrorCode.INVALID_STATE, other.barrier()::build);
    Errors.message(ErrorCode.INVALID_STATE, () -> world.subGroup(0));
    assertThat(context.groups()).isEmpty();
  }

  @Test
  void aGroupIsNotClosedWhileASubGroupRuns() {
    Group child = world.subGroup(0, 1);
    Group idle = world.subGroup(0, 2);
    try (Request barrier = child.barrier().build()) {
      barrier.start();
      assertThat(Errors.message(ErrorCode.INVALID_STATE, world::close))
          .startsWith("the group is running barrier");
      barrier.await();
    }
    idle.barrier().run();
    world.barrier().run();
  }

  @Test
  void poisonStaysInTheGroupItIsIn() {
    Group child = world.subGroup(0, 1);
    child.poison("a test");
    Errors.message(ErrorCode.GROUP_POISONED, () -> child.subGroup(0));
    world.barrier().run();
    Group second = world.subGroup(0, 1);
    world.poison("a test");
    second.barrier().run();
    world.close();
    Errors.message(ErrorCode.INVALID_STATE, second.barrier()::build);
  }

  @Test
  void aBodyThatEndsIsMissedInSubGroupsToo() {
    Map<Integer, String> messages = new ConcurrentHashMap<>();
    assertThatThrownBy(
            () ->
                world.run(
                    rank -> {
                      RankHandle own = rank.split(rank.rank() % 2, 0).orElseThrow();
                      if (rank.rank() == 3) {
                        throw new IllegalStateException("out of data");
                      }
                      if (rank.rank() % 2 == 1) {
                        messages.put(
                            rank.rank(), Errors.message(ErrorCode.INVALID_STATE, own::barrier));
                      }
                    }))
        .hasMessage("out of data");
    assertThat(messages).containsOnlyKeys(1, 5, 7, 9, 11);
    assertThat(messages.values())
        .containsOnly(
            "rank 1 (world rank 3) has ended its body with java.lang.IllegalStateException: out of"
                + " data");
    world.run(RankHandle::barrier);
  }
}
